// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Operations.h"

#include "facts/Externals.h"
#include "facts/MpiRoles.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Both vectors that an operation is handed: the first two arguments.
bool isVector(const Value *object) {
  const auto *argument = dyn_cast<Argument>(object);
  return argument && argument->getArgNo() < 2;
}

/// What rests on the numbers that are reduced, in one function.
class Reduced {
public:
  Reduced(const Function &function, const Externals &externals)
      : function_(function), externals_(externals), tree_(const_cast<Function &>(function)),
        loops_(tree_) {}

  bool decideNothing() {
    for (bool grows = true; grows;) {
      grows = false;
      for (const Instruction &instruction : instructions(function_))
        grows |= spread(instruction);
    }
    return all_of(instructions(function_),
                  [&](const Instruction &instruction) { return isHarmless(instruction); });
  }

private:
  bool rests(const Value &value) const { return reduced_.contains(&value); }

  /// Whether there is more of it now.
  bool spread(const Instruction &instruction) {
    if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      const Value *object = getUnderlyingObject(store->getPointerOperand());
      return (branches_ || rests(*store->getValueOperand())) && contents_.insert(object).second;
    }
    if (const auto *copy = dyn_cast<AnyMemIntrinsic>(&instruction))
      return contents_.insert(getUnderlyingObject(copy->getRawDest())).second;
    if (instruction.isTerminator()) {
      const bool before = branches_;
      branches_ |= isChoice(instruction) && rests(*instruction.getOperand(0));
      return branches_ != before;
    }
    return mayRest(instruction) && reduced_.insert(&instruction).second;
  }

  static bool isChoice(const Instruction &terminator) {
    return isa<BranchInst, SwitchInst>(terminator) && terminator.getNumSuccessors() > 1;
  }

  bool mayRest(const Instruction &instruction) const {
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      return restsIn(*getUnderlyingObject(load->getPointerOperand()));
    // Where ways meet, a number may have chosen one.
    if (const auto *phi = dyn_cast<PHINode>(&instruction);
        phi && branches_ && !loops_.isLoopHeader(phi->getParent()) && !isReread(*phi))
      return true;
    return any_of(instruction.operands(), [&](const Use &operand) { return rests(*operand); });
  }

  /// Whether all that meets there are readings of what MPI says of the vectors, such as their length, from one place.
  static bool isReread(const PHINode &phi) {
    SmallVector<const PHINode *, 4> open{&phi};
    SmallPtrSet<const PHINode *, 4> seen{&phi};
    const Value *place = nullptr;
    while (!open.empty())
      for (const Use &incoming : open.pop_back_val()->incoming_values()) {
        if (const auto *inner = dyn_cast<PHINode>(incoming)) {
          if (seen.insert(inner).second)
            open.push_back(inner);
          continue;
        }
        const auto *load = dyn_cast<LoadInst>(incoming);
        const auto *argument = load ? dyn_cast<Argument>(load->getPointerOperand()) : nullptr;
        if (!argument || isVector(argument) || (place && place != argument))
          return false;
        place = argument;
      }
    return place != nullptr;
  }

  /// Of memory: all but what MPI says of the vectors, and what is the same in each run.
  bool restsIn(const Value &object) const {
    if (isa<Argument>(object))
      return isVector(&object);
    const auto *variable = dyn_cast<GlobalVariable>(&object);
    return contents_.contains(&object) ||
           !(isa<AllocaInst>(object) || (variable && variable->isConstant()));
  }

  bool mayWrite(const Value &pointer) const {
    const Value *object = getUnderlyingObject(&pointer);
    return !rests(pointer) && (isVector(object) || isa<AllocaInst>(object));
  }

  bool isHarmless(const Instruction &instruction) const {
    if (instruction.isVolatile() || instruction.isAtomic())
      return false;
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      return !rests(*load->getPointerOperand());
    if (const auto *store = dyn_cast<StoreInst>(&instruction))
      return mayWrite(*store->getPointerOperand());
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      return isa<CallInst>(call) && isHarmlessCall(*call);
    if (instruction.isTerminator())
      return isa<ReturnInst>(instruction) || (isa<BranchInst, SwitchInst>(instruction) &&
                                              !(isChoice(instruction) && endsLoop(instruction)));
    if (instruction.isIntDivRem())
      return !rests(*instruction.getOperand(1));
    const auto *local = dyn_cast<AllocaInst>(&instruction);
    return local ? local->isStaticAlloca() : !instruction.mayReadOrWriteMemory();
  }

  /// Whether a number decides that a loop is left.
  bool endsLoop(const Instruction &choice) const {
    const Loop *loop = loops_.getLoopFor(choice.getParent());
    return rests(*choice.getOperand(0)) && loop && loop->isLoopExiting(choice.getParent());
  }

  bool isHarmlessCall(const CallBase &call) const {
    if (const auto *copy = dyn_cast<AnyMemIntrinsic>(&call)) {
      const auto *transfer = dyn_cast<AnyMemTransferInst>(copy);
      return mayWrite(*copy->getRawDest()) && !rests(*copy->getLength()) &&
             !(transfer && rests(*transfer->getRawSource()));
    }
    if (isa<IntrinsicInst>(call))
      return call.doesNotAccessMemory() || isa<DbgInfoIntrinsic, LifetimeIntrinsic>(call) ||
             isAssumeLikeIntrinsic(&call);
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration())
      return false;
    const Effect effect = externals_.of(call);
    return effect.known && !effect.strict &&
           (effect.kind == EffectKind::Pure || effect.kind == EffectKind::Numeric) &&
           none_of(call.args(),
                   [](const Use &argument) { return argument->getType()->isPointerTy(); });
  }

  const Function &function_;
  const Externals &externals_;
  DominatorTree tree_;
  LoopInfo loops_;
  DenseSet<const Value *> reduced_, contents_; ///< values; variables and vectors in which some lie
  bool branches_ = false;                      ///< some decide which way is taken
};

} // namespace

const Function *operationMadeBy(const CallBase &call) {
  const MpiFunction *mpi = mpiFunction(call);
  return mpi && mpi->name.starts_with("MPI_Op_create") && call.arg_size() > 0
             ? dyn_cast<Function>(call.getArgOperand(0)->stripPointerCasts())
             : nullptr;
}

bool isHarmlessOperation(const Function &function, const Externals &externals) {
  if (function.isDeclaration() || function.arg_size() < 2 || !function.hasLocalLinkage())
    return false;
  const bool byMpi = all_of(function.uses(), [&](const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isArgOperand(&use) && operationMadeBy(*call) == &function;
  });
  return byMpi && Reduced(function, externals).decideNothing();
}

} // namespace gnomon
