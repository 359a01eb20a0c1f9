// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Registration only: which pass runs where, and why there.
///
/// The linker loads this plugin (-Wl,--load-pass-plugin=) and runs full link-time optimisation: the
/// whole program is one module. Privatisation comes last, so that everything before has optimised
/// globals as ordinary ones. Analyses of bursts belong to the early extension point, where loops
/// are still canonical.
#include "bursts/BurstsPass.h"
#include "bursts/HookSwitch.h"
#include "count/Count.h"
#include "count/Raises.h"
#include "entry/Entry.h"
#include "facts/PrintMpi.h"
#include "fibers/KeepCalls.h"
#include "fibers/Spin.h"
#include "fibers/StackProbes.h"
#include "fibers/ThreadNumbers.h"
#include "fibers/Trampolines.h"
#include "link/InfoStrings.h"
#include "link/LargePages.h"
#include "link/LineTables.h"
#include "link/LinkLine.h"
#include "link/MpiUse.h"
#include "link/Refusals.h"
#include "overrides/PrintOverrides.h"
#include "partitions/Partitions.h"
#include "points-to/PrintPointsTo.h"
#include "points-to/TracePointsTo.h"
#include "privatise/Privatize.h"
#include "real-mpi/TellCounter.h"
#include "work/Work.h"

#include "mark/MarkArrays.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdlib>

using namespace llvm;

namespace {

void addLastPasses(ModulePassManager &passes, OptimizationLevel) {
  passes.addPass(gnomon::ShowRaisesPass());
  passes.addPass(gnomon::HookSwitchPass());
  passes.addPass(gnomon::RefuseUnsupportedPass());
  passes.addPass(gnomon::MpiUsePass());
  passes.addPass(gnomon::PrivatizePass());
  passes.addPass(gnomon::EntryPass());
  passes.addPass(gnomon::StackProbesPass());
  passes.addPass(gnomon::ThreadNumbersPass());
  passes.addPass(gnomon::TrampolinesPass());
  passes.addPass(gnomon::LineTablesPass());
  if (const unsigned partitions = gnomon::LinkLine().partitions(); partitions > 1)
    passes.addPass(gnomon::PartitionsPass(partitions));
  if (std::getenv("GNOMON_VERIFY"))
    passes.addPass(VerifierPass());
}

bool parsePass(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "gnomon-privatize")
    passes.addPass(gnomon::PrivatizePass());
  else if (name == "gnomon-entry")
    passes.addPass(gnomon::EntryPass());
  else if (name == "gnomon-refuse")
    passes.addPass(gnomon::RefuseUnsupportedPass());
  else if (name == "gnomon-large-code")
    passes.addPass(gnomon::LargeCodePass(/*least=*/0));
  else if (name == "gnomon-info-strings")
    passes.addPass(gnomon::InfoStringsPass());
  else if (name == "gnomon-keep-calls")
    passes.addPass(gnomon::KeepCallsPass());
  else if (name == "gnomon-mpi-use")
    passes.addPass(gnomon::MpiUsePass());
  else if (name == "gnomon-bursts")
    passes.addPass(gnomon::BurstsPass());
  else if (name == "gnomon-hook-effects")
    passes.addPass(gnomon::HookEffectsPass());
  else if (name == "gnomon-hook-switch")
    passes.addPass(gnomon::HookSwitchPass());
  else if (name == "gnomon-spin")
    passes.addPass(gnomon::SpinPass());
  else if (name == "gnomon-stack-probes")
    passes.addPass(gnomon::StackProbesPass());
  else if (name == "gnomon-thread-numbers")
    passes.addPass(gnomon::ThreadNumbersPass());
  else if (name == "gnomon-trampolines")
    passes.addPass(gnomon::TrampolinesPass());
  else if (name == "gnomon-partitions")
    passes.addPass(gnomon::PartitionsPass(2));
  else if (name == "gnomon-count")
    passes.addPass(gnomon::CountPass());
  else if (name == "gnomon-hide-raises")
    passes.addPass(gnomon::HideRaisesPass());
  else if (name == "gnomon-show-raises")
    passes.addPass(gnomon::ShowRaisesPass());
  else if (name == "gnomon-tell-counter")
    passes.addPass(gnomon::TellCounterPass());
  else if (name == "gnomon-print-work")
    passes.addPass(gnomon::PrintWorkPass());
  else if (name == "gnomon-print-mpi")
    passes.addPass(gnomon::PrintMpiPass());
  else if (name == "gnomon-trace-points-to")
    passes.addPass(gnomon::TracePointsToPass());
  else if (name == "gnomon-mark-arrays")
    passes.addPass(gnomon::MarkArraysPass());
  else if (name == "gnomon-print-overrides")
    passes.addPass(gnomon::PrintOverridesPass());
  else if (name == "gnomon-print-points-to")
    passes.addPass(gnomon::PrintPointsToPass());
  else
    return false;
  return true;
}

bool parseFunctionPass(StringRef name, FunctionPassManager &passes,
                       ArrayRef<PassBuilder::PipelineElement>) {
  if (name != "gnomon-collect-raises")
    return false;
  passes.addPass(gnomon::CollectRaisesPass());
  return true;
}

void registerPasses(PassBuilder &builder) {
  // Early: before the link's own optimisations could merge calls, and while counters of
  // instructions do not yet keep loops from being vectorised.
  builder.registerFullLinkTimeOptimizationEarlyEPCallback([](ModulePassManager &passes,
                                                             OptimizationLevel) {
    passes.addPass(gnomon::LargeCodePass());
    passes.addPass(gnomon::LargePagesPass()); // what the linker has read
    passes.addPass(gnomon::InfoStringsPass());
    passes.addPass(gnomon::KeepCallsPass());
    passes.addPass(gnomon::SpinPass()); // a burst with such a hook in it is none
    passes.addPass(gnomon::BurstsPass());
    passes.addPass(gnomon::CountPass());
    passes.addPass(gnomon::HideRaisesPass());
    passes.addPass(gnomon::HookEffectsPass());
    passes.addPass(gnomon::LargePagesPass()); // what the optimiser and the code generator will use
  });
  // LLVM cleans up three times at the link: before the inliner, after it, and after the vectoriser.
  builder.registerPeepholeEPCallback(
      [times = 0](FunctionPassManager &passes, OptimizationLevel) mutable {
        if (++times == 2)
          passes.addPass(gnomon::CollectRaisesPass());
      });
  builder.registerFullLinkTimeOptimizationLastEPCallback(addLastPasses);
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase phase) {
        if (phase == ThinOrFullLTOPhase::ThinLTOPostLink)
          passes.addPass(gnomon::RefuseThinLtoPass());
      });
  builder.registerPipelineParsingCallback(parsePass);
  builder.registerPipelineParsingCallback(parseFunctionPass);
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Gnomon", GNOMON_VERSION, registerPasses, nullptr};
}
