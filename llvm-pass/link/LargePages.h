// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of a link in large pages. Its optimiser and code generator walk over hundreds of megabytes in no order: with
/// pages of 4 KiB a part of their time goes into finding out where a page lies.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Has the system put what the heap of the process holds by now into large pages (MADV_COLLAPSE of Linux 6.1). Where it
/// cannot, nothing changes. The heap stays as long as it is, and so does the module.
struct LargePagesPass : llvm::PassInfoMixin<LargePagesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
