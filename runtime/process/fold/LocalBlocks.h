// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Large local arrays that ranks share (gnomon/Fold.h, gnomon_local). Nothing tells when such an array is gone: its
/// function may end by an exception or by longjmp. But its frame was on the rank's stack, which grows downwards: as soon
/// as the rank makes another array from a frame that lies as high as the array's or higher, the array is gone. What is
/// gone and not noticed yet costs a region that all ranks share, and never more than one for each depth from which the
/// rank has called.
#pragma once

#include "gnomon/Fold.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::process::fold {

class FoldedMemory;

/// For the simulation's thread only.
class LocalBlocks {
public:
  explicit LocalBlocks(FoldedMemory &memory) : memory_(memory) {}

  /// Memory for an array of \p rank that a frame makes whose stack ends at \p stackPointer; null: it is to lie on the
  /// stack.
  void *take(uint32_t rank, gnomon_fold_site &site, size_t bytes, uintptr_t stackPointer);

private:
  struct Local {
    uintptr_t stackPointer;
    void *block;
    size_t bytes;
  };
  void dropBelow(uint32_t rank, uintptr_t stackPointer);
  void *make(uint32_t rank, gnomon_fold_site &site, size_t bytes);

  FoldedMemory &memory_;
  std::vector<std::vector<Local>> locals_; ///< by rank, the lowest frame's last
};

} // namespace gnomon::process::fold
