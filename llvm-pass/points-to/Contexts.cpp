// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Contexts.h"

#include "facts/Externals.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace gnomon::pointsto {
namespace {

constexpr unsigned DeepestCopy = 3;
constexpr uint32_t LargestAllocator = 400, LargestOther = 60;

bool takesPointers(const Function &function) {
  return any_of(function.args(),
                [](const Argument &argument) { return argument.getType()->isPointerTy(); });
}

bool allocates(const Function &function, const Externals &externals,
               const DenseSet<const Function *> &allocators) {
  for (const Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isIntrinsic())
      continue;
    if (callee->isDeclaration() ? allocates(externals.of(*call).kind) : allocators.contains(callee))
      return true;
  }
  return false;
}

} // namespace

Contexts::Contexts(const Module &module, const Externals &externals) {
  // CallGraph asks for a module that may change; it does not change it.
  CallGraph graph(const_cast<Module &>(module));
  DenseSet<const Function *> allocators;
  uint64_t instructions = 0;
  // Callees come before their callers.
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const CallGraphNode *member : *component) {
      const Function *function = member->getFunction();
      if (!function || function->isDeclaration())
        continue;
      Facts &facts = facts_[function];
      facts.instructions = function->getInstructionCount();
      instructions += facts.instructions;
      bool handed = false; // to whoever calls it through a pointer
      for (const User *user : function->users()) {
        const auto *call = dyn_cast<CallBase>(user);
        const bool direct = call && call->getCalledOperand() == function;
        facts.directCalls += direct;
        handed |= !direct;
      }
      bool allocator = allocates(*function, externals, allocators);
      if (allocator && facts.instructions <= LargestAllocator)
        allocators.insert(function);
      const bool may = !component.hasCycle() && !function->isVarArg();
      facts.allocates = may && allocator && facts.instructions <= LargestAllocator;
      facts.copied = (facts.allocates && (handed || facts.directCalls > 1)) ||
                     (may && facts.directCalls > 1 && takesPointers(*function) &&
                      facts.instructions <= LargestOther);
    }
  budget_ = std::max<uint64_t>(100'000, instructions);
}

bool Contexts::takesCopy(const Function &callee, unsigned depth) {
  auto found = facts_.find(&callee);
  if (found == facts_.end() || depth >= DeepestCopy || !found->second.copied ||
      found->second.instructions > budget_)
    return false;
  budget_ -= found->second.instructions;
  return true;
}

} // namespace gnomon::pointsto
