// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code that a rank runs once at most: outside cycles, as are all calls that lead there from main.
#pragma once

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace gnomon {

/// Takes time in proportion to the functions that lead there. False where code outside the module may call one of them.
bool runsOnce(const llvm::BasicBlock &block);

} // namespace gnomon
