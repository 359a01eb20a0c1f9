// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Reasons.h"

#include "facts/MpiRoles.h"
#include "names/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon {
namespace {

std::string rootText(const Slice::Root &root) {
  if (!root.text.contains('%'))
    return root.text.str();
  auto [before, behind] = root.text.split('%');
  return (before + placeOf(*root.at) + behind).str();
}

/// The callee, where nothing is known of it and the user may say what it does.
const Function *unknownAt(const Instruction &at, const MemoryUse &memory) {
  const auto *call = dyn_cast<CallBase>(&at);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && !callee->isIntrinsic() && !mpiFunction(*callee) &&
                 memory.effect(*call).isUnknown()
             ? callee
             : nullptr;
}

/// "'residual', and that on 'u'": from what is used last to what the burst makes.
std::string dataText(const Slice::Way &way, const PointsTo &pointsTo) {
  std::string made = way.first ? pointsTo.describe(*way.first) : std::string();
  std::string used = way.last ? pointsTo.describe(*way.last) : std::string();
  if (way.first)
    return used == made ? made : used + ", and that on " + made;
  return way.value ? "'" + nameInSource(*way.value) + "'" : "what is computed here";
}

} // namespace

std::string loopEndText(const Reason &reason, const Roots &roots) {
  std::string start = roots.loopPlace(*reason.loopEnd);
  std::string end = reason.place ? placeOf(reason.place) : placeOf(*reason.loopEnd);
  return start == end ? "the end of the loop at " + end
                      : "the end of the loop at " + start + " (" + end + ")";
}

Reason reasonOf(const Slice::Way &way, const MemoryUse &memory, const Roots &roots) {
  Reason reason;
  reason.unknown = unknownAt(*way.root->at, memory);
  std::string data = dataText(way, memory.program().pointsTo());
  if (way.root->at->isTerminator() && roots.endsLoopWithMpi(*way.root->at))
    reason.loopEnd = way.root->at;
  for (const Instruction *decider : way.deciders)
    if (!reason.loopEnd && roots.endsLoopWithMpi(*decider))
      reason.loopEnd = decider;
  if (reason.loopEnd) {
    bool compared = way.condition && way.condition->getParent() == reason.loopEnd->getParent();
    reason.place = nearestPlace(compared ? *way.condition : *reason.loopEnd);
    reason.text = loopEndText(reason, roots) + " rests on " + data;
    return reason;
  }
  reason.text = rootText(*way.root) + " rests on " + data;
  const Instruction *use = way.deciders.empty() ? way.use : way.deciders.front();
  if (use && use != way.root->at && placeOf(*use) != placeOf(*way.root->at))
    reason.text += (way.deciders.empty() ? ", used at " : ", by the branch at ") + placeOf(*use);
  return reason;
}

std::string overridePlace(const Function &function, const DebugLoc &place) {
  const DISubprogram *source = function.getSubprogram();
  std::string name = source ? source->getName().str() : function.getName().str();
  return place ? (name + ":" + Twine(place.getLine())).str() : name;
}

} // namespace gnomon
