// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of operations whose buffers cannot be touched, and of what memory went into. Called from
/// handlers of signals, in a process that is about to end.
#include "mpi/request/CrashNotes.h"

#include "mpi/RankState.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Touched.h"
#include "process/ranks/World.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gnomon::mpi {

namespace {

/// Whether \p part is the operation of \p request, or lies in it.
bool contains(const Request &request, const void *part) {
  return reinterpret_cast<uintptr_t>(part) - reinterpret_cast<uintptr_t>(&request) <
         request.sizeBytes();
}

std::string madeAt(const Request &request) {
  return fmt::format("{} called at {}", request.name, process::describe(request.site));
}

std::string nameOperation(const process::Rank &rank, const void *operation) {
  const Request *own = nullptr, *collective = nullptr;
  auto look = [&](void *object) {
    const auto &request = *static_cast<const Request *>(object);
    if (contains(request, operation))
      own = &request;
    else if (request.active && request.as<Collective>() && !collective)
      collective = &request;
  };
  handleTable(const_cast<process::Rank &>(rank), HandleKind::Request).forEach(look);
  if (const auto *rare = state(const_cast<process::Rank &>(rank)).rareIfMade())
    for (Request *orphan : rare->orphans)
      look(orphan);
  if (own)
    return madeAt(*own);
  // The messages of a collective belong to no request of the program's: to a nonblocking one, where
  // the rank is in no call, or in one that ends it.
  const std::string_view call = rank.call.function ? rank.call.function : "";
  const bool inOther =
      !call.empty() && !call.starts_with("MPI_Wait") && !call.starts_with("MPI_Test");
  return collective && !inOther ? madeAt(*collective) : "";
}

std::string messagesText() {
  const p2p::Fabric &fabric = runtime().fabric;
  const size_t live = fabric.liveMessages();
  if (live == 0)
    return {};
  return fmt::format("; {} messages have been sent and not received", live);
}

} // namespace

void explainCrashes() {
  process::setBufferNamer(nameOperation);
  process::setMemoryUse(messagesText);
}

} // namespace gnomon::mpi
