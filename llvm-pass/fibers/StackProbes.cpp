// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/StackProbes.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

PreservedAnalyses StackProbesPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute("probe-stack"))
      function.addFnAttr("probe-stack", "inline-asm");
  return PreservedAnalyses::none();
}

} // namespace gnomon
