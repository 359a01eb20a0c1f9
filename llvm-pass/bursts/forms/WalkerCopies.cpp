// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/forms/WalkerCopies.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace llvm;

namespace gnomon {
namespace {

constexpr uint64_t LargestWalker = 400; ///< instructions
constexpr uint64_t LeastBudget = 4000;  ///< the same
constexpr size_t MostGroups = 8;        ///< of calls, which each have a copy

/// Whether the address \p from was read in memory that \p root leads to.
bool isReadBehind(const Value &from, const Value &root) {
  SmallVector<std::pair<const Value *, bool>, 16> work{{&from, false}};
  SmallPtrSet<const Value *, 16> seen, seenRead; // without a read on the way, and with one
  while (!work.empty()) {
    auto [value, isRead] = work.pop_back_val();
    value = value->stripInBoundsOffsets();
    if (value == &root && isRead)
      return true;
    if (!(isRead ? seenRead : seen).insert(value).second)
      continue;
    if (const auto *phi = dyn_cast<PHINode>(value))
      for (const Value *incoming : phi->incoming_values())
        work.emplace_back(incoming, isRead);
    else if (const auto *select = dyn_cast<SelectInst>(value))
      work.append({{select->getTrueValue(), isRead}, {select->getFalseValue(), isRead}});
    else if (const auto *load = dyn_cast<LoadInst>(value))
      work.emplace_back(load->getPointerOperand(), true);
    else if (const auto *step = dyn_cast<GetElementPtrInst>(value))
      work.emplace_back(step->getPointerOperand(), isRead);
  }
  return false;
}

/// Whether the function goes from node to node: round a loop, or by calling itself.
bool walks(const Function &function) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    if (const auto *phi = dyn_cast<PHINode>(&instruction); phi && phi->getType()->isPointerTy())
      return any_of(phi->incoming_values(),
                    [&](const Use &incoming) { return isReadBehind(*incoming, *phi); });
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() == &function &&
           any_of(call->args(), [&](const Use &passed) {
             return any_of(function.args(), [&](const Argument &argument) {
               return passed->getType()->isPointerTy() && isReadBehind(*passed, argument);
             });
           });
  });
}

/// What the call works on, as far as its function tells: a variable of its own, or what it was handed, or what lies
/// there; null: something else.
const Value *objectOf(const CallBase &call) {
  const auto *passed =
      find_if(call.args(), [](const Use &argument) { return argument->getType()->isPointerTy(); });
  if (passed == call.arg_end())
    return nullptr;
  const Value *object = getUnderlyingObject(*passed);
  constexpr unsigned Deepest = 4;
  for (unsigned depth = 0; depth < Deepest && isa<LoadInst>(object); ++depth)
    object = getUnderlyingObject(cast<LoadInst>(object)->getPointerOperand());
  return isa<AllocaInst, GlobalVariable, Argument>(object) ? object : nullptr;
}

class Copier {
public:
  explicit Copier(Module &module) {
    std::vector<Function *> others; // that may turn out to be walkers
    for (Function &function : module) {
      instructions_ += function.getInstructionCount();
      if (isSmall(function))
        others.push_back(&function);
    }
    erase_if(others, [&](Function *function) { return addIf(walks(*function), *function); });
    for (size_t before = others.size() + 1; before != others.size();) {
      before = others.size();
      erase_if(others, [&](Function *function) { return addIf(handsOn(*function), *function); });
    }
    for (Function &function : module)
      findCalls(function);
  }

  /// What a copy calls has more callers then: so once more, until there is no new copy.
  void run() {
    uint64_t budget = std::max(LeastBudget, instructions_ / 16);
    for (size_t before = 0; before != walkers_.size();) {
      before = walkers_.size();
      for (size_t i = 0; i < before; ++i)
        copy(*walkers_[i], budget);
    }
  }

private:
  static bool isSmall(const Function &function) {
    return !function.isDeclaration() && function.hasLocalLinkage() && !function.isVarArg() &&
           function.getInstructionCount() <= LargestWalker;
  }

  /// Whether the function has a walker work on what it was handed itself.
  bool handsOn(const Function &function) const {
    return any_of(instructions(function), [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && calls_.contains(call->getCalledFunction()) &&
             isa_and_present<Argument>(objectOf(*call));
    });
  }

  bool addIf(bool isWalker, Function &function) {
    if (isWalker)
      addWalker(function);
    return isWalker;
  }

  void addWalker(Function &function) {
    walkers_.push_back(&function);
    calls_[&function];
  }

  void findCalls(Function &function) {
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const auto place = calls_.find(call->getCalledFunction()); place != calls_.end())
          place->second.push_back(call);
  }

  /// By caller and what they work on, in order of the module; its own calls are left out. None: it stays as it is.
  SmallVector<std::vector<CallBase *>, 4> groupsOf(Function &walker) {
    MapVector<std::pair<const Function *, const Value *>, std::vector<CallBase *>> groups;
    const std::vector<CallBase *> &calls = calls_[&walker];
    if (!walker.hasNUses(static_cast<unsigned>(calls.size())))
      return {}; // who calls it else is not known
    for (CallBase *call : calls)
      if (call->getFunction() != &walker)
        groups[{call->getFunction(), objectOf(*call)}].push_back(call);
    SmallVector<std::vector<CallBase *>, 4> found;
    if (groups.size() <= MostGroups)
      for (auto &[key, group] : groups)
        found.push_back(std::move(group));
    return found;
  }

  /// The first group keeps the walker.
  void copy(Function &walker, uint64_t &budget) {
    const auto groups = groupsOf(walker);
    const uint64_t size =
        groups.size() > 1 ? (groups.size() - 1) * walker.getInstructionCount() : 0;
    if (groups.size() < 2 || size > budget)
      return;
    budget -= size;
    for (const std::vector<CallBase *> &group : drop_begin(groups)) {
      ValueToValueMapTy map;
      Function *copy = CloneFunction(&walker, map);
      copy->setComdat(nullptr);
      for (Instruction &instruction : instructions(*copy))
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && call->getCalledFunction() == &walker)
          call->setCalledFunction(copy);
      for (CallBase *call : group)
        call->setCalledFunction(copy);
      addWalker(*copy);
      findCalls(*copy);
      calls_[copy].insert(calls_[copy].end(), group.begin(), group.end());
      erase_if(calls_[&walker], [&](CallBase *call) { return call->getCalledFunction() == copy; });
    }
  }

  uint64_t instructions_ = 0;
  std::vector<Function *> walkers_;
  /// Of walkers, in order of the module.
  DenseMap<const Function *, std::vector<CallBase *>> calls_;
};

} // namespace

void copyWalkers(Module &module) { Copier(module).run(); }

} // namespace gnomon
