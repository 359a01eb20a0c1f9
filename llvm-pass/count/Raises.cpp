// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Raises.h"

#include "count/Effects.h"
#include "count/Quiet.h"
#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <optional>

using namespace llvm;

namespace gnomon {
namespace {

GlobalVariable *counterOf(Module &module) { return module.getNamedGlobal(names::Instructions); }

/// The call that stands for a raise; null: the instruction is none.
InstrProfIncrementInstStep *asRaise(Instruction &instruction, const GlobalVariable *counter) {
  auto *call = dyn_cast<InstrProfIncrementInstStep>(&instruction);
  return call && call->getArgOperand(0) == counter ? call : nullptr;
}

void createRaise(IRBuilder<> &builder, GlobalVariable &counter, Value *amount) {
  CallInst *call = builder.CreateIntrinsic(
      Intrinsic::instrprof_increment_step, {},
      {&counter, builder.getInt64(0), builder.getInt32(1), builder.getInt32(0), amount});
  call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoCallback, Attribute::NoSync})
    call->addFnAttr(kind);
  call->addParamAttr(0, Attribute::NonNull); // or InstCombine finds that out at each of them
}

/// A raise as Counters placed it.
struct Plain {
  LoadInst *before;
  BinaryOperator *sum;
  StoreInst *after;
};

std::optional<Plain> asPlain(LoadInst &load) {
  auto *sum = load.hasOneUse() ? dyn_cast<BinaryOperator>(load.user_back()) : nullptr;
  if (!sum || sum->getOpcode() != Instruction::Add || sum->getOperand(0) != &load ||
      !sum->hasOneUse())
    return std::nullopt;
  auto *store = dyn_cast<StoreInst>(sum->user_back());
  if (!store || store->getPointerOperand() != load.getPointerOperand() ||
      store->getPrevNode() != sum || sum->getPrevNode() != &load)
    return std::nullopt;
  return Plain{&load, sum, store};
}

/// All raises; nothing when the counter is used in yet another way: of two forms in one program
/// neither would be seen from the other.
std::optional<SmallVector<Plain, 0>> plainRaises(GlobalVariable &counter) {
  SmallVector<Plain, 0> raises;
  size_t accesses = 0;
  for (User *user : counter.users()) {
    auto *instruction = dyn_cast<Instruction>(user);
    if (!instruction || instruction->getFunction()->getName() == names::InstructionsReader)
      continue;
    ++accesses;
    auto *load = dyn_cast<LoadInst>(instruction);
    if (std::optional<Plain> raise = load ? asPlain(*load) : std::nullopt)
      raises.push_back(*raise);
  }
  if (accesses != 2 * raises.size())
    return std::nullopt;
  return raises;
}

/// Loops of a function in which nobody looks at the counter get a register for what they raise.
class Collecting {
public:
  Collecting(Function &function, GlobalVariable &counter, FunctionAnalysisManager &analyses)
      : counter_(counter), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)) {}

  bool run() {
    SmallVector<Loop *, 8> pending(loops_.begin(), loops_.end());
    while (!pending.empty()) {
      Loop *loop = pending.pop_back_val();
      if (SmallVector<InstrProfIncrementInstStep *, 4> raises = raisesIn(*loop); !raises.empty())
        collect(*loop, raises);
      else
        append_range(pending, loop->getSubLoops());
    }
    if (!registers_.empty())
      PromoteMemToReg(registers_, dominators_);
    return changed_;
  }

private:
  /// None where a call may look.
  SmallVector<InstrProfIncrementInstStep *, 4> raisesIn(const Loop &loop) const {
    SmallVector<InstrProfIncrementInstStep *, 4> raises;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (InstrProfIncrementInstStep *raise = asRaise(instruction, &counter_))
          raises.push_back(raise);
        else if (call && !count::isQuietByItself(*call))
          return {};
      }
    return raises;
  }

  void collect(Loop &loop, ArrayRef<InstrProfIncrementInstStep *> raises) {
    changed_ |= simplifyLoop(&loop, &dominators_, &loops_, nullptr, nullptr, nullptr,
                             /*PreserveLCSSA=*/false);
    SmallVector<BasicBlock *, 4> exits;
    loop.getUniqueExitBlocks(exits);
    BasicBlock *before = loop.getLoopPreheader();
    if (!before || !loop.hasDedicatedExits() ||
        any_of(exits, [](BasicBlock *exit) { return exit->getFirstInsertionPt() == exit->end(); }))
      return;
    BasicBlock &entry = before->getParent()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    Type *word = builder.getInt64Ty();
    AllocaInst *sum = builder.CreateAlloca(word, nullptr, "counted");
    builder.SetInsertPoint(before->getTerminator());
    builder.CreateStore(builder.getInt64(0), sum);
    for (InstrProfIncrementInstStep *raise : raises) {
      builder.SetInsertPoint(raise);
      builder.CreateStore(builder.CreateAdd(builder.CreateLoad(word, sum), raise->getStep()), sum);
      raise->eraseFromParent();
    }
    for (BasicBlock *exit : exits) {
      builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
      createRaise(builder, counter_, builder.CreateLoad(word, sum));
    }
    registers_.push_back(sum);
    changed_ = true;
  }

  GlobalVariable &counter_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  SmallVector<AllocaInst *, 4> registers_;
  bool changed_ = false;
};

/// Adds up what is raised in a block while nobody looks.
void joinRaises(BasicBlock &block, const GlobalVariable *counter) {
  InstrProfIncrementInstStep *last = nullptr;
  for (Instruction &instruction : make_early_inc_range(block)) {
    InstrProfIncrementInstStep *raise = asRaise(instruction, counter);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!raise) {
      if (call && !count::isQuietByItself(*call))
        last = nullptr;
      continue;
    }
    auto *more = dyn_cast<ConstantInt>(raise->getStep());
    auto *known = last ? dyn_cast<ConstantInt>(last->getStep()) : nullptr;
    if (more && known) {
      raise->setArgOperand(4,
                           ConstantInt::get(more->getType(), more->getValue() + known->getValue()));
      last->eraseFromParent();
    }
    last = raise;
  }
}

} // namespace

PreservedAnalyses HideRaisesPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *counter = counterOf(module);
  if (!counter)
    return PreservedAnalyses::all();
  std::optional<SmallVector<Plain, 0>> raises = plainRaises(*counter);
  if (!raises)
    return PreservedAnalyses::all();
  for (const Plain &raise : *raises) {
    IRBuilder<> builder(raise.after);
    createRaise(builder, *counter, raise.sum->getOperand(1));
    raise.after->eraseFromParent();
    raise.sum->eraseFromParent();
    raise.before->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses CollectRaisesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  GlobalVariable *counter = counterOf(*function.getParent());
  if (!counter || function.isPresplitCoroutine() || !Collecting(function, *counter, analyses).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

PreservedAnalyses ShowRaisesPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *counter = counterOf(module);
  if (!counter)
    return PreservedAnalyses::all();
  SmallSetVector<BasicBlock *, 16> blocks;
  for (User *user : counter->users())
    if (auto *instruction = dyn_cast<Instruction>(user);
        instruction && asRaise(*instruction, counter))
      blocks.insert(instruction->getParent());
  for (BasicBlock *block : blocks)
    joinRaises(*block, counter);
  SmallSetVector<Function *, 16> writers;
  for (User *user : make_early_inc_range(counter->users())) {
    auto *instruction = dyn_cast<Instruction>(user);
    InstrProfIncrementInstStep *raise = instruction ? asRaise(*instruction, counter) : nullptr;
    if (!raise)
      continue;
    writers.insert(raise->getFunction());
    IRBuilder<> builder(raise);
    Value *before = builder.CreateLoad(counter->getValueType(), counter);
    builder.CreateStore(builder.CreateAdd(before, raise->getStep()), counter);
    raise->eraseFromParent();
  }
  count::confess(writers.getArrayRef());
  return PreservedAnalyses::none();
}

} // namespace gnomon
