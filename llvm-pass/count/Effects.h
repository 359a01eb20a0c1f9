// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Attributes of functions that have come to raise the counter.
#pragma once

#include "llvm/IR/Function.h"

namespace gnomon::count {

/// What writes the counter, or calls what does, is no longer free of effects.
void confess(llvm::ArrayRef<llvm::Function *> writers);

} // namespace gnomon::count
