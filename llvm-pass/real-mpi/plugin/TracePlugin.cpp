// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Registration only, of the plugin that links with `gnomon --trace-flag` load: the program counts
/// its instructions, and nothing else of it changes. The counters are placed and treated as in
/// GnomonPass (Plugin.cpp says why there), so that both count the same.
#include "count/Count.h"
#include "count/Raises.h"
#include "real-mpi/TellCounter.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

namespace {

void registerPasses(PassBuilder &builder) {
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(gnomon::CountPass());
        passes.addPass(gnomon::HideRaisesPass());
      });
  // LLVM cleans up three times at the link: before the inliner, after it, and after the vectoriser.
  builder.registerPeepholeEPCallback(
      [times = 0](FunctionPassManager &passes, OptimizationLevel) mutable {
        if (++times == 2)
          passes.addPass(gnomon::CollectRaisesPass());
      });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(gnomon::ShowRaisesPass());
        passes.addPass(gnomon::TellCounterPass());
      });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "GnomonTrace", GNOMON_VERSION, registerPasses, nullptr};
}
