// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks of the heap, by the calls that make them and those that free them. Whether a block is freed matters to nobody
/// but the memory that a run takes: a call that frees is needed where a block comes to be that it may free.
#pragma once

#include "points-to/Interned.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace gnomon {

class PointsTo;

class Heap {
public:
  Heap(const llvm::Module &module, const PointsTo &pointsTo);

  /// Whether the call makes a block and does nothing else (malloc, new), fills it with what it reads (strdup), or hands on
  /// what such a block held (realloc);
  /// no code of which nothing is known gets at it.
  bool makes(const llvm::CallBase &call) const { return frees_.contains(&call); }
  /// Whether the call frees (free, delete) blocks that were made so, and no other memory.
  bool frees(const llvm::CallBase &call) const { return freeing_.contains(&call); }
  /// The calls that may free what \p call makes, in order of the module. Equal ones are one array. None where a rank makes
  /// it once at most, and little: whether that is freed makes no difference.
  llvm::ArrayRef<const llvm::CallBase *> freesOf(const llvm::CallBase &call) const {
    return frees_.lookup(&call);
  }

private:
  using Calls = llvm::SmallVector<const llvm::CallBase *>;
  Calls makersOf(const llvm::CallBase &call) const;
  void findMakers(const llvm::Module &module, Calls &renewing, Calls &freeing);
  void findFrees(llvm::ArrayRef<const llvm::CallBase *> freeing);

  const PointsTo &pointsTo_;
  Interned<const llvm::CallBase *> lists_;
  llvm::DenseMap<const llvm::CallBase *, llvm::ArrayRef<const llvm::CallBase *>>
      frees_; ///< by what makes the block
  llvm::DenseSet<const llvm::CallBase *> freeing_;
};

} // namespace gnomon
