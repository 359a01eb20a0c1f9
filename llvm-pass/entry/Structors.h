// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constructors and destructors of globals, taken out of llvm.global_ctors and llvm.global_dtors.
#pragma once

#include "llvm/IR/Module.h"

namespace gnomon {

enum class StructorKind { Constructors, Destructors };

/// A table of gnomon_structor in the order of execution.
struct StructorTable {
  llvm::Constant *address; ///< null pointer when empty
  uint64_t count;
};

/// Removes the program's own structors from the list of \p kind, leaving the compiler's
/// (sanitizers, coverage).
StructorTable takeStructors(llvm::Module &module, StructorKind kind);

} // namespace gnomon
