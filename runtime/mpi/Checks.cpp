// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Notes, overlapping buffers.
#include "mpi/Checks.h"

#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/Request.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/World.h"
#include "support/Error.h"
#include "support/Names.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <tuple>

namespace gnomon::mpi {

static constexpr std::string_view Words[] = {"all",         "none",  "leaks",
                                             "collectives", "types", "buffers"};

/// `none` comes first, and what is wanted nevertheless behind it.
static void refuseContradiction(std::string_view first, std::string_view word) {
  if (!first.empty() && first != word && (word == "none" || (first == "none" && word == "all")))
    throw InputError("--check", 0, fmt::format("'{}' and '{}' contradict each other", first, word));
}

void Checks::choose(std::string_view list) {
  std::string_view first;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view word = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    refuseContradiction(first, word);
    if (first.empty())
      first = word;
    const bool all = word == "all";
    if (word == "none")
      leaks = collectives = types = typesAreErrors = buffers = false;
    else if (std::find(std::begin(Words), std::end(Words), word) == std::end(Words))
      throw InputError("--check", 0,
                       "unknown check '" + std::string(word) +
                           "'; there are leaks, collectives, types, buffers, all, none" +
                           didYouMean(word, Words));
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
  process::printError(fmt::format("gnomon: note: rank {}: {}: {} [{}]\n", rank.number,
                                  rank.call.function ? rank.call.function : "", text,
                                  process::describe(rank.call.returnAddress)));
}

namespace {

/// From `begin` up to `end`.
struct Block {
  const char *begin, *end;
};

bool overlap(const Block &a, const Block &b) { return a.begin < b.end && b.begin < a.end; }

/// What a send or a receive reads or writes, if it is one block.
std::optional<Block> memoryOf(const Request &request) {
  const void *address;
  int64_t count;
  const Datatype *type;
  if (const auto *sending = request.as<Sending>()) {
    const Transfer &transfer = sending->transfer;
    std::tie(address, count, type) =
        std::tuple(transfer.buffer, transfer.count, transfer.type.get());
  } else if (const auto *receiving = request.as<Receiving>()) {
    const p2p::Buffer &buffer = receiving->buffer;
    if (buffer.isSizeOnly()) // nothing is written
      return {};
    std::tie(address, count, type) =
        std::tuple(buffer.address, buffer.count, receiving->type.get());
  } else {
    return {};
  }
  if (!type || count <= 0 || type->size() == 0 || !type->contiguous(count))
    return {};
  const char *begin = static_cast<const char *>(address) + type->trueLowerBound();
  return Block{begin, begin + (count - 1) * type->extent() + type->trueExtent()};
}

} // namespace

void checkOverlap(RankState &own, Request &request) {
  const std::optional<Block> memory = memoryOf(request);
  if (!memory)
    return;
  handleTable(own.rank, HandleKind::Request).forEach([&](void *object) {
    auto &other = *static_cast<Request *>(object);
    const std::optional<Block> others = memoryOf(other);
    if (&other == &request || !other.active || other.done() || !others ||
        (request.as<Sending>() && other.as<Sending>()))
      return;
    if (overlap(*memory, *others))
      own.runtime.notes.add(own.rank,
                            "its buffer is that of an operation under way, " + describe(other));
  });
}

} // namespace gnomon::mpi
