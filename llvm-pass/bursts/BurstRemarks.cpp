// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BurstRemarks.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

constexpr char PassName[] = "gnomon";

StringRef kindOf(const Region &region) {
  switch (region.kind) {
  case Region::Nest:
    return "this loop";
  case Region::Iteration:
    return "an iteration of this loop";
  case Region::Call:
    return "this call";
  case Region::Statement:
    return "this statement";
  }
  return "";
}

} // namespace

void reportBurst(const Region &region, const Decision &decision) {
  LLVMContext &context = region.function->getContext();
  if (!decision.skippable) {
    OptimizationRemarkMissed remark(PassName, "BurstRuns", region.place, region.entry);
    remark << kindOf(region) << " always runs, because " << ore::NV("Reason", decision.reason)
           << "; if its results do not matter to the communication, say so with "
              "`#pragma gnomon burst skip` before it, or by a line in the file of GNOMON_BURSTS";
    context.diagnose(remark);
    return;
  }
  OptimizationRemark remark(PassName, "BurstSkippable", region.place, region.entry);
  remark << kindOf(region) << " may be skipped";
  if (decision.phase > 0)
    remark << " from phase " << ore::NV("Phase", decision.phase) << " on (before, it runs, because "
           << ore::NV("Reason", decision.reason) << ")";
  unsigned effects = count_if(decision.kept, [](const Instruction *instruction) {
    return instruction->mayHaveSideEffects();
  });
  if (effects)
    remark << "; " << ore::NV("Kept", effects) << " of its stores and calls are kept";
  if (decision.frail)
    remark << "; it is executed only until the first of the bursts that its addresses, divisors or "
              "loop ends rest on is skipped";
  context.diagnose(remark);
}

void reportTooLarge(const Module &module) {
  module.getContext().diagnose(
      DiagnosticInfoGeneric("gnomon: the program is too large for the analysis of its CPU bursts: "
                            "everything in it always runs, and --shadow "
                            "skips nothing",
                            DS_Warning));
}

void reportPooled(const Module &module, unsigned pooled, unsigned objects) {
  if (pooled)
    module.getContext().diagnose(DiagnosticInfoGeneric(
        "gnomon: the program is large for the analysis of its CPU bursts: " + Twine(pooled) +
            " of its " + Twine(objects) +
            " variables, allocations and functions are not told apart, so that --shadow may skip "
            "less than it could",
        DS_Warning));
}

void reportAnalysis(const Module &module, unsigned regions, unsigned cells, unsigned phases,
                    double seconds) {
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    OptimizationRemarkAnalysis remark(PassName, "BurstAnalysis", DebugLoc(),
                                      &function.getEntryBlock());
    remark << "analysis of " << ore::NV("Regions", regions) << " bursts in "
           << ore::NV("Phases", phases) << " phases over " << ore::NV("Cells", cells)
           << " pieces of memory took " << ore::NV("Milliseconds", unsigned(seconds * 1e3))
           << " ms";
    module.getContext().diagnose(remark);
    return;
  }
}

} // namespace gnomon
