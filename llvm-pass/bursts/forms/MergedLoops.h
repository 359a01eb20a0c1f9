// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that the compiler has merged with the ones around them. `while (rest > limit) { for (…) …; MPI_Allreduce(…); }`
/// has one header for both loops where the inner one surely runs and nothing is carried around the outer one: the ways
/// back, which are empty, become one. So all its rounds would lie in a loop that communicates.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gnomon {

/// Gives such loops headers of their own again, where the inner one calls no MPI and the outer one does.
void separateMergedLoops(llvm::Module &module);

} // namespace gnomon
