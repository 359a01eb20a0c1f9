// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/BurstRemarks.h"

#include "bursts/groups/Groups.h"
#include "facts/MpiRoles.h"
#include "names/Places.h"

#include "llvm/ADT/MapVector.h"
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

/// What the user may do; of a loop's end, the remark at that end says it once.
std::string remedyFor(const Region &region, const Decision &decision) {
  if (decision.reason.loopEnd)
    return "; see the remark at that end";
  if (decision.reason.unknown)
    return "; if you know what '" + decision.reason.unknown->getName().str() +
           "' does, say it in a file that GNOMON_EFFECTS names when you link (docs/overrides.md)";
  return "; if its results do not matter to the communication, say so: `" +
         overridePlace(*region.function, region.place) +
         " skip` in the file of GNOMON_BURSTS, or in C and C++ `#pragma gnomon burst skip`";
}

/// A call of a function outside the program of which nothing is known; null: there is none.
const CallBase *firstUnknownCall(const Function &function, const MemoryUse &memory) {
  if (!function.isDeclaration() || function.isIntrinsic() || mpiFunction(function))
    return nullptr;
  for (const User *user : function.users())
    if (const auto *call = dyn_cast<CallBase>(user);
        call && call->getCalledFunction() == &function && memory.effect(*call).isUnknown())
      return call;
  return nullptr;
}

} // namespace

void reportLoopEnds(ArrayRef<Decision> decisions, const Roots &roots) {
  struct Found {
    const Reason *reason = nullptr;
    unsigned count = 0;
    StringRef condition; ///< where some may be skipped; empty: nowhere
  };
  MapVector<const Instruction *, Found> bursts;
  for (const Decision &decision : decisions)
    if (decision.reachable && (!decision.skippable || !decision.condition.empty()) &&
        decision.reason.loopEnd) {
      Found &found = bursts[decision.reason.loopEnd];
      found.reason = &decision.reason;
      ++found.count;
      if (decision.skippable)
        found.condition = decision.condition;
    }
  for (const auto &[exit, found] : bursts) {
    const auto &[reason, count, condition] = found;
    OptimizationRemarkMissed remark(PassName, "LoopEnd", reason->place, exit->getParent());
    remark << loopEndText(*reason, roots)
           << " rests on what bursts compute: " << ore::NV("Bursts", count) << " of "
           << ore::NV("All", unsigned(decisions.size())) << " always run for it";
    if (!condition.empty())
      remark << " but where " << ore::NV("Condition", condition) << " on all ranks";
    if (roots.hasOtherEnd(*exit, reason->place ? reason->place.getLine() : 0))
      remark << "; if the loop may as well run to its other end, say `"
             << overridePlace(*exit->getFunction(), reason->place)
             << " stay` in the file of GNOMON_BURSTS when you link";
    else
      remark << "; it has no other end: with a limit on its iterations, `stay` in the file of "
                "GNOMON_BURSTS could let it run to that";
    exit->getContext().diagnose(remark);
  }
}

void reportBurst(const Region &region, const Decision &decision) {
  LLVMContext &context = region.function->getContext();
  if (!decision.skippable) {
    OptimizationRemarkMissed remark(PassName, "BurstRuns", region.place, region.entry);
    remark << kindOf(region) << " always runs, because " << ore::NV("Reason", decision.reason.text)
           << remedyFor(region, decision);
    context.diagnose(remark);
    return;
  }
  OptimizationRemark remark(PassName, "BurstSkippable", region.place, region.entry);
  remark << kindOf(region) << " may be skipped";
  if (!decision.condition.empty())
    remark << " once all ranks have found that " << ore::NV("Condition", decision.condition)
           << " (else it runs, because " << ore::NV("Reason", decision.reason.text) << ")";
  else if (decision.phase > 0)
    remark << " from phase " << ore::NV("Phase", decision.phase) << " on (before, it runs, because "
           << ore::NV("Reason", decision.reason.text) << ")";
  unsigned effects = count_if(decision.kept, [](const Instruction *instruction) {
    return instruction->mayHaveSideEffects();
  });
  if (effects)
    remark << "; " << ore::NV("Kept", effects) << " of its stores and calls are kept";
  if (decision.unprinted)
    remark << "; what it prints to the console ("
           << ore::NV("Unprinted", placeOf(*decision.unprinted))
           << ") is left out when it is skipped: 'console=needed' in the file of GNOMON_BURSTS "
              "keeps it";
  if (decision.frail)
    remark << "; it is executed only until the first of the bursts that its addresses, divisors or "
              "loop ends rest on is skipped";
  context.diagnose(remark);
}

void reportDecided(const Region &region, const Decision &plain, const Decision &decided) {
  if (!decided.skippable && !plain.skippable) {
    OptimizationRemarkMissed remark(PassName, "BurstRunsDecided", region.place, region.entry);
    remark << "with all decisions given, " << kindOf(region) << " would still run, because "
           << ore::NV("Reason", decided.reason.text);
    return region.function->getContext().diagnose(remark);
  }
  if (!decided.skippable || (plain.skippable && plain.phase <= decided.phase))
    return;
  OptimizationRemarkAnalysis remark(PassName, "BurstDecided", region.place, region.entry);
  remark << "with recorded decisions, " << kindOf(region) << " may be skipped";
  if (!decided.condition.empty())
    remark << " once all ranks have found that " << ore::NV("Condition", decided.condition);
  else if (decided.phase > 0)
    remark << " from phase " << ore::NV("Phase", decided.phase) << " on";
  region.function->getContext().diagnose(remark);
}

void reportPoints(ArrayRef<PlacedPoint> points) {
  for (const PlacedPoint &point : points) {
    const auto *at = point.value ? point.value : cast<Instruction>(point.argument->getUser());
    OptimizationRemarkAnalysis remark(PassName, "Point", nearestPlace(*at), at->getParent());
    remark << ore::NV("What", point.what)
           << " may be recorded here as a decision (--record-decisions): given it, more bursts may "
              "be skipped";
    at->getContext().diagnose(remark);
  }
}

void reportGroups(ArrayRef<Group> groups) {
  for (const Group &group : groups) {
    OptimizationRemarkAnalysis remark(PassName, "BurstGroup", group.region.place,
                                      group.region.entry);
    remark << "with recorded decisions, this loop and the "
           << ore::NV("Others", unsigned(group.members.size() - 1)) << " behind it are one burst";
    group.region.function->getContext().diagnose(remark);
  }
}

void reportCommonCalls(const Regions &regions, ArrayRef<Decision> decisions) {
  MapVector<const Value *, std::pair<const Region *, unsigned>> calls; // by what is called
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.common) {
      const Function *callee = region.call->getCalledFunction();
      auto &[first, count] = calls[callee];
      first = count++ ? first : &region;
    }
  for (const auto &[callee, found] : calls) {
    const auto &[first, count] = found;
    OptimizationRemarkAnalysis remark(PassName, "CommonCalls", first->place, first->entry);
    remark << ore::NV("Calls", count) << " calls of ";
    if (callee)
      remark << "'" << callee->getName() << "'";
    else
      remark << "functions behind pointers";
    remark
        << " always run, this one among them: they are not measured one by one, and their time is "
           "that of the code around them";
    first->function->getContext().diagnose(remark);
  }
}

void reportUnknown(const Module &module, const MemoryUse &memory) {
  for (const Function &function : module) {
    const CallBase *first = firstUnknownCall(function, memory);
    if (!first)
      continue;
    OptimizationRemarkAnalysis remark(PassName, "UnknownFunction", nearestPlace(*first),
                                      first->getParent());
    remark
        << "nothing is known of " << ore::NV("Function", function.getName())
        << ", which is called here: it may read and write all that was handed out, and call MPI; "
           "if you know what it does, say it in a file that GNOMON_EFFECTS names when you link "
           "(docs/overrides.md)";
    first->getContext().diagnose(remark);
  }
}

void reportFiles(const Roots &roots, bool skips, bool assumesUnread) {
  const WrittenFiles &files = roots.files();
  if (const CallBase *call = roots.checkedOutput(); call && skips) {
    OptimizationRemarkAnalysis remark(PassName, "FilesChecked", nearestPlace(*call),
                                      call->getParent());
    remark << "what is written to files here and elsewhere counts as not needed: ";
    if (files.wish() == FilesWish::Unread)
      remark << "'files=unread' says so";
    else
      remark << "once bursts have been skipped, a run ends in an error when such a file is read; "
                "'files=needed' in the file of GNOMON_BURSTS keeps it right instead";
    call->getContext().diagnose(remark);
  }
  if (const CallBase *call = roots.neededOutput(); call && files.sign()) {
    OptimizationRemarkAnalysis remark(PassName, "FilesNeeded", nearestPlace(*call),
                                      call->getParent());
    const Function *callee = files.sign()->getCalledFunction();
    remark
        << "what is written to files here and elsewhere is needed, since it may be read back: '"
        << callee->getName() << "' at " << placeOf(*files.sign())
        << (assumesUnread
                ? "; where decisions are given it counts as not needed, and a run that may read it "
                  "back executes everything, or ends in an error once bursts have been skipped"
                : "; if it is not, say 'files=unread' in the file of GNOMON_BURSTS");
    call->getContext().diagnose(remark);
  }
}

void reportTooLarge(const Module &module) {
  module.getContext().diagnose(
      DiagnosticInfoGeneric("gnomon: the program is too large for the analysis of its CPU bursts: "
                            "everything in it always runs, and --shadow "
                            "skips nothing; if only exact runs are wanted, link with "
                            "GNOMON_SHADOW=0 in the environment",
                            DS_Warning));
}

void reportPooled(const Module &module, unsigned pooled, unsigned objects) {
  if (pooled)
    module.getContext().diagnose(DiagnosticInfoGeneric(
        "gnomon: where the program's pointers may lead takes too long to find out: " +
            Twine(pooled) + " of its " + Twine(objects) +
            " variables, allocations and functions are not told apart. Results are not affected, "
            "but --shadow may skip less than it could. If only exact runs are wanted, link with "
            "GNOMON_SHADOW=0 in the environment: that leaves the analysis out",
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
