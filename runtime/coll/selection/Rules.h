// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a library chooses: a table of rules, tried in order, as data. A rule is of one collective,
/// asks for facts of the call (a commutative op, several ranks on a host), is for less than so many
/// ranks, and names an algorithm for each range of message sizes.
#pragma once

#include "coll/Algorithm.h"

#include <cstdint>
#include <limits>
#include <span>

namespace gnomon::coll {

/// What a rule may ask of a call; all ranks of the communicator find the same.
enum Fact : unsigned {
  Always = 0,
  Commutes = 1u << 0,     ///< the op commutes
  Ordered = 1u << 1,      ///< it does not
  Builtin = 1u << 2,      ///< it is one of MPI's
  Enough = 1u << 3,       ///< no fewer elements than the greatest power of two of ranks
  PowerOfTwo = 1u << 4,   ///< of ranks
  FromReceived = 1u << 5, ///< MPI_IN_PLACE in a total exchange
  Regular = 1u << 6,      ///< the same count for all ranks
  Shared = 1u << 7, ///< some host has several of the ranks (MPICH: a communicator with hierarchy)
  Consecutive = 1u << 8, ///< and the ranks of each host follow one another
};

/// The size that a rule's ranges are of: all that the call moves to or from a rank, or a block.
enum class Measure : uint8_t { Whole, Block };

inline constexpr int AnyRanks = std::numeric_limits<int>::max();

struct Rule {
  const char *collective;
  unsigned facts;
  int ranksBelow;
  Measure measure;
  /// `BYTES:algorithm …`: for less than BYTES; the last one has none and is for all the rest. A
  /// name may be an alias.
  const char *choices;
};

struct Selector {
  const char *name; ///< for --coll-selector
  const char *does;
  std::span<const Rule> rules;
  const Selector *otherwise; ///< for collectives without a rule here; may be null
  /// What its algorithms are given (Call).
  int64_t segment = -1;
  int fanout = 0;
};

/// All selectors; the first one is the default.
std::span<const Selector *const> selectors();

extern const Selector openMpi, mpich, byDefault;

/// What a call is, for the rules.
struct Facts {
  unsigned holds;
  int ranks;
  int64_t whole, block; ///< bytes
};
/// \p hosts: whether Shared and Consecutive are wanted.
template <class Args> Facts factsOf(const Args &args, bool hosts);

} // namespace gnomon::coll
