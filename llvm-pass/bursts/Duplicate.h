// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The change that a burst brings to its function: in front of the region the question whether to
/// execute it, beside it a copy of which only the relevant instructions remain (Weiser's slice),
/// behind both the end.
#pragma once

#include "bursts/Regions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gnomon {

class ControlFlow;

/// The copy of one region, reduced. Only phis behind the region change; so all copies
/// of a function are made before the hooks change its edges. Values of the region are used outside
/// only by phis at its exits.
class Duplicate {
public:
  using Predicate = llvm::function_ref<bool(const llvm::Instruction &)>;

  /// Of phis in the region and behind it, the load whose value they have, whichever way was taken
  /// (slice/Reloads.h): where ways are cut, it stands in for them.
  using Reloads = llvm::DenseMap<const llvm::PHINode *, const llvm::LoadInst *>;

  /// Calls that are not kept, of whose results argument 0 takes the place.
  using Streams = llvm::DenseSet<const llvm::CallBase *>;

  Duplicate(const Region &region, const Reloads &reloads, const Streams &streams);

  /// Adds the copy to the function. Once.
  void make(const ControlFlow &flow, Predicate kept);

  /// The copy's entry. Nothing branches to it yet.
  llvm::BasicBlock *entry() const;
  const llvm::SmallSetVector<llvm::BasicBlock *, 8> &blocks() const { return copies_; }

private:
  struct Exit {
    llvm::BasicBlock *from, *to;
  };
  bool inside(const llvm::BasicBlock *block) const {
    return originals_.contains(const_cast<llvm::BasicBlock *>(block));
  }
  void copyBlocks();
  void joinExits();
  void replaceReloads();
  void replaceStreams();
  llvm::Value *reloaded(const llvm::PHINode &phi, llvm::BasicBlock::iterator before);
  void reduce(Predicate kept);
  void keepStale(Predicate kept);
  void cutBranch(llvm::BasicBlock &original, llvm::BasicBlock &copy, const ControlFlow &flow);
  void redirect(llvm::BasicBlock &copy, llvm::BasicBlock *target);
  llvm::BasicBlock *exitTowards(const llvm::BasicBlock *join, const ControlFlow &flow) const;

  const Region &region_;
  const Reloads &reloads_;
  const Streams &streams_;
  llvm::SmallSetVector<llvm::BasicBlock *, 8> originals_, copies_;
  llvm::SmallVector<Exit, 4> exits_;
  llvm::ValueToValueMapTy map_;
};

} // namespace gnomon
