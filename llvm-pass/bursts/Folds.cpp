// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Folds.h"

#include "bursts/Reasons.h"
#include "names/Places.h"
#include "points-to/Describe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace gnomon {
namespace {

constexpr char PassName[] = "gnomon";

bool opens(ArrayRef<Decision> decisions) {
  return any_of(decisions, [](const Decision &decision) { return decision.skippable; });
}

std::string escapeText(const FoldSite &site) {
  if (!site.escape)
    return "code of which nothing is known may use it";
  return "its address is handed to code of which nothing is known at " + placeOf(*site.escape);
}

/// A remark must belong to a function: of a variable, to any.
const BasicBlock *blockOf(const FoldSite &site, const Module &module) {
  if (site.allocation)
    return site.allocation->getParent();
  if (site.local)
    return site.local->getParent();
  for (const Function &function : module)
    if (!function.isDeclaration())
      return &function.front();
  return nullptr;
}

/// "what is allocated here", "'u' (solver.c:12)".
std::string nameOf(const FoldSite &site) {
  if (site.allocation)
    return "what is allocated here";
  if (site.local)
    return pointsto::describe(*site.local) + ", on the stack,";
  return pointsto::describe(*site.variable) +
         (site.offset ? ", from byte " + std::to_string(site.offset) + " on," : "");
}

void report(const FoldSite &site, const Module &module) {
  const BasicBlock *block = blockOf(site, module);
  if (!block)
    return;
  const DebugLoc place = site.allocation ? nearestPlace(*site.allocation)
                         : site.local    ? nearestPlace(*site.local)
                                         : DebugLoc();
  if (site.plain.foldable) {
    OptimizationRemark remark(PassName, "Folds", place, block);
    remark << nameOf(site) << " may be folded: ranks share it under --shadow";
    if (site.plain.phase > 0)
      remark << ", from phase " << ore::NV("Phase", site.plain.phase)
             << " on (before, it is kept, because " << ore::NV("Reason", site.plain.reason) << ")";
    return module.getContext().diagnose(remark);
  }
  OptimizationRemarkMissed remark(PassName, "FoldKept", place, block);
  remark << nameOf(site) << " is kept by each rank, because "
         << ore::NV("Reason", site.plain.reason);
  if (site.skipped.foldable)
    remark << "; it may be folded where such bursts are executed no more (docs/folding.md)";
  else if (site.decided.foldable || site.decidedSkipped.foldable)
    remark << "; with recorded decisions it may be folded (docs/decisions.md)";
  module.getContext().diagnose(remark);
}

/// Whether the program starts threads. A rank with threads executes all that it computes.
bool startsThreads(const Module &module) {
  constexpr StringLiteral Starters[] = {"pthread_create",    "thrd_create",
                                        "__kmpc_fork_call",  "__kmpc_fork_call_if",
                                        "__kmpc_fork_teams", "GOMP_parallel"};
  constexpr StringLiteral OfCxx = "_ZNSt6thread15_M_start_thread"; // std::thread, std::async
  return any_of(module, [&](const Function &function) {
    return function.isDeclaration() && !function.use_empty() &&
           (is_contained(Starters, function.getName()) || function.getName().starts_with(OfCxx));
  });
}

struct BothFolds {
  FoldDecision FoldSite::*sampled, FoldSite::*skipped;
};

/// What is kept where bursts are only skipped is kept where they may be executed, too.
void decideBoth(const Judgement &judged, const Wishes &wishes, const Points &given,
                ArrayRef<Decision> decisions, MutableArrayRef<FoldSite> sites, BothFolds both) {
  auto decide = [&](ArrayRef<Decision> skipped, FoldDecision FoldSite::*decision) {
    decideFolds(*judged.memory, *judged.roots, *judged.regions, judged.phases, wishes,
                {given, skipped}, sites, decision);
  };
  if (startsThreads(judged.program->module())) {
    decide({}, both.sampled);
    for (FoldSite &site : sites)
      site.*both.skipped = site.*both.sampled;
    return;
  }
  decide(decisions, both.skipped);
  if (any_of(sites, [&](const FoldSite &site) { return (site.*both.skipped).foldable; }))
    return decide({}, both.sampled);
  for (FoldSite &site : sites)
    site.*both.sampled = site.*both.skipped;
}

} // namespace

std::vector<FoldSite> findFolds(const Judgement &judged, const Wishes &wishes) {
  const bool byPoints = !judged.decided.points.empty() && opens(judged.decided.decisions);
  if (!opens(judged.decisions) && !byPoints)
    return {};
  std::vector<FoldSite> sites = judged.sites;
  for (FoldSite &site : sites)
    if (site.hasEscaped)
      site.plain.reason = site.skipped.reason = escapeText(site);
  if (any_of(sites, [](const FoldSite &site) { return !site.hasEscaped; }))
    decideBoth(judged, wishes, Slice::noPoints(), judged.decisions, sites,
               {&FoldSite::plain, &FoldSite::skipped});
  for (FoldSite &site : sites) {
    site.decided = site.plain;
    site.decidedSkipped = site.skipped;
  }
  if (byPoints) {
    const auto assuming = judged.roots->assumeUnread(judged.assumesUnread);
    decideBoth(judged, wishes, judged.decided.points, judged.decided.decisions, sites,
               {&FoldSite::decided, &FoldSite::decidedSkipped});
  }
  return sites;
}

void reportFolds(ArrayRef<FoldSite> sites, const Module &module) {
  for (const FoldSite &site : sites)
    report(site, module);
}

} // namespace gnomon
