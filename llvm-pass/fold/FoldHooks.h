// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The record of each place where memory is allocated (gnomon/Fold.h), and the hooks around it. A large array on the
/// stack that folds in some plan asks for memory to lie in instead; one that never folds stays as it is.
#pragma once

#include "fold/Sites.h"

namespace gnomon {

/// Marks the sites' instructions, so that copies of them are found. Before any is made.
void markFoldSites(llvm::ArrayRef<FoldSite> sites);

/// Puts hooks at all that is marked, the mark away, and the records into the module. Gives the functions that have
/// changed.
std::vector<llvm::Function *> addFoldHooks(llvm::ArrayRef<FoldSite> sites, llvm::Module &module);

} // namespace gnomon
