// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Addresses that are computed on several ways, the same on each (`&matrix.rows` before and behind a branch): a phi joins
/// them, as if it chose. As one address, computed where the ways meet, it rests on no branch.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gnomon {

/// Of places in arguments, variables, and locals of the function's beginning. Before anything is found out about the
/// program.
void joinEqualAddresses(llvm::Module &module);

} // namespace gnomon
