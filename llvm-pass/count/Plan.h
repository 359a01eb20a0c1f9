// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where in a function's control flow a counter must be raised, and by how much, so that after any
/// path it has grown by the path's length: Knuth's and Ball and Larus's placement (“Optimally
/// profiling and tracing programs”, TOPLAS 16(4), 1994), for one counter instead of one an edge.
///
/// Take a spanning tree of the blocks and give each block b a potential P(b), with P(b) + w(b) =
/// P(c) along each edge b → c of the tree, w the blocks' lengths. An edge b → c then raises the
/// counter by  P(b) + w(b) − P(c) : nothing on the tree, which takes the most frequent edges. What
/// is left over, P(exit) − P(entry), is the same for all paths: the function's base, and its
/// callers count it as part of the call's own length.
///
/// Worked example: entry(3) → left(5) | right(2) → end(1), the left edge more frequent. The tree:
/// entry–left–end–right. P = 0, 3, 8, 6: the edge entry → right raises by 0 + 3 − 6 = −3 (it saves
/// three against the left path), all others by nothing; base = 8 + 1 = 9.
#pragma once

#include "count/Amount.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

#include <optional>

namespace gnomon::count {

/// One a pair of blocks, however many cases of a switch go there; `to` is null for the way out of
/// the function.
struct Edge {
  llvm::BasicBlock *from = nullptr;
  llvm::BasicBlock *to = nullptr;
  bool onTree = false;
  double frequency = 0; ///< estimated, in the same unit for all edges of a function
  Amount raise = 0;     ///< set by raises(); a constant there
};

/// Whether code can be put where it runs when the edge is taken, and only then.
bool hasPlace(const Edge &edge);

/// A function's edges, the tree, and the length of the path along it.
class Plan {
public:
  /// \p isFree: back edges whose constant costs nothing, never on the tree.
  /// \p isUnknown: blocks whose length is not known yet (recursive calls), kept off the way if it
  /// can be.
  Plan(llvm::Function &function, const llvm::BlockFrequencyInfo &frequencies,
       const llvm::BranchProbabilityInfo &probabilities,
       llvm::function_ref<bool(const Edge &)> isFree,
       llvm::function_ref<bool(const llvm::BasicBlock &)> isUnknown);

  /// The same edges with another tree, of the heaviest by \p weightOf, but for those below zero;
  /// `way` is empty. Edges of a higher \p levelOf come first; among equals, edges on which no code
  /// can be put, in the order of the first tree: both lose the same raises.
  Plan respanned(llvm::function_ref<unsigned(const Edge &)> levelOf,
                 llvm::function_ref<double(const Edge &)> weightOf) const;

  /// Blocks from the entry to the exit along the tree, with what is to be added (+1) or taken off
  /// (−1) of their lengths to have the base; nothing when no way leads to the exit.
  llvm::ArrayRef<std::pair<llvm::BasicBlock *, int>> way() const { return way_; }

  /// Sets each edge's raise; gives P(exit) − P(entry).
  int64_t raises(llvm::function_ref<int64_t(const llvm::BasicBlock &)> lengthOf);

  llvm::ArrayRef<Edge> edges() const { return edges_; }
  /// P(block) − P(entry); set by raises().
  int64_t potential(llvm::BasicBlock *block) const { return potentials_[number_.lookup(block)]; }

private:
  void collect(llvm::Function &function);
  using Weight = std::pair<unsigned, double>; ///< the level, and the weight in it
  void span(llvm::ArrayRef<Weight> weights);
  void findWay(llvm::Function &function);
  using Neighbours = llvm::SmallVector<std::pair<unsigned, int64_t>, 4>;
  llvm::SmallVector<Neighbours, 16>
  neighboursOnTree(llvm::function_ref<int64_t(unsigned)> lengthOf) const;

  llvm::SmallVector<Edge, 16> edges_;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> number_; ///< of reachable blocks; the exit is last
  llvm::SmallVector<llvm::BasicBlock *, 16> blocks_;
  llvm::SmallVector<std::pair<llvm::BasicBlock *, int>, 8> way_;
  llvm::SmallVector<int64_t, 16> potentials_;
};

} // namespace gnomon::count
