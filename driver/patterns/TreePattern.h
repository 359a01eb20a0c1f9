// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks of a binomial tree, or of an exchange at doubling distances, written by hand. There are
/// 2^h ranks; a rank's level is the number of zeros that end it in binary, and h for rank 0. Peers
/// are told by k: the rank with bit k flipped, or the one 2^k behind or before.
///
/// Calls that follow each other with k one more or one less each time are a run. A broadcast from
/// rank 0 is, on a rank of level l,
///
///     MPI_Recv from bit l, then MPI_Send to bits l-1 … 0
///
/// and so each k, and both ends of each run, are 0, or so far from the level, or from h. The rule
/// is read off the ranks 0 and 2^(h-1), which have the longest runs, and stands or falls by what it
/// gives for all other recorded ranks.
///
/// An exchange of each with each is the same with distances in place of powers: each of its peers,
/// or both ends of a run, are 1 or all but one away. Its rule is read off the ranks 0 and 1.
#pragma once

#include "patterns/Pattern.h"

#include <span>
#include <string_view>

namespace gnomon::patterns {

class TreePattern final : public Pattern {
public:
  /// How peers are told.
  enum class Peers : uint8_t {
    Flipped, ///< by the bit that is flipped
    Shifted, ///< by the power of two that they are away
    Counted, ///< by how far they are away: of an exchange of each with each, 1 to all but one
  };
  /// Which k are taken for more than a coincidence.
  enum class Trust : uint8_t {
    Usual, ///< 0, the level, and ends of runs: 0, the level or the height, or one less
    Any,   ///< a second recording tells whether the rule is right
  };
  /// What k that are not 0 go with.
  enum class Ends : uint8_t { Level, Height };

  /// Reads all calls of two ranks, of which there must be less than MostCalls. Throws Irregular.
  /// \p recording has 2^h ranks, 8 at least; for Counted any number from 4 on.
  TreePattern(const Recording &recording, Peers peers, Ends ends, Trust trust);
  static constexpr size_t MostCalls = size_t{1} << 19;

  std::string text() const override;
  const Grid &recorded() const override { return grid_; }
  bool isFor(const Grid &grid) const override;
  std::unique_ptr<Expectation> open(const Grid &grid, uint32_t rank) const override;

private:
  friend class TreeExpectation;
  /// Where a rank stands.
  struct Standing {
    int64_t level = 0, height = 0;
  };
  /// A k of any rank: 0, or so far from what Ends says.
  struct Exponent {
    bool isFixed = true;
    int64_t away = 0;
  };
  /// A call, or a run: `turns` times `calls` calls, with k one more (`step`) each time.
  struct Token {
    size_t first = 0, calls = 1, turns = 1;
    int64_t step = 0; ///< 0: no run
    Exponent from, to;
  };
  struct Template {
    Standing standing;
    std::vector<Expected> calls; ///< values of peers are codes of k
    std::vector<std::pair<uint32_t, std::vector<int64_t>>> lastVolumes;
    std::vector<Token> tokens;
  };

  Template read(uint32_t rank) const;
  int64_t codeOf(uint32_t rank, uint32_t peer, std::string_view field) const;
  void tokenize(Template &of) const;
  size_t turnsAt(const Template &of, size_t first, size_t calls, int64_t &step) const;
  bool isStepped(const Template &of, size_t first, size_t then, int64_t step) const;
  std::optional<int64_t> firstExponent(const Template &of, size_t first, size_t calls) const;
  Exponent exponent(int64_t k, const Standing &standing) const;
  void check(const Template &of, const Token &token) const;
  int64_t valueOf(const Exponent &exponent, const Standing &standing) const;
  Standing standingOf(uint32_t rank, uint32_t ranks) const;

  const Recording &recording_;
  const Grid grid_;
  const Families families_;
  const Peers peers_;
  const Ends ends_;
  const Trust trust_;
  Template root_, others_;
};

} // namespace gnomon::patterns
