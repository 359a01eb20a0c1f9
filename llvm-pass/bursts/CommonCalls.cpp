// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/CommonCalls.h"

#include "bursts/Wishes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace gnomon {
namespace {

/// So many calls of a function are still told apart.
constexpr size_t MostMeasured = 32;

/// What the call may enter: equal ones are one address.
const void *calleesOf(const Program &program, const CallBase &call) {
  ArrayRef<const Function *> callees = program.callees(call);
  return callees.empty() ? static_cast<const void *>(call.getCalledFunction()) : callees.data();
}

} // namespace

void leaveOutCommonCalls(Judgement &judged, const Overrides &overrides) {
  MapVector<const void *, SmallVector<Decision *, 1>> calls;
  for (auto [index, decision] : enumerate(judged.decisions))
    if (const Region &region = judged.regions->all()[index];
        region.kind == Region::Call && decision.reachable && !judged.maySkip(index) &&
        !isSaid(wordsFor(overrides, region)))
      calls[calleesOf(*judged.program, *region.call)].push_back(&decision);
  for (auto &[callees, decisions] : calls)
    if (decisions.size() > MostMeasured)
      for (Decision *decision : decisions)
        decision->common = true;
}

} // namespace gnomon
