// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/CommTrace.h"

#include "mpi/RankState.h"
#include "mpi/request/Status.h"

#include "mpi.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace gnomon::api {

namespace {

/// Room for `got=` and the longest source, tag and number of bytes.
constexpr size_t GotWidth = 48;

std::string gotText(int64_t source, int64_t tag, int64_t bytes) {
  return fmt::format("got={},{},{}B", source, tag, bytes);
}

bool isOpen(mpi::Request &request) {
  const mpi::Receiving *receive = request.receiving();
  return receive &&
         (receive->transfer.peer == p2p::AnySource || receive->transfer.tag == p2p::AnyTag);
}

/// The number of a communicator on its rank: world and self have names, the others are counted as
/// the rank meets them first, which is where it made them.
std::string nameOf(mpi::Comm &comm) {
  mpi::RankState &own = mpi::state(comm.owner());
  if (&comm == &*own.world)
    return "world";
  if (&comm == own.self.get())
    return "self";
  if (comm.traceNumber == 0)
    comm.traceNumber = ++own.tracedComms;
  return std::to_string(comm.traceNumber);
}

/// `[80*3,16]`: equal neighbours are counted.
template <class Value> std::string list(int64_t length, Value value, const char *unit) {
  std::string text = "[";
  auto end = std::back_inserter(text);
  for (int64_t i = 0; i < length;) {
    const auto first = value(i);
    int64_t next = i + 1;
    while (next < length && value(next) == first)
      ++next;
    fmt::format_to(end, "{}{}{}", i ? "," : "", first, unit);
    if (next > i + 1)
      fmt::format_to(end, "*{}", next - i);
    i = next;
  }
  return text + "]";
}

} // namespace

struct CallLine::State {
  process::Rank &rank;
  std::string text;
  bool open = false; ///< any source or any tag: the result belongs in the line
  /// Places in the text for what requests will have got.
  std::vector<std::pair<mpi::Request *, size_t>> awaited;
};

CommTrace::CommTrace(process::CallSink &sink) : sink_(sink) {
  running_ = this;
  mpi::runtime().received = received;
}

CommTrace::~CommTrace() { running_ = nullptr; }

void CommTrace::received(mpi::Request &request) {
  mpi::Receiving &receive = *request.receiving();
  const int64_t bytes = static_cast<int64_t>(std::min(receive.messageBytes, receive.buffer.bytes));
  std::string text =
      receive.cancelled ? "got=cancelled" : gotText(receive.source, receive.tag, bytes);
  running()->sink_.replace(request.comm->owner().number, receive.tracePlace - 1, text);
  receive.tracePlace = 0;
}

void CallLine::begin(process::Rank &rank) {
  state_ = new State{rank, rank.call.function, false, {}};
}

void CallLine::discard() { delete state_; }

void CallLine::field(const char *name) {
  state_->text += ' ';
  state_->text += name;
  state_->text += '=';
}

void CallLine::payload(const char *name, const void *buffer, int64_t count,
                       const mpi::Datatype *type) {
  field(name);
  if (buffer == MPI_IN_PLACE)
    state_->text += "in-place";
  else
    fmt::format_to(std::back_inserter(state_->text), "{}B", count * type->size());
}

void CallLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const mpi::Datatype *type, int length) {
  field(name);
  if (buffer == MPI_IN_PLACE)
    state_->text += "in-place";
  else
    state_->text += list(length, [&](int64_t i) { return counts[i] * type->size(); }, "B");
}

void CallLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const MPI_Datatype *types, int length) {
  field(name);
  auto bytes = [&](int64_t i) {
    const mpi::Datatype *type = mpi::find<mpi::Datatype>(state_->rank, types[i]);
    return counts[i] * (type ? type->size() : 0);
  };
  state_->text += buffer == MPI_IN_PLACE ? "in-place" : list(length, bytes, "B");
}

void CallLine::number(const char *name, int64_t value) {
  field(name);
  state_->text += std::to_string(value);
}

void CallLine::numbers(const char *name, mpi::Counts values, int64_t length) {
  field(name);
  state_->text += list(values ? length : 0, [&](int64_t i) { return values[i]; }, "");
}

void CallLine::peer(const char *name, int rank) {
  field(name);
  state_->text += rank == MPI_ANY_SOURCE  ? "any"
                  : rank == MPI_PROC_NULL ? "null"
                  : rank == MPI_ROOT      ? "root"
                                          : std::to_string(rank);
  state_->open |= rank == MPI_ANY_SOURCE;
}

void CallLine::tag(const char *name, int tag) {
  field(name);
  state_->text += tag == MPI_ANY_TAG ? "any" : std::to_string(tag);
  state_->open |= tag == MPI_ANY_TAG;
}

void CallLine::comm(const char *name, const mpi::Comm *comm) {
  field(name);
  state_->text += comm ? nameOf(const_cast<mpi::Comm &>(*comm)) : "null";
}

void CallLine::op(const char *name, const mpi::Op *op) {
  field(name);
  state_->text += op->isPredefined() ? op->name() : "user";
}

void CallLine::requests(const char *name, const MPI_Request *handles, int64_t count) {
  field(name);
  auto number = [&](int64_t i) {
    const mpi::Request *request = mpi::find<mpi::Request>(state_->rank, handles[i]);
    return request ? request->traceNumber : 0;
  };
  state_->text += list(count, number, "");
}

void CallLine::members(const char *name, const mpi::Members &members) {
  field(name);
  state_->text +=
      list(members.size(), [&](int64_t i) { return members.process(static_cast<int>(i)); }, "");
}

void CallLine::newComm(const char *name, MPI_Comm handle) {
  field(name);
  mpi::Comm *comm = mpi::find<mpi::Comm>(state_->rank, handle);
  if (!comm) {
    state_->text += "null";
    return;
  }
  state_->text += nameOf(*comm);
  number("rank", comm->rank());
  members("members", *comm->members());
  if (comm->isInter())
    members("remote", *comm->remoteMembers());
}

void CallLine::awaitResult(mpi::Request &request) {
  state_->text += ' ';
  state_->awaited.emplace_back(&request, state_->text.size());
  fmt::format_to(std::back_inserter(state_->text), "{:<{}}", "got=?", GotWidth);
}

void CallLine::newRequest(const char *name, MPI_Request handle, bool matched) {
  mpi::Request *request = mpi::find<mpi::Request>(state_->rank, handle);
  if (!request)
    return;
  request->traceNumber = ++mpi::state(state_->rank).tracedRequests;
  if (matched) {
    const mpi::Receiving *receive = request->receiving(); // null: from MPI_PROC_NULL
    peer("source", receive ? receive->transfer.peer : MPI_PROC_NULL);
    tag("tag", receive ? receive->transfer.tag : MPI_ANY_TAG);
  }
  number(name, request->traceNumber);
  if (request->active && isOpen(*request))
    awaitResult(*request);
}

void CallLine::started(std::span<const MPI_Request> handles) {
  for (MPI_Request handle : handles)
    if (mpi::Request *request = mpi::find<mpi::Request>(state_->rank, handle))
      if (request->active && isOpen(*request))
        awaitResult(*request);
}

void CallLine::got(const MPI_Status &status, bool matched) {
  if (state_->open || matched)
    state_->text += ' ' + gotText(status.MPI_SOURCE, status.MPI_TAG, mpi::statusBytes(status));
}

void CallLine::end(int code) {
  if (code != MPI_SUCCESS)
    number("error", code);
  state_->text += '\n';
  const uint64_t place = CommTrace::running()->sink().append(state_->rank.number, state_->text);
  for (auto [request, offset] : state_->awaited)
    request->receiving()->tracePlace = place + offset + 1;
}

} // namespace gnomon::api
