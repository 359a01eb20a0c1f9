// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signatures, notes, overlapping buffers.
#include "mpi/Checks.h"

#include "mpi/Datatype.h"
#include "mpi/RankState.h"
#include "mpi/Request.h"
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

namespace {

// A signature of one kind of data is Kind << 16 | bytes of an element; of a mixture Mixture | 15
// bits of an element's size | 16 bits of hash.
constexpr uint32_t Mixture = 0x80000000, KindShift = 16;
enum Kind : uint32_t { Integers = 1, Floats = 2, Complexes = 3 };

uint32_t basicSignature(const Datatype &type) {
  uint32_t kind = Integers;
  switch (type.typeClass()) {
  case TypeClass::Floating:
    kind = Floats;
    break;
  case TypeClass::Complex:
    kind = Complexes;
    break;
  case TypeClass::None:
  case TypeClass::Byte:
  case TypeClass::Opaque:
  case TypeClass::Pair:
    return 0;
  default:
    break;
  }
  return kind << KindShift | static_cast<uint32_t>(type.size());
}

/// The signature of parts of several kinds; none when one of them matches everything.
std::optional<uint32_t> mixtureOf(const std::vector<Datatype::Part> &parts, int64_t size) {
  uint32_t hash = 2166136261U;
  auto mix = [&](uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      hash = (hash ^ static_cast<uint32_t>(value >> shift & 0xff)) * 16777619U;
  };
  uint32_t last = 0;
  bool several = false;
  int64_t repeat = 0;
  for (const Datatype::Part &part : parts) {
    if (part.type->size() == 0)
      continue;
    const uint32_t signature = signatureOf(*part.type);
    if (signature == 0)
      return std::nullopt;
    several |= last != 0 && signature != last;
    if (signature != last && repeat > 0)
      mix(static_cast<uint64_t>(last) << 32 | static_cast<uint32_t>(repeat));
    repeat = (signature == last ? repeat : 0) + part.repeat;
    last = signature;
  }
  mix(static_cast<uint64_t>(last) << 32 | static_cast<uint32_t>(repeat));
  if (!several)
    return last;
  return Mixture | static_cast<uint32_t>(size & 0x7fff) << 16 | (hash >> 16 ^ (hash & 0xffff));
}

} // namespace

uint32_t signatureOf(const Datatype &type) {
  if (type.size() == 0)
    return 0;
  if (type.parts().empty())
    return basicSignature(type);
  return mixtureOf(type.parts(), type.size()).value_or(0);
}

bool signaturesDiffer(uint32_t sent, uint32_t received) {
  if (sent == received || sent == 0 || received == 0)
    return false;
  const bool bothMixed = (sent & received & Mixture) != 0;
  // Mixtures of other sizes may be the same sequence, cut into other elements.
  return !bothMixed || ((sent ^ received) & 0x7fff0000) == 0;
}

std::string signatureText(uint32_t signature) {
  if (signature & Mixture)
    return "data of several kinds";
  const uint32_t kind = signature >> KindShift;
  return std::to_string(signature & 0xffff) + "-byte " +
         (kind == Floats      ? "floating-point numbers"
          : kind == Complexes ? "complex numbers"
                              : "integers");
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
