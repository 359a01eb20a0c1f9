// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/StackProbes.h"

#include "gnomon/Stack.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

PreservedAnalyses StackProbesPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute("probe-stack")) {
      function.addFnAttr("probe-stack", "inline-asm");
      function.addFnAttr("stack-probe-size", utostr(GNOMON_STACK_GUARD_BYTES));
    }
  return PreservedAnalyses::none();
}

} // namespace gnomon
