// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The variables of MPI_T that room mpi knows.
#include "mpi/Tools.h"

#include "mpi.h"

#include <algorithm>
#include <cstring>

namespace gnomon::mpi {

namespace {

constexpr size_t Protocol = 0, Polling = 1, Messages = 2, Handles = 3;

const p2p::Mailbox &mailbox(RankState &own) { return own.runtime.fabric.mailbox(own.rank.number); }

double liveHandles(RankState &own) {
  size_t live = 0;
  for (const HandleTable &table : own.tables)
    live += table.live();
  return static_cast<double>(live);
}

double liveRequests(RankState &own) {
  return static_cast<double>(own.tables[static_cast<size_t>(HandleKind::Request)].live());
}

} // namespace

MPI_Datatype ControlVariable::datatype() const {
  return std::holds_alternative<int>(value)        ? MPI_INT
         : std::holds_alternative<uint64_t>(value) ? MPI_UNSIGNED_LONG_LONG
                                                   : MPI_CHAR;
}

int ControlVariable::count() const {
  const auto *text = std::get_if<std::string>(&value);
  return text ? static_cast<int>(text->size()) + 1 : 1;
}

int PerformanceVariable::abiClass() const {
  switch (variableClass) {
  case Class::Level:
    return MPI_T_PVAR_CLASS_LEVEL;
  case Class::Counter:
    return MPI_T_PVAR_CLASS_COUNTER;
  case Class::Aggregate:
    return MPI_T_PVAR_CLASS_AGGREGATE;
  case Class::Timer:
    return MPI_T_PVAR_CLASS_TIMER;
  }
  return MPI_T_PVAR_CLASS_GENERIC;
}

MPI_Datatype PerformanceVariable::datatype() const {
  return variableClass == Class::Timer ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG;
}

ToolVariables::ToolVariables(const Runtime &runtime) : onOff_{"switch", {"off", "on"}} {
  addCategory("protocol", "how messages are sent, by their size");
  addCategory("polling", "what MPI_Test and its kin cost");
  addCategory("messages", "what has been sent and what waits");
  addCategory("handles", "objects that the program has made and not freed");

  const models::ProtocolCosts &costs = runtime.world.protocol;
  addControl({"eager_bytes", "messages below this size leave before their receive is posted",
              Protocol, costs.asyncSmallBytes()});
  addControl({"detached_bytes", "a standard send of less than this ends before its receive begins",
              Protocol, costs.detachedBytes()});
  addControl({"grow_poll_cost", "whether the n-th failed poll in a row costs n times as much",
              Polling, static_cast<int>(runtime.settings.pollsGrow()), &onOff_});
  addControl({"barrier_at_finalize", "whether MPI_Finalize synchronises the ranks", Protocol,
              static_cast<int>(runtime.settings.finalizeBarrier), &onOff_});

  using Class = PerformanceVariable::Class;
  performance_ = {
      {"messages_sent", "messages that all ranks of the simulation have sent", Messages,
       Class::Counter,
       [](RankState &own) {
         return static_cast<double>(own.runtime.fabric.statistics().messages);
       }},
      {"bytes_sent", "bytes of data that all ranks of the simulation have sent", Messages,
       Class::Aggregate,
       [](RankState &own) { return static_cast<double>(own.runtime.fabric.statistics().bytes); }},
      {"transfers_under_way", "messages and timed operations under way in the simulation", Messages,
       Class::Level,
       [](RankState &own) {
         return static_cast<double>(own.runtime.fabric.statistics().inFlight);
       }},
      {"unexpected_messages", "messages to this rank that no receive has matched", Messages,
       Class::Level,
       [](RankState &own) { return static_cast<double>(mailbox(own).unexpectedCount()); }},
      {"posted_receives", "receives of this rank that no message has matched", Messages,
       Class::Level,
       [](RankState &own) { return static_cast<double>(mailbox(own).postedCount()); }},
      {"simulated_seconds", "simulated time", Messages, Class::Timer,
       [](RankState &own) { return own.runtime.world.engine.now().seconds; }},
      {"live_requests", "requests of this rank", Handles, Class::Level, liveRequests},
      {"live_handles", "objects of this rank that have handles", Handles, Class::Level,
       liveHandles},
  };
}

size_t ToolVariables::addCategory(std::string name, std::string description) {
  categories_.push_back({std::move(name), std::move(description)});
  return categories_.size() - 1;
}

void giveText(const std::string &text, char *to, int *length) {
  if (!length)
    return;
  if (to && *length > 0) {
    const size_t copied = std::min(text.size(), static_cast<size_t>(*length) - 1);
    std::memcpy(to, text.data(), copied);
    to[copied] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

} // namespace gnomon::mpi
