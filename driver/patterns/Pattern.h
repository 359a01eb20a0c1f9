// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A pattern is a rule that gives the records of any rank among any number of ranks, made of the
/// records of some. It is right for a trace if it gives what each recorded rank did.
#pragma once

#include "patterns/Families.h"
#include "patterns/Grid.h"
#include "patterns/Plan.h"

#include <memory>
#include <optional>
#include <string>

namespace gnomon::patterns {

/// A trace, with what an extrapolation asks of it again and again. Must outlive what uses it.
struct Recording {
  Recording(const trace::Source &source, std::string path)
      : source(source), path(std::move(path)), plans(plansOf(source)) {}
  const trace::Source &source;
  const std::string path;
  const std::vector<Plan> plans; ///< by function
};

/// A record of a trace, wherever it is.
struct Place {
  uint32_t rank = 0;
  uint64_t record = 0;
};

/// What a pattern expects of a rank next: a call, and the volumes of computation before it.
struct Expected {
  uint32_t function = 0;       ///< of the trace that the pattern was made of
  std::vector<int64_t> values; ///< communicators as codes of families, peers as ranks of these
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> volumes; ///< functions and values
  Place from;         ///< the record that it was made of
  uint32_t reach = 0; ///< how far apart on the grid ranks are that talk to each other in this call
};

/// Why a pattern cannot be continued.
struct Irregular {
  std::optional<Place> place; ///< in the recorded trace; nothing: it is about all of it
  std::string why;
};

/// Walks the calls that a pattern expects of a rank.
class Expectation {
public:
  virtual ~Expectation() = default;
  /// False at the end; \p expected then has the volumes behind the last call. Throws Irregular, and
  /// InputError where a record can belong to no pattern.
  virtual bool next(Expected &expected) = 0;
};

class Pattern {
public:
  virtual ~Pattern() = default;
  /// "a grid of 4x4"
  virtual std::string text() const = 0;
  /// The grid that communicators are seen on.
  virtual const Grid &recorded() const = 0;
  /// Of \p rank among the ranks of \p grid, for which there is a rule, and which must outlive it.
  virtual std::unique_ptr<Expectation> open(const Grid &grid, uint32_t rank) const = 0;
  /// Whether there is a rule for the ranks of \p grid.
  virtual bool isFor(const Grid &grid) const = 0;
};

} // namespace gnomon::patterns
