// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/Refusals.h"

#include "link/LinkLine.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

struct Sanitizer {
  Attribute::AttrKind attribute; ///< of each function that was compiled for it
  const char *option;
};

/// Their runtimes keep shadows of memory and of stacks that know nothing of ranks' copies and
/// fibers.
constexpr Sanitizer Sanitizers[] = {
    {Attribute::SanitizeAddress, "-fsanitize=address"},
    {Attribute::SanitizeHWAddress, "-fsanitize=hwaddress"},
    {Attribute::SanitizeThread, "-fsanitize=thread"},
    {Attribute::SanitizeMemory, "-fsanitize=memory"},
    {Attribute::SafeStack, "-fsanitize=safe-stack"},
};

void refuse(Module &module, const Twine &what) { module.getContext().emitError("gnomon: " + what); }

void refuseSanitizers(Module &module) {
  for (const Sanitizer &sanitizer : Sanitizers)
    for (const Function &function : module)
      if (!function.isDeclaration() && function.hasFnAttribute(sanitizer.attribute)) {
        refuse(module, Twine(sanitizer.option) +
                           " is not supported: its runtime does not know simulated ranks; build "
                           "without it (-fsanitize=undefined works)");
        break;
      }
}

} // namespace

PreservedAnalyses RefuseUnsupportedPass::run(Module &module, ModuleAnalysisManager &) {
  refuseSanitizers(module);
  if (LinkLine().has("-static"))
    refuse(module, "-static is not supported: the simulator is a shared library; leave it out");
  return PreservedAnalyses::all();
}

PreservedAnalyses RefuseThinLtoPass::run(Module &module, ModuleAnalysisManager &) {
  refuse(module, "-flto=thin does not show the whole program to the pass; leave it out, or use "
                 "-flto=full");
  return PreservedAnalyses::all();
}

} // namespace gnomon
