// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
}

namespace gnomon {

/// Values of \p blocks are used outside by phis of \p exit only, behind this: one phi has the value from wherever the exit
/// is entered. Every way from the blocks to a use outside must come through the exit, which is entered from them only.
void closeBlocks(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &exit);

} // namespace gnomon
