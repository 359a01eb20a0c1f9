// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a memcpy or the like is counted for beyond its length (work/Lengths.h): its bytes.
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace gnomon::count {

/// Known when it is compiled: part of the block's length.
int64_t constantMove(const llvm::CallBase &call);

/// The bytes, where they are known only when they are moved: counted there. Null otherwise.
llvm::Value *variableMove(const llvm::CallBase &call);

} // namespace gnomon::count
