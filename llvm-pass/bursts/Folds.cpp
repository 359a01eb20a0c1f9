// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Folds.h"

#include "bursts/Reasons.h"
#include "names/Places.h"

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

void report(const FoldSite &site) {
  const CallBase &call = *site.allocation;
  const DebugLoc place = nearestPlace(call);
  if (site.plain.foldable) {
    OptimizationRemark remark(PassName, "Folds", place, call.getParent());
    remark << "what is allocated here may be folded: ranks share it under --shadow";
    if (site.plain.phase > 0)
      remark << ", from phase " << ore::NV("Phase", site.plain.phase)
             << " on (before, it is kept, because " << ore::NV("Reason", site.plain.reason) << ")";
    return call.getContext().diagnose(remark);
  }
  OptimizationRemarkMissed remark(PassName, "FoldKept", place, call.getParent());
  remark << "what is allocated here is kept by each rank, because "
         << ore::NV("Reason", site.plain.reason);
  if (site.decided.foldable)
    remark << "; with recorded decisions it may be folded (docs/decisions.md)";
  call.getContext().diagnose(remark);
}

} // namespace

std::vector<FoldSite> findFolds(Module &module, const Judgement &judged, const Wishes &wishes) {
  const bool byPoints = !judged.decided.points.empty() && opens(judged.decided.decisions);
  if (!opens(judged.decisions) && !byPoints)
    return {};
  std::vector<FoldSite> sites = findFoldSites(module, *judged.memory);
  for (FoldSite &site : sites)
    if (site.hasEscaped)
      site.plain.reason = site.decided.reason = escapeText(site);
  if (all_of(sites, [](const FoldSite &site) { return site.hasEscaped; }))
    return sites;
  decideFolds(*judged.memory, *judged.roots, *judged.regions, judged.phases, wishes,
              Slice::noPoints(), sites, &FoldSite::plain);
  if (byPoints)
    decideFolds(*judged.memory, *judged.roots, *judged.regions, judged.phases, wishes,
                judged.decided.points, sites, &FoldSite::decided);
  else
    for (FoldSite &site : sites)
      site.decided = site.plain;
  return sites;
}

void reportFolds(ArrayRef<FoldSite> sites) {
  for (const FoldSite &site : sites)
    report(site);
}

} // namespace gnomon
