// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/SpinLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <optional>
#include <set>

using namespace llvm;

namespace gnomon {

namespace {

enum class Listed { Nothing, Result };

/// What SpinCalls.def says of \p name.
std::optional<Listed> listed(StringRef name) {
  return StringSwitch<std::optional<Listed>>(name)
#define GNOMON_SPIN_CALL(Name, ReadsMemory)                                                        \
  .Case(#Name, ReadsMemory ? Listed::Result : Listed::Nothing)
#include "fibers/SpinCalls.def"
#undef GNOMON_SPIN_CALL
      .Default(std::nullopt);
}

/// Whether only the function itself can reach what \p pointer points to.
bool isOwn(const Value *pointer) {
  const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  return variable && !PointerMayBeCaptured(variable, /*ReturnCaptures=*/true);
}

bool isShared(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer);
  const auto *variable = dyn_cast<GlobalVariable>(object);
  return !(variable && variable->isConstant()) && !isOwn(pointer);
}

/// Writes the same however often it is repeated.
bool isRepeatable(const AtomicRMWInst &operation) {
  switch (operation.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

bool isHarmlessIntrinsic(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::x86_sse2_pause:
  case Intrinsic::assume:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::prefetch:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return true;
  default:
    return !call.mayWriteToMemory();
  }
}

/// Inline assembly that takes the address of memory and gives a result: a lock by hand.
bool isAssemblyRead(const CallBase &call) {
  return !call.getType()->isVoidTy() &&
         any_of(call.args(), [](const Use &use) { return use->getType()->isPointerTy(); });
}

/// After which what was read before must be read again.
bool isBarrier(const Instruction &instruction) {
  if (isa<FenceInst>(instruction))
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && call->mayWriteToMemory();
}

bool isPlainLoad(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  return load && load->isSimple();
}

} // namespace

SpinLoops::Effect SpinLoops::effectOf(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return {true, !load->isSimple() && isShared(load->getPointerOperand())};
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return {isOwn(store->getPointerOperand()), false};
  if (const auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
    return {isRepeatable(*operation) || isOwn(operation->getPointerOperand()),
            isShared(operation->getPointerOperand())};
  if (const auto *operation = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {true, isShared(operation->getPointerOperand())};
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return effectOf(*call);
  return {isa<FenceInst>(instruction) || !instruction.mayWriteToMemory(), false};
}

SpinLoops::Effect SpinLoops::effectOf(const CallBase &call) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return {isHarmlessIntrinsic(*intrinsic), false};
  if (call.isInlineAsm()) // a pause, a barrier
    return {isAssemblyRead(call) || (call.arg_empty() && call.getType()->isVoidTy()),
            isAssemblyRead(call)};
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return {};
  if (std::optional<Listed> entry = listed(callee->getName()))
    return {true, entry == Listed::Result};
  if (callee->isDeclaration() || callee->isInterposable())
    return {};
  return effectOf(*callee);
}

SpinLoops::Effect SpinLoops::effectOf(const Function &function) {
  auto [place, isNew] = functions_.try_emplace(&function); // one that calls itself is not followed
  if (!isNew)
    return place->second;
  Effect effect{true, false};
  for (const BasicBlock &block : function) {
    if (isa<UnreachableInst>(block.getTerminator()))
      continue; // ends in an error
    for (const Instruction &instruction : block) {
      const Effect one = effectOf(instruction);
      effect.harmless &= one.harmless;
      effect.reads |= one.reads;
    }
  }
  return functions_[&function] = effect;
}

bool SpinLoops::isHarmless(const Loop &loop) {
  return all_of(loop.blocks(), [&](const BasicBlock *block) {
    return all_of(*block, [&](const Instruction &each) { return effectOf(each).harmless; });
  });
}

/// What the exits of one loop hang on.
class SpinLoops::Dependence {
public:
  Dependence(SpinLoops &of, const Loop &loop, const DominatorTree &dominators)
      : of_(of), loop_(loop), dominators_(dominators) {
    plainReads_ =
        loop.getHeader()->getParent()->hasOptNone() ||
        any_of(loop.blocks(), [](const BasicBlock *block) { return any_of(*block, isBarrier); });
  }

  bool waits();

private:
  /// A value, and whether something is computed of it on the way to where it is used.
  using Step = std::pair<const Value *, bool>;
  using Steps = SmallVector<Step, 8>;

  /// Walks back from \p from to the phis of the loop's head, through no read of shared memory.
  Steps headsFrom(Steps from);
  void follow(const Instruction &instruction, bool computed, Steps &pending);
  void followRead(const Instruction &instruction);
  void followChoice(const PHINode &phi, Steps &pending) const;
  bool isRead(const Instruction &instruction) const;
  bool isCounted(const Steps &heads);
  bool isHead(const Value *value) const {
    const auto *phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop_.getHeader();
  }
  Steps carriedBy(const PHINode &head) const;

  SpinLoops &of_;
  const Loop &loop_;
  const DominatorTree &dominators_;
  bool plainReads_ = false; ///< of shared memory are done in each turn
  bool found_ = false;      ///< a read of shared memory
  bool unclear_ = false;    ///< something that is not followed
  Steps addresses_;         ///< of what is read
  Steps operands_;          ///< what atomic operations write and compare
};

bool SpinLoops::Dependence::isRead(const Instruction &instruction) const {
  if (of_.effectOf(instruction).reads)
    return true;
  const auto *load = dyn_cast<LoadInst>(&instruction);
  return load && plainReads_ && isShared(load->getPointerOperand());
}

void SpinLoops::Dependence::followRead(const Instruction &instruction) {
  found_ = true;
  for (const Value *operand : instruction.operand_values())
    (operand->getType()->isPointerTy() ? addresses_ : operands_).push_back({operand, true});
}

/// Which of its values a phi takes is decided by the branches before it.
void SpinLoops::Dependence::followChoice(const PHINode &phi, Steps &pending) const {
  auto decide = [&](const BasicBlock *block) {
    if (!loop_.contains(block))
      return;
    const Instruction *end = block->getTerminator();
    if (end->getNumSuccessors() > 1 && end->getNumOperands() > 0)
      pending.push_back({end->getOperand(0), true});
  };
  for (const BasicBlock *block : phi.blocks())
    decide(block);
  if (const auto *node = dominators_.getNode(phi.getParent()); node && node->getIDom())
    decide(node->getIDom()->getBlock());
}

void SpinLoops::Dependence::follow(const Instruction &instruction, bool computed, Steps &pending) {
  if (isRead(instruction))
    return followRead(instruction);
  if (const auto *phi = dyn_cast<PHINode>(&instruction)) {
    for (const Value *value : phi->incoming_values())
      pending.push_back({value, computed});
    return followChoice(*phi, pending);
  }
  if (isPlainLoad(instruction)) {
    const Value *object = getUnderlyingObject(instruction.getOperand(0));
    // What the loop itself leaves in a variable that is not in a register.
    unclear_ |= isa<AllocaInst>(object) && any_of(object->users(), [&](const User *user) {
                  const auto *use = dyn_cast<Instruction>(user);
                  return use && loop_.contains(use) && !isPlainLoad(*use);
                });
  }
  const bool passes = isa<SelectInst>(instruction) || isa<FreezeInst>(instruction);
  for (const Value *operand : instruction.operand_values())
    pending.push_back({operand, computed || !passes});
}

SpinLoops::Dependence::Steps SpinLoops::Dependence::headsFrom(Steps pending) {
  Steps heads;
  std::set<Step> seen; // looked up only
  while (!pending.empty()) {
    const Step step = pending.pop_back_val();
    const auto *instruction = dyn_cast<Instruction>(step.first);
    if (!instruction || !loop_.contains(instruction) || !seen.insert(step).second)
      continue;
    if (isHead(instruction))
      heads.push_back(step);
    else
      follow(*instruction, step.second, pending);
  }
  return heads;
}

SpinLoops::Dependence::Steps SpinLoops::Dependence::carriedBy(const PHINode &head) const {
  Steps values;
  for (unsigned i = 0; i < head.getNumIncomingValues(); ++i)
    if (loop_.contains(head.getIncomingBlock(i)))
      values.push_back({head.getIncomingValue(i), false});
  return values;
}

/// Whether one of \p heads, or one that its next value hangs on, is computed of itself.
bool SpinLoops::Dependence::isCounted(const Steps &heads) {
  for (const auto &[first, used] : heads) {
    std::set<Step> seen; // looked up only
    Steps pending = {{first, false}};
    while (!pending.empty()) {
      const auto [head, computed] = pending.pop_back_val();
      for (const auto &[next, more] : headsFrom(carriedBy(*cast<PHINode>(head)))) {
        const Step step{next, computed || more};
        if (next == first && step.second)
          return true;
        if (seen.insert(step).second)
          pending.push_back(step);
      }
    }
  }
  return false;
}

bool SpinLoops::Dependence::waits() {
  SmallVector<BasicBlock *, 4> exiting;
  loop_.getExitingBlocks(exiting);
  Steps conditions;
  for (const BasicBlock *block : exiting) {
    const Instruction *end = block->getTerminator();
    if (isa<InvokeInst>(end))
      continue; // an exception ends it
    if (!isa<BranchInst>(end) && !isa<SwitchInst>(end))
      return false;
    conditions.push_back({end->getOperand(0), true});
  }
  const Steps heads = headsFrom(conditions);
  // What the heads carry along may be read, too.
  if (isCounted(heads) || !found_)
    return false;
  if (isCounted(headsFrom(std::exchange(operands_, {}))))
    return false;
  // Addresses may be read in each turn themselves, but not move from turn to turn.
  while (!addresses_.empty())
    if (!headsFrom(std::exchange(addresses_, {})).empty())
      return false;
  return !unclear_;
}

bool SpinLoops::waits(const Loop &loop, const DominatorTree &dominators) {
  return isHarmless(loop) && Dependence(*this, loop, dominators).waits();
}

} // namespace gnomon
