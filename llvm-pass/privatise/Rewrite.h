// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rewrites what functions do with private and imported variables to go through the running rank's
/// delta.
///
///     block base b   inttoptr(ptrtoint(@gnomon.private) + load @gnomon.delta)   once per function
///     variable       gep i8, b, offset                                          at each use
///     import         inttoptr(ptrtoint(@e) + load (load import.delta))          once per function
///
/// The base is integer arithmetic and not a GEP on the global, because a rank's copy is another
/// object: an index that leaves @gnomon.private would be undefined, and the code generator uses
/// that. It is computed where all its uses in the function are dominated, outside of loops; the
/// delta never changes while a function of a rank runs, so its load is invariant.
#pragma once

#include "privatise/Layout.h"

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// thread_local variables of \p residence become ordinary ones; the runtime gives them to ranks,
/// not threads.
void dropThreadLocal(llvm::Module &module, const Residence &residence);

/// Rewrites all uses in functions of the symbols in \p accesses. Blocks are \p layout's, delta is a
/// variable.
void rewriteFunctions(llvm::Module &module, const AccessMap &accesses, const Layout &layout,
                      llvm::GlobalVariable &delta, llvm::FunctionAnalysisManager &analyses);

} // namespace gnomon
