// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of variables that were thread_local. They are a rank's now; a rank that has several
/// threads changes their contents over when another of them runs.
#pragma once

#include "privatise/Layout.h"
#include "privatise/Residence.h"

#include "llvm/ADT/SmallVector.h"

namespace gnomon {

/// Those of \p residence that are thread_local in the source; to be asked before dropThreadLocal.
llvm::SmallVector<llvm::GlobalVariable *, 8> threadLocalsOf(const Residence &residence);

/// Adds the table of gnomon_thread_local, if there is any, for addModuleRecord.
void addThreadLocals(llvm::Module &module, llvm::ArrayRef<llvm::GlobalVariable *> variables,
                     const Layout &layout);

} // namespace gnomon
