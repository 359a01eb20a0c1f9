// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts all private variables of a module into two blocks, each one global: those with an initial
/// value (section gn_priv) and those that are all zeros (gn_zero, no bytes in the file).
///
/// Why blocks and not just sections: code then needs one base address per block, in one register,
/// and reaches every variable by a displacement that the instruction holds anyway. With an address
/// per variable the code of a loop over many globals would keep (or spill) as many registers.
#pragma once

#include "privatise/Residence.h"

#include "llvm/ADT/MapVector.h"

namespace gnomon {

/// Where a symbol that code uses is found at run time.
struct Access {
  enum class Base { Private, Zero, Import };
  Base base;
  uint64_t offset;             ///< bytes from the base; 0 for an import
  llvm::Constant *importEntry; ///< address of its gnomon_import; null for the blocks
};

using AccessMap = llvm::MapVector<llvm::GlobalValue *, Access>;

struct Layout {
  llvm::GlobalVariable *privateBlock = nullptr; ///< null when it would be empty
  llvm::GlobalVariable *zeroBlock = nullptr;    ///< likewise
  llvm::Align alignment{64};
  /// Every private variable and every alias of one, with its place in the blocks.
  AccessMap places;
};

/// Creates the blocks and computes the places. The old variables stay, unused by the blocks' owner,
/// until replaceVariables.
Layout addBlocks(llvm::Module &module, const Residence &residence);

/// Turns the variables of \p layout into symbols (aliases) inside the blocks, and all their
/// remaining uses (initialisers, llvm.used, other aliases) with them. Uses in functions must have
/// been rewritten.
void replaceVariables(llvm::Module &module, Layout &layout);

} // namespace gnomon
