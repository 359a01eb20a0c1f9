// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which branches decide whether a block of a function runs (control dependence: Ferrante,
/// Ottenstein and Warren 1987), and where the ways of a branch meet again. Blocks from which only
/// an error's end can be reached (MPI_Abort, abort, a failed assertion) do not count: a check that
/// leads only there decides nothing.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace gnomon {

class ControlFlow {
public:
  /// Whether an edge may be taken, whatever the data are.
  using Taken = llvm::function_ref<bool(const llvm::BasicBlock &from, const llvm::BasicBlock &to)>;

  /// \p errors: the function's blocks that lead only to an error's end, or where nobody comes.
  ControlFlow(const llvm::Function &function,
              const llvm::DenseSet<const llvm::BasicBlock *> &errors, Taken taken);

  /// The terminators that decide directly whether \p block runs, in order of the function's blocks.
  llvm::ArrayRef<const llvm::Instruction *> deciders(const llvm::BasicBlock &block) const;

  /// The first block that every way from \p block passes (its immediate postdominator); null: the
  /// function's end, or an error block.
  const llvm::BasicBlock *join(const llvm::BasicBlock &block) const;

  /// The blocks with phis where ways of the branch at the end of \p block meet, up to the join; of many slices and the
  /// like each asks, so they are found once.
  llvm::ArrayRef<const llvm::BasicBlock *> meetings(const llvm::BasicBlock &block) const;

  /// Whether more than an error's end may follow \p block; so of blocks that were made later, too.
  bool goesOn(const llvm::BasicBlock &block) const;

  /// Whether each run of the function that comes to an end without an error passes \p block.
  bool always(const llvm::BasicBlock &block) const;

private:
  using Node = unsigned; // 0: the function's end, or an error block; others: index of blocks_
  void number(const llvm::Function &function,
              const llvm::DenseSet<const llvm::BasicBlock *> &errors, Taken taken);
  void tieEndlessLoops();
  void order();
  void findJoins();
  Node meet(Node a, Node b) const;
  void findDeciders();
  Node nodeOf(const llvm::BasicBlock &block) const;

  llvm::SmallVector<const llvm::BasicBlock *, 0> blocks_;
  llvm::SmallVector<Node, 0> nodes_; ///< by the block's number
  llvm::SmallVector<llvm::SmallVector<Node, 2>, 0> successors_, predecessors_;
  llvm::SmallVector<Node, 0> order_;     // reverse postorder of the reversed graph
  llvm::SmallVector<unsigned, 0> place_; // of a node in order_
  llvm::SmallVector<Node, 0> join_;
  llvm::SmallVector<llvm::SmallVector<const llvm::Instruction *, 2>, 0> deciders_;
  mutable llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::BasicBlock *, 1>>
      meetings_;
};

} // namespace gnomon
