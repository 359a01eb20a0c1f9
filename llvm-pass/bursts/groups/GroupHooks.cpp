// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of a group (Groups.h) in which its members have no hooks: once as it is executed, once as it is skipped. Both
/// are made of the code with hooks, by answering these: what is left out of a group is what is left out of its members.
#include "bursts/PointHooks.h"
#include "bursts/Regions.h"
#include "bursts/groups/Groups.h"
#include "names/HookCode.h"
#include "names/HookNames.h"

#include "gnomon/Burst.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace gnomon {
namespace {

using Blocks = SmallSetVector<BasicBlock *, 16>;

/// With the blocks of hooks and of copies that are in it by now.
Blocks blocksOf(const Group &group) {
  Blocks blocks;
  blocks.insert(group.region.entry);
  for (size_t i = 0; i < blocks.size(); ++i)
    for (BasicBlock *next : successors(blocks[i]))
      if (next != group.exit)
        blocks.insert(next);
  return blocks;
}

bool calls(const Instruction &instruction, ArrayRef<StringRef> hooks) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && is_contained(hooks, callee->getName());
}

struct GroupCopy {
  BasicBlock *entry = nullptr; ///< nothing branches to it yet
  SmallSetVector<BasicBlock *, 8> blocks = {};
};

/// A copy of all of a group's code, which leads to its exit as the code itself does.
class Copying {
public:
  Copying(const Group &group, const char *suffix) : group_(group), blocks_(blocksOf(group)) {
    for (BasicBlock *block : blocks_) {
      BasicBlock *copy = CloneBasicBlock(block, map_, suffix, block->getParent());
      map_[block] = copy;
      copy_.blocks.insert(copy);
    }
    for (BasicBlock *copy : copy_.blocks)
      for (Instruction &instruction : *copy) {
        instruction.dropDbgRecords();
        RemapInstruction(&instruction, map_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      }
    copy_.entry = cast<BasicBlock>(map_[group.region.entry]);
    for (PHINode &phi : group.exit->phis())
      for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i)
        if (blocks_.contains(phi.getIncomingBlock(i)))
          phi.addIncoming(mapped(*phi.getIncomingValue(i)),
                          cast<BasicBlock>(map_[phi.getIncomingBlock(i)]));
  }

  /// The members' hooks go: \p answer is what they would say.
  void answerHooks(uint64_t answer) {
    forEach([&](Instruction &instruction) {
      if (calls(instruction, {hook::gnomon_burst_begin, hook::gnomon_burst_begin_with}))
        answerHook(instruction,
                   *cast<ConstantInt>(ConstantInt::get(instruction.getType(), answer)));
      else if (calls(instruction, {hook::gnomon_burst_end}))
        instruction.eraseFromParent();
    });
    for (BasicBlock *block : copy_.blocks)
      ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  }

  void answerPoints(const GlobalVariable &points) {
    forEach([&](Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && load->getPointerOperand() == &points)
        answerHook(*load,
                   *cast<ConstantInt>(ConstantInt::get(load->getType(), GNOMON_POINTS_GIVEN)));
    });
  }

  void leaveOutStale() {
    for (const Instruction *store : group_.stale)
      cast<Instruction>(map_[store])->eraseFromParent();
  }

  GroupCopy take() { return std::move(copy_); }

private:
  Value *mapped(Value &value) {
    auto found = map_.find(&value);
    return found == map_.end() ? &value : &*found->second;
  }

  void forEach(function_ref<void(Instruction &)> use) {
    for (BasicBlock *block : copy_.blocks)
      for (Instruction &instruction : make_early_inc_range(*block))
        use(instruction);
  }

  /// With what it is compared with (Transform::addQuestion), so that branches on that can be folded.
  static void answerHook(Instruction &hook, ConstantInt &answer) {
    for (User *user : hook.users())
      if (auto *compared = dyn_cast<ICmpInst>(user))
        if (auto *with = dyn_cast<ConstantInt>(compared->getOperand(1)))
          compared->replaceAllUsesWith(ConstantInt::getBool(
              compared->getContext(),
              ICmpInst::compare(answer.getValue(), with->getValue(), compared->getPredicate())));
    hook.replaceAllUsesWith(&answer);
    hook.eraseFromParent();
  }

  const Group &group_;
  Blocks blocks_;
  ValueToValueMapTy map_;
  GroupCopy copy_;
};

} // namespace

/// All instances are executed.
static GroupCopy copyExecuted(const Group &group) {
  Copying copying(group, ".group");
  copying.answerHooks(1);
  return copying.take();
}

/// All are skipped, as they are where decisions are given. The copy counts no instructions.
static GroupCopy copySkipped(const Group &group, const GlobalVariable &points) {
  Copying copying(group, ".group.skip");
  copying.leaveOutStale();
  copying.answerPoints(points);
  copying.answerHooks(0);
  GroupCopy copy = copying.take();
  for (BasicBlock *block : copy.blocks)
    markAsHook(*block);
  return copy;
}

static BurstFacts factsOf(const Group &group) {
  BurstFacts facts;
  facts.work = group.work;
  return facts;
}

void Transform::standFor(const Group &group, unsigned number) {
  for (unsigned member : group.members)
    standIns_[member] = number;
}

void Transform::addGroupHooks(unsigned number, const Group &group) {
  Decision plain;
  plain.reachable = true;
  plain.reason.text = "where no decisions are recorded or given, each of its loops is a burst";
  fillRecord(number, group.region, plain, &group.decided, factsOf(group));
  GlobalVariable *record = records_[number];
  changed_.insert(group.region.function);
  closeBlocks(blocksOf(group).getArrayRef(), *group.exit);
  const GroupCopy executed = copyExecuted(group);
  const GroupCopy skipped = copySkipped(group, pointsSwitch(module_));
  SmallSetVector<BasicBlock *, 8> blocks = executed.blocks;
  if (keepsEffects(group.decided))
    blocks.insert_range(skipped.blocks);
  addEnds(group.region, blocks, record);
  addGroupQuestion(group, record, *executed.entry, *skipped.entry);
}

/// Where decisions are neither recorded nor given, the members ask, each for itself.
void Transform::addGroupQuestion(const Group &group, GlobalVariable *record, BasicBlock &executed,
                                 BasicBlock &skipped) {
  GlobalVariable &points = pointsSwitch(module_);
  Instruction *end = group.choice->getTerminator();
  IRBuilder<> builder(end);
  Value *state = builder.CreateLoad(points.getValueType(), &points);
  builder.CreateCondBr(builder.CreateICmpNE(state, Constant::getNullValue(points.getValueType())),
                       group.door, group.region.entry);
  end->eraseFromParent();
  end = group.door->getTerminator();
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(group.region.place);
  CallInst *answer = addBegin(builder, record, group.work);
  answer->setDoesNotThrow();
  builder.CreateCondBr(builder.CreateICmpNE(answer, builder.getInt32(0)), &executed, &skipped,
                       MDBuilder(module_.getContext()).createLikelyBranchWeights());
  end->eraseFromParent();
  markAsHook(*group.choice);
  markAsHook(*group.door);
}

} // namespace gnomon
