// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Large variables that ranks may share (gnomon/Fold.h): where they lie.
#pragma once

#include "privatise/Layout.h"

namespace gnomon {

/// Puts the addresses of the parts of variables that are marked (names::FoldedPart) into their records. To be called while
/// the variables of \p layout are still there.
void placeFoldedParts(llvm::Module &module, const Layout &layout);

} // namespace gnomon
