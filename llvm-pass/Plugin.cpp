// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Registration only: which pass runs where, and why there.
///
/// The linker loads this plugin (-Wl,--load-pass-plugin=) and runs full link-time optimisation: the
/// whole program is one module. Privatisation comes last, so that everything before has optimised
/// globals as ordinary ones. Analyses of bursts belong to the early extension point, where loops
/// are still canonical.
#include "Entry.h"
#include "MpiUse.h"
#include "Privatize.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdlib>

using namespace llvm;

namespace {

/// With -flto=thin there is no moment at which the whole program is one module. (At -O0 its
/// pipeline has no extension point at all; then the runtime finds no record and says so.)
struct RefuseThinLtoPass : PassInfoMixin<RefuseThinLtoPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    module.getContext().emitError(
        "gnomon: -flto=thin does not show the whole program to the pass; leave it out, or use "
        "-flto=full");
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void addLastPasses(ModulePassManager &passes, OptimizationLevel) {
  passes.addPass(gnomon::MpiUsePass());
  passes.addPass(gnomon::PrivatizePass());
  passes.addPass(gnomon::EntryPass());
  if (std::getenv("GNOMON_VERIFY"))
    passes.addPass(VerifierPass());
}

bool parsePass(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "gnomon-privatize")
    passes.addPass(gnomon::PrivatizePass());
  else if (name == "gnomon-entry")
    passes.addPass(gnomon::EntryPass());
  else if (name == "gnomon-mpi-use")
    passes.addPass(gnomon::MpiUsePass());
  else
    return false;
  return true;
}

void registerPasses(PassBuilder &builder) {
  builder.registerFullLinkTimeOptimizationLastEPCallback(addLastPasses);
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase phase) {
        if (phase == ThinOrFullLTOPhase::ThinLTOPostLink)
          passes.addPass(RefuseThinLtoPass());
      });
  builder.registerPipelineParsingCallback(parsePass);
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Gnomon", GNOMON_VERSION, registerPasses, nullptr};
}
