// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of a link in large pages. Its optimiser and code generator walk over hundreds of megabytes in no order, by
/// tens of megabytes of code: with pages of 4 KiB a part of their time goes into finding out where a page lies.
/// GNOMON_LARGE_PAGES=0 in the environment of the link leaves all that out.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Has the system put what the heap of the process holds by now into large pages (MADV_COLLAPSE of Linux 6.1). Where it
/// cannot, nothing changes. The heap stays as long as it is, and so does the module.
struct LargePagesPass : llvm::PassInfoMixin<LargePagesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // also at -O0
};

/// Puts the code of LLVM into large pages: a copy of it, at the same addresses, in place of the pages of its file, at once,
/// so that other threads may run it. Linux puts code of files into large pages only where it was built for that
/// (CONFIG_READ_ONLY_THP_FOR_FS). Where the system does not allow it, nothing changes. Profilers find no
/// file behind the copy, and no names.
class LargeCodePass : public llvm::PassInfoMixin<LargeCodePass> {
public:
  /// A copy takes 20 ms and tens of megabytes: of small programs a link takes little more.
  static constexpr unsigned Worth = 20'000;
  /// \p least: instructions that a module has where that is done.
  explicit LargeCodePass(unsigned least = Worth) : least_(least) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // also at -O0

private:
  unsigned least_;
};

} // namespace gnomon
