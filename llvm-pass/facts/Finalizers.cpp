// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Finalizers.h"

#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

bool mayFinalize(const CallBase &call) {
  constexpr StringLiteral Prefixes[] = {"_FortranAAssign",
                                        "_FortranAMoveAlloc",
                                        "_FortranAAllocatableDeallocate",
                                        "_FortranAPointerDeallocate",
                                        "_FortranADestroy",
                                        "_FortranAFinalize"};
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !call.hasFnAttr(names::Conforming) &&
         any_of(Prefixes, [&](StringRef prefix) { return callee->getName().starts_with(prefix); });
}

/// Of a table's entry: input and output that a type defines for itself is called by others.
bool isInputOrOutput(const Constant &entry) {
  constexpr uint64_t First = 3, Last = 6;
  const auto *which = dyn_cast_or_null<ConstantInt>(entry.getAggregateElement(0U));
  return which && which->getZExtValue() >= First && which->getZExtValue() <= Last;
}

void addFunctions(const Constant &constant, SmallVectorImpl<const Function *> &found) {
  if (const auto *function = dyn_cast<Function>(&constant)) {
    if (!function->isDeclaration() && !is_contained(found, function))
      found.push_back(function);
    return;
  }
  if (isa<GlobalValue>(constant))
    return;
  for (const Use &operand : constant.operands())
    addFunctions(*cast<Constant>(operand), found);
}

} // namespace

SmallVector<const Function *, 4> finalizersCalledBy(const CallBase &call) {
  SmallVector<const Function *, 4> found;
  if (!mayFinalize(call))
    return found;
  for (const GlobalVariable &table : call.getModule()->globals()) {
    if (!table.hasInitializer() || !table.getName().starts_with("_Q") ||
        !table.getName().contains("XsX"))
      continue;
    const Constant &entries = *table.getInitializer();
    for (unsigned i = 0; const Constant *entry = entries.getAggregateElement(i); ++i)
      if (!isInputOrOutput(*entry))
        addFunctions(*entry, found);
  }
  return found;
}

} // namespace gnomon
