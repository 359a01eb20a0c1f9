// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Notes, overlapping buffers.
#include "mpi/Checks.h"

#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/Request.h"
#include "process/Symbolizer.h"
#include "process/World.h"
#include "support/Error.h"
#include "support/Names.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace gnomon::mpi {

static constexpr std::string_view Words[] = {"all",         "none",  "leaks",
                                             "collectives", "types", "buffers"};

void Checks::choose(std::string_view list) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view word = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const bool all = word == "all";
    if (word == "none")
      leaks = collectives = types = typesAreErrors = buffers = false;
    else if (std::find(std::begin(Words), std::end(Words), word) == std::end(Words))
      throw InputError("--check", 0,
                       "unknown check '" + std::string(word) + "'" + didYouMean(word, Words) +
                           "; there are leaks, collectives, types, buffers, all, none");
    leaks |= all || word == "leaks";
    collectives |= all || word == "collectives";
    types |= all || word == "types";
    typesAreErrors |= all || word == "types";
    buffers |= all || word == "buffers";
  }
}

void CheckNotes::add(const process::Rank &rank, const std::string &text) {
  if (state(const_cast<process::Rank &>(rank)).runtime.settings.checks.quiet ||
      said_.size() > NoteLimit ||
      !said_.insert({rank.call.function, rank.call.returnAddress}).second)
    return;
  if (said_.size() > NoteLimit)
    return process::printError("gnomon: note: more notes of checks are not printed\n");
  process::printError("gnomon: note: rank " + std::to_string(rank.number) + ": " +
                      (rank.call.function ? rank.call.function : "") + ": " + text + " [" +
                      process::describe(rank.call.returnAddress) + "]\n");
}

namespace {

bool overlap(const Request &a, const Request &b) {
  auto begin = [](const Request &r) {
    return static_cast<const char *>(r.buffer) + r.type->trueLowerBound();
  };
  auto end = [&](const Request &r) {
    return begin(r) + (r.count - 1) * r.type->extent() + r.type->trueExtent();
  };
  return begin(a) < end(b) && begin(b) < end(a);
}

/// Whether the request's memory is one block that is being read or written.
bool usesMemory(const Request &request) {
  return (request.kind == Request::Kind::Send || request.kind == Request::Kind::Receive) &&
         request.type && request.count > 0 && request.type->size() > 0 &&
         request.type->contiguous(request.count);
}

} // namespace

void checkOverlap(RankState &own, Request &request) {
  if (!usesMemory(request))
    return;
  handleTable(own.rank, HandleKind::Request).forEach([&](void *object) {
    auto &other = *static_cast<Request *>(object);
    if (&other == &request || !other.active || other.done() || !usesMemory(other) ||
        (request.kind == Request::Kind::Send && other.kind == Request::Kind::Send))
      return;
    if (overlap(request, other))
      own.runtime.notes.add(own.rank,
                            "its buffer is that of an operation under way, " + describe(other));
  });
}

} // namespace gnomon::mpi
