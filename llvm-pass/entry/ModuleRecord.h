// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Builds the gnomon_module of Module.h in IR: the one thing the runtime knows about a linked
/// output.
#pragma once

#include "entry/Structors.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace gnomon {

/// \p userMain is the program's own main, or null. Reads what gnomon-privatize left under the names
/// of Names.h.
llvm::GlobalVariable *addModuleRecord(llvm::Module &module, llvm::Function *userMain,
                                      const StructorTable &constructors,
                                      const StructorTable &destructors);

} // namespace gnomon
