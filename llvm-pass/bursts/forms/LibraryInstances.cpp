// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/forms/LibraryInstances.h"

#include "facts/Externals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

using Functions = SmallSetVector<Function *, 16>;

/// Whether the function may be the library's as well as the program's, and the table knows it.
bool isCandidate(const Function &function, const Externals &externals) {
  const bool both = function.hasWeakODRLinkage() || function.hasLinkOnceODRLinkage() ||
                    function.hasAvailableExternallyLinkage();
  return both && !function.isDeclaration() && function.getName().starts_with("_Z") &&
         externals.byName(function.getName()).known;
}

/// Whether the call leads to nothing that the program wrote itself.
bool staysInLibrary(const CallBase &call, const Functions &instances, const Externals &externals) {
  if (isa<IntrinsicInst>(call))
    return true;
  Function *callee = call.getCalledFunction();
  return callee &&
         (callee->isDeclaration() ? externals.of(call).known : instances.contains(callee));
}

/// Whether the operand is no variable of the program's own.
bool isNoVariable(const Value *operand, const Externals &externals) {
  const auto *constant = dyn_cast<Constant>(operand);
  if (!constant)
    return true;
  if (const auto *variable = dyn_cast<GlobalVariable>(constant))
    return variable->isConstant() ||
           (variable->isDeclaration() && externals.isLibraryVariable(variable->getName()));
  return isa<Function>(constant) || all_of(constant->operands(), [&](const Use &part) {
           return isNoVariable(part.get(), externals);
         });
}

/// Whether the instruction leaves a pointer somewhere that is neither into the object that the function works on or
/// makes (its first argument), nor new memory, nor the library's: the table would say so of few functions.
bool handsPointerOn(const Instruction &instruction) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->getValueOperand()->getType()->isPointerTy())
    return false;
  const Value *of = getUnderlyingObject(store->getValueOperand());
  const auto *argument = dyn_cast<Argument>(of);
  return argument ? argument->getArgNo() > 0 : !isa<Constant, CallBase>(of);
}

/// Whether the function works on what it is given alone, as the table takes for granted: an instance
/// for a type of the user's may do more.
bool worksOnArguments(Function &function, const Functions &instances, const Externals &externals) {
  return all_of(instructions(function), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return (!call || staysInLibrary(*call, instances, externals)) && !handsPointerOn(instruction) &&
           all_of(instruction.operands(),
                  [&](const Use &operand) { return isNoVariable(operand.get(), externals); });
  });
}

Functions instancesIn(Module &module, const Externals &externals) {
  Functions instances;
  for (Function &function : module)
    if (isCandidate(function, externals))
      instances.insert(&function);
  while (instances.remove_if([&](Function *function) {
    return !function->hasAvailableExternallyLinkage() && // a copy of what the library has
           !worksOnArguments(*function, instances, externals);
  })) {
  }
  return instances;
}

} // namespace

LibraryInstances::LibraryInstances(Module &module, const Externals &externals)
    : shelf_(std::make_unique<Module>("instances of library templates", module.getContext())) {
  for (Function *function : instancesIn(module, externals)) {
    Function *holder = Function::Create(function->getFunctionType(), GlobalValue::InternalLinkage,
                                        function->getName(), *shelf_);
    holder->splice(holder->end(), function);
    shelved_.push_back({function, holder});
  }
}

LibraryInstances::~LibraryInstances() { restore(); }

void LibraryInstances::restore() {
  for (auto [function, holder] : shelved_) {
    function->splice(function->end(), holder);
    holder->eraseFromParent();
  }
  shelved_.clear();
}

} // namespace gnomon
