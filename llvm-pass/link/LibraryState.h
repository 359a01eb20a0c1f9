// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared libraries that keep state of their own, of which all ranks see one: an interpreter, a
/// library of files or plots. In a real run each rank has a process, and with it a library, of its own.
#pragma once

#include "link/NativeObjects.h"

namespace gnomon {

/// Warns of each library that the program uses, with more variables than nearly all have, unless all
/// that the program calls of it is known to keep nothing (BLAS, compression and the like).
void reportLibraryState(const llvm::Module &module, const NativeObjects &natives);

} // namespace gnomon
