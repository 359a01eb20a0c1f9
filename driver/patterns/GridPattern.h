// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks on a grid whose dimensions grow. In a dimension that grows a rank is the first, the last,
/// or in between: 3^d classes in all. In one that does not grow, each coordinate is a class of its
/// own. A rank does what the recorded ranks of its class do. A peer is said in each dimension by
/// one of
///
///     so far from me      (around the end of the dimension, too: a torus)
///     so far from the first, so far from the last
///
/// Two recorded ranks of the class, those nearest to either end, tell which: on a chain of 6, ranks
/// 1 and 4 are compared. If 1 sends to 2 and 4 to 5, each sends to the next; if both send to 0, to
/// the first. Other distances may go with the number of ranks: who talks to those 1, 2 and 4 away
/// among 6 ranks may do so to those 1, 2, 4 and 8 away among 12. One recording cannot tell.
///
/// The idea is that of Wu, Mueller: ScalaExtrap (PPoPP 2011).
#pragma once

#include "patterns/Pattern.h"
#include "patterns/Walker.h"

#include <map>
#include <optional>

namespace gnomon::patterns {

class GridPattern final : public Pattern {
public:
  enum class Reach : uint8_t {
    Next, ///< neighbours among four or more in a dimension that grows, the first and the last rank
    Any,  ///< a second recording tells whether the rule is right
  };
  /// \p grows: the set of dimensions that other grids may have more of.
  GridPattern(const Recording &recording, Grid grid, uint32_t grows, Reach allowed);

  std::string text() const override;
  const Grid &recorded() const override { return grid_; }
  std::unique_ptr<Expectation> open(const Grid &grid, uint32_t rank) const override;
  bool isFor(const Grid &grid) const override;

private:
  friend class GridExpectation;
  /// Colour and key of the how-many-eth MPI_Comm_split: the place among points that differ in a set
  /// of dimensions, and so much more.
  struct SplitRule {
    uint32_t along = 0;
    int64_t more = 0;
  };
  using Splits = std::map<size_t, std::vector<std::vector<int64_t>>>; ///< field: call: of ranks

  bool grows(size_t dimension) const { return (grows_ >> dimension & 1) != 0; }
  enum class Which : uint8_t { First, Last, InTurn };
  Point representative(const Grid &grid, const Point &point, Which which) const;
  void findSplitRules();
  std::optional<SplitRule> ruleOf(const std::vector<int64_t> &values) const;
  /// Of peer and rank in a dimension: of both representatives, and of the rank that is asked for.
  struct Step {
    size_t dimension;
    std::array<uint32_t, 2> peers, ranks;
    uint32_t rank, extent;
    Role role; ///< a root is the same rank for all, if it can be
  };
  /// The peer's coordinate; \p why is what is wrong where there is none. \p reach grows to how far
  /// away it is.
  std::optional<uint32_t> coordinate(const Step &step, uint32_t &reach, std::string &why) const;
  bool isNext(size_t dimension, uint32_t distance) const;

  const Recording &recording_;
  const Grid grid_;
  const uint32_t grows_;
  const Reach allowed_;
  const Families families_;
  std::map<std::pair<size_t, size_t>, std::optional<SplitRule>> splits_; ///< by field and call
};

} // namespace gnomon::patterns
