// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Transform.h"

#include "bursts/Duplicate.h"
#include "bursts/PointHooks.h"
#include "names/HookCode.h"
#include "names/HookNames.h"
#include "names/Names.h"
#include "names/Places.h"
#include "names/Records.h"

#include "gnomon/Burst.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

Type *pointerType(LLVMContext &context) { return PointerType::getUnqual(context); }

/// An instance runs, rather than what is kept of it.
MDNode *mostly(LLVMContext &context) { return MDBuilder(context).createLikelyBranchWeights(); }

uint32_t frailCount(const Decision &decision) {
  return decision.weakensAll ? 0 : uint32_t(decision.waitsFor.size() + decision.weakens.size());
}

unsigned flagsOf(const Program &program, const Region &region, const Decision &decision) {
  unsigned flags = readsClock(program, region) ? GNOMON_BURST_CLOCK : 0;
  if (region.kind == Region::Iteration)
    flags |= GNOMON_BURST_ITERATION;
  if (!decision.skippable)
    return flags;
  flags |= GNOMON_BURST_SKIPPABLE;
  if (decision.frail)
    flags |= GNOMON_BURST_FRAIL;
  if (decision.unsafe)
    flags |= GNOMON_BURST_UNSAFE;
  if (decision.weakensAll || !decision.waitsFor.empty() || !decision.weakens.empty())
    flags |= GNOMON_BURST_WEAKENS;
  if (decision.forced)
    flags |= GNOMON_BURST_FORCED;
  return flags | (keepsEffects(decision) ? GNOMON_BURST_SLICED : 0);
}

} // namespace

bool keepsEffects(const Decision &decision) {
  return any_of(decision.kept, [](const Instruction *instruction) {
    const auto *call = dyn_cast<CallBase>(instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return instruction->mayHaveSideEffects() || (callee && !callee->isDeclaration());
  });
}

Transform::Transform(const Program &program, Module &module) : program_(program), module_(module) {}

Transform::~Transform() = default;

void Transform::addRecords(size_t count) {
  Type *word = Type::getInt32Ty(module_.getContext());
  on_ = new GlobalVariable(module_, word, /*isConstant=*/false, GlobalValue::InternalLinkage,
                           ConstantInt::get(word, 0), names::BurstsOn);
  on_->setExternallyInitialized(true); // the runtime sets it
  StructType *type = record::Burst::type(module_.getContext());
  for (size_t i = 0; i < count; ++i)
    records_.push_back(new GlobalVariable(module_, type, /*isConstant=*/false,
                                          GlobalValue::InternalLinkage,
                                          ConstantAggregateZero::get(type), "gnomon.burst"));
}

/// None: it weakens none, or all. Of a group it weakens as many entries as there are frail members.
Constant *Transform::addFrailTable(const Decision &decision, Plan plan) {
  if (decision.weakensAll)
    return nullptr;
  auto recordOf = [&](unsigned number) {
    return plan == Plan::Decided ? &recordOfDecided(number) : records_[number];
  };
  SmallVector<Constant *, 4> frail;
  for (unsigned number : decision.waitsFor)
    frail.push_back(recordOf(number));
  for (unsigned number : decision.weakens)
    frail.push_back(recordOf(number));
  return frail.empty() ? nullptr
                       : record::addTable(module_, frail, record::Access::ReadOnly, "gnomon.frail");
}

/// Why it runs, or may.
static std::string reasonFor(const Decision &decision) {
  if (!decision.skippable)
    return decision.reason.text;
  return decision.condition.empty() ? ""
                                    : "all ranks would have to find that " + decision.condition +
                                          "; else " + decision.reason.text;
}

/// What the record says in place of the same fields.
Constant *Transform::addPlan(unsigned number, const Region &region, const Decision &decided) {
  const unsigned group = standIns_.contains(number) ? GNOMON_BURST_IN_GROUP : 0;
  const uint32_t waits = decided.weakensAll ? 0 : uint32_t(decided.waitsFor.size());
  Constant *plan =
      record::BurstPlan{
          .flags = flagsOf(program_, region, decided) | group,
          .phase = decided.skippable ? decided.phase : 0,
          .reason = record::addText(module_, reasonFor(decided)),
          .frail = addFrailTable(decided, Plan::Decided),
          .frail_waits = waits,
          .frail_count = waits + uint32_t(decided.weakens.size()),
      }
          .constant(module_);
  return new GlobalVariable(module_, plan->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, plan, "gnomon.burst.plan");
}

void Transform::fillRecord(unsigned number, const Region &region, const Decision &decision,
                           const Decision *decided, const BurstFacts &facts) {
  const DebugLoc &place = region.place;
  const uint32_t waits = decision.weakensAll ? 0 : uint32_t(decision.waitsFor.size());
  const record::Burst record{
      .name = record::addText(module_, facts.name),
      .function = record::addText(module_, nameInSource(*region.function)),
      .file = record::addText(module_, place ? place->getFilename() : ""),
      .line = place ? place.getLine() : 0,
      .column = place ? place.getCol() : 0,
      .flags = flagsOf(program_, region, decision),
      .phase = decision.skippable ? decision.phase : 0,
      .reason = record::addText(module_, reasonFor(decision)),
      .flops = facts.computedFlops ? 0.0 : facts.flops,
      .samples = facts.samples,
      .frail = addFrailTable(decision, Plan::Plain),
      .frail_waits = waits,
      .frail_count = frailCount(decision),
      .formula = facts.work.formula,
      .decided = decided ? addPlan(number, region, *decided) : nullptr,
  };
  records_[number]->setInitializer(record.constant(module_));
}

void Transform::addCopy(const Region &region, const Decision &decision) {
  if (decision.skippable)
    copies_[&region].plain = makeCopy(region, decision);
}

void Transform::addDecidedCopy(const Region &region, const Decision &decided) {
  if (decided.skippable)
    copies_[&region].decided = makeCopy(region, decided);
}

std::unique_ptr<Duplicate> Transform::makeCopy(const Region &region,
                                               const Decision &decision) const {
  auto kept = [&](const Instruction &instruction) {
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      if (intrinsic->isLifetimeStartOrEnd() ||
          intrinsic->getIntrinsicID() == Intrinsic::stacksave ||
          intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
        return true;
    const auto *call = dyn_cast<CallBase>(&instruction);
    bool enters = call && !program_.callees(*call).empty();
    return decision.kept.contains(&instruction) && !(decision.forced && enters);
  };
  auto copy = std::make_unique<Duplicate>(region, decision.reloads, decision.streams);
  copy->make(program_.flow(*region.function), kept);
  // A skipped instance is charged what a whole one takes: what is kept of it is not counted again.
  for (BasicBlock *block : copy->blocks())
    markAsHook(*block);
  return copy;
}

void Transform::addHooks(unsigned number, const Region &region, const Decision &decision,
                         const Decision *decided, const BurstFacts &facts) {
  fillRecord(number, region, decision, decided, facts);
  GlobalVariable *record = records_[number];
  changed_.insert(region.function);
  BasicBlock *before = entranceOf(region);
  const Copies &copies = copies_[&region];
  SmallSetVector<BasicBlock *, 8> blocks(region.blocks.begin(), region.blocks.end());
  // The runtime waits for the end of a skipped instance only where something of it runs.
  const bool decidedEnds = decided && keepsEffects(*decided);
  const bool plainEnds = keepsEffects(decision) || (!copies.decided && decidedEnds);
  for (auto [copy, ends] :
       {std::pair(copies.plain.get(), plainEnds), std::pair(copies.decided.get(), decidedEnds)}) {
    if (!copy)
      continue;
    if (facts.computedFlops)
      chargeFlops(*copy->entry(), *facts.computedFlops);
    if (ends)
      blocks.insert_range(copy->blocks());
  }
  addEnds(region, blocks, record);
  addQuestion(region, before, copies, record, facts.work);
}

/// A skipped instance whose cost the program computes: the record says 0, the copy says the rest.
void Transform::chargeFlops(BasicBlock &copy, Value &flops) {
  IRBuilder<> builder(&copy, copy.getFirstInsertionPt());
  FunctionCallee execute =
      module_.getOrInsertFunction("smpi_execute_flops", builder.getVoidTy(), builder.getDoubleTy());
  markAsHook(*builder.CreateCall(execute, {&flops}));
}

/// On each way out of \p blocks, the burst's and its copy's: the instance has ended. Ways that an
/// exception takes are the runtime's to notice.
void Transform::addEnds(const Region &region, const SmallSetVector<BasicBlock *, 8> &blocks,
                        GlobalVariable *record) {
  SmallSetVector<BasicBlock *, 4> targets;
  for (BasicBlock *block : blocks)
    for (BasicBlock *next : successors(block))
      if (!blocks.contains(next) && !next->isEHPad() && !program_.isError(*next))
        targets.insert(next);
  FunctionCallee end =
      module_.getOrInsertFunction(hook::gnomon_burst_end, Type::getVoidTy(module_.getContext()),
                                  pointerType(module_.getContext()));
  for (BasicBlock *target : targets) {
    SmallSetVector<BasicBlock *, 4> from;
    for (BasicBlock *before : predecessors(target))
      if (blocks.contains(before))
        from.insert(before);
    BasicBlock *block = SplitBlockPredecessors(target, from.getArrayRef(), ".end");
    IRBuilder<> builder(block->getTerminator());
    builder.SetCurrentDebugLocation(region.place);
    builder.CreateCall(end, {record})->setDoesNotThrow();
    markAsHook(*block);
  }
}

/// Asks the runtime, which answers whether to execute the instance.
CallInst *Transform::addBegin(IRBuilderBase &builder, GlobalVariable *record,
                              const InstanceWork &work) {
  Type *pointer = pointerType(module_.getContext()), *word = builder.getInt64Ty();
  Value *zero = builder.getInt64(0);
  if (!work.formula) {
    FunctionCallee begin =
        module_.getOrInsertFunction(hook::gnomon_burst_begin, builder.getInt32Ty(), pointer, word);
    return builder.CreateCall(begin, {record, work.number ? work.number : zero});
  }
  SmallVector<Value *, 1 + GNOMON_FORMULA_INPUTS> arguments{record};
  append_range(arguments, work.inputs);
  arguments.resize(1 + GNOMON_FORMULA_INPUTS, zero);
  FunctionCallee begin = module_.getOrInsertFunction(
      hook::gnomon_burst_begin_with, builder.getInt32Ty(), pointer, word, word, word, word);
  return builder.CreateCall(begin, arguments);
}

/// Where the values of points are given, one copy, else the other.
BasicBlock *Transform::chooseCopy(BasicBlock *plain, BasicBlock *decided) {
  BasicBlock *choice = BasicBlock::Create(module_.getContext(), plain->getName() + ".choice",
                                          plain->getParent(), plain);
  IRBuilder<> builder(choice);
  GlobalVariable &points = pointsSwitch(module_);
  Value *state = builder.CreateLoad(points.getValueType(), &points);
  builder.CreateCondBr(
      builder.CreateICmpEQ(state, ConstantInt::get(points.getValueType(), GNOMON_POINTS_GIVEN)),
      decided, plain);
  markAsHook(*choice);
  return choice;
}

/// Between \p before and the region's entry: execute, or take the copy?
void Transform::addQuestion(const Region &region, BasicBlock *before, const Copies &copies,
                            GlobalVariable *record, const InstanceWork &work) {
  BasicBlock *door = SplitBlockPredecessors(region.entry, {before}, ".burst");
  IRBuilder<> builder(door->getTerminator());
  builder.SetCurrentDebugLocation(region.place);
  CallInst *answer = addBegin(builder, record, work);
  answer->setDoesNotThrow();
  const Duplicate *any = copies.plain ? copies.plain.get() : copies.decided.get();
  if (any) {
    const bool both = copies.plain && copies.decided;
    BasicBlock *choice =
        both ? chooseCopy(copies.plain->entry(), copies.decided->entry()) : nullptr;
    // The copies' phis (a loop's header) have the values that come from outside under the original's
    // name.
    for (const Duplicate *copy : {copies.plain.get(), copies.decided.get()})
      if (copy)
        copy->entry()->replacePhiUsesWith(before, choice ? choice : door);
    Value *execute = builder.CreateICmpNE(answer, builder.getInt32(0));
    builder.CreateCondBr(execute, region.entry, choice ? choice : any->entry(),
                         mostly(module_.getContext()));
    door->getTerminator()->eraseFromParent();
  }
  markAsHook(*door);
}

void Transform::addPhase(Instruction &point, unsigned number) {
  phases_ = std::max(phases_, number);
  changed_.insert(point.getFunction());
  IRBuilder<> builder(&point);
  FunctionCallee phase =
      module_.getOrInsertFunction(hook::gnomon_phase, builder.getVoidTy(), builder.getInt32Ty());
  CallInst *call = builder.CreateCall(phase, {builder.getInt32(number)});
  call->setDoesNotThrow();
  markAsHook(*call);
}

void Transform::addPhaseWhere(const Phase::Check &check, bool holds, unsigned number) {
  phases_ = std::max(phases_, number);
  changed_.insert(check.before->getFunction());
  IRBuilder<> builder(check.before);
  builder.SetCurrentDebugLocation(nearestPlace(*check.before));
  auto mark = [](Value *value) {
    if (auto *instruction = dyn_cast<Instruction>(value))
      markAsHook(*instruction);
    return value;
  };
  Value *is = holds ? check.condition : mark(builder.CreateNot(check.condition));
  FunctionCallee phase = module_.getOrInsertFunction(hook::gnomon_phase_where, builder.getVoidTy(),
                                                     builder.getInt32Ty(), builder.getInt32Ty());
  CallInst *call = builder.CreateCall(
      phase, {builder.getInt32(number), mark(builder.CreateZExt(is, builder.getInt32Ty()))});
  call->setDoesNotThrow();
  markAsHook(*call);
}

BasicBlock *Transform::addErrorSite(Instruction &branch, unsigned index, uint32_t plans) {
  BasicBlock *error = branch.getSuccessor(index);
  BasicBlock *other = branch.getSuccessor(1 - index);
  if (error == other)
    return nullptr;
  const DebugLoc &place = branch.getDebugLoc();
  Constant *record =
      record::ErrorSite{
          .function = record::addText(module_, nameInSource(*branch.getFunction())),
          .file = record::addText(module_, place ? place->getFilename() : ""),
          .line = place ? place.getLine() : 0,
          .column = place ? place.getCol() : 0,
          .stays = program_.isStayed(*error),
          .plans = plans,
      }
          .constant(module_);
  auto *site = new GlobalVariable(module_, record->getType(), /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, record, "gnomon.error.site");
  BasicBlock *from = branch.getParent();
  LLVMContext &context = module_.getContext();
  BasicBlock *question =
      BasicBlock::Create(context, from->getName() + ".error", branch.getFunction(), error);
  IRBuilder<> builder(question);
  builder.SetCurrentDebugLocation(place);
  FunctionCallee ask = module_.getOrInsertFunction(hook::gnomon_error_path, builder.getInt32Ty(),
                                                   pointerType(context));
  Value *taken = builder.CreateICmpNE(builder.CreateCall(ask, {site}), builder.getInt32(0));
  builder.CreateCondBr(taken, error, other);
  markAsHook(*question);
  branch.setSuccessor(index, question);
  for (PHINode &phi : error->phis())
    phi.setIncomingBlock(phi.getBasicBlockIndex(from), question);
  for (PHINode &phi : other->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(from), question);
  changed_.insert(branch.getFunction());
  return question;
}

SmallVector<BasicBlock *, 2> Transform::addFreeSite(CallInst &call, uint32_t plans) {
  changed_.insert(call.getFunction());
  IRBuilder<> builder(&call);
  FunctionCallee ask = module_.getOrInsertFunction(hook::gnomon_free_path, builder.getInt32Ty(),
                                                   builder.getInt32Ty());
  CallInst *answer = builder.CreateCall(ask, {builder.getInt32(plans)});
  answer->setDoesNotThrow();
  Value *frees = builder.CreateICmpNE(answer, builder.getInt32(0));
  Instruction *end = SplitBlockAndInsertIfThen(frees, call.getIterator(), /*Unreachable=*/false,
                                               mostly(module_.getContext()));
  for (Instruction *instruction : {cast<Instruction>(answer), cast<Instruction>(frees),
                                   answer->getParent()->getTerminator(), end})
    markAsHook(*instruction);
  call.moveBefore(end->getIterator());
  return {end->getParent(), end->getSuccessor(0)};
}

/// Hooks have effects that the attributes of the changed functions may deny, and those of whoever
/// calls them. One walk for all: each function is seen once, however many of its callees changed.
void Transform::forgetEffects() {
  SmallSetVector<const Function *, 8> all(changed_.begin(), changed_.end());
  DenseSet<const void *> seen; // sets of callers
  for (size_t i = 0; i < all.size(); ++i) {
    auto *now = const_cast<Function *>(all[i]);
    for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync, Attribute::WillReturn,
                                     Attribute::Speculatable, Attribute::NoCallback})
      now->removeFnAttr(kind);
    ArrayRef<const CallBase *> callers = program_.callers(*now);
    if (!seen.insert(callers.data()).second)
      continue;
    for (const CallBase *call : callers) {
      auto *site = const_cast<CallBase *>(call);
      for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync, Attribute::WillReturn})
        site->removeFnAttr(kind);
      all.insert(site->getFunction());
    }
  }
}

/// Calls were given blocks of their own, so that regions and scopes consist of whole ones. What is
/// left of that is half of the blocks of a program with many calls.
void Transform::joinBlocks() {
  for (Function &function : module_)
    for (BasicBlock &block : make_early_inc_range(function))
      MergeBlockIntoPredecessor(&block);
}

void Transform::finish() {
  for (Function *function : changed_)
    EliminateUnreachableBlocks(*function);
  joinBlocks();
  forgetEffects();
  LLVMContext &context = module_.getContext();
  SmallVector<GlobalValue *, 3> used{on_};
  SmallVector<Constant *, 16> records;
  for (GlobalVariable *record : records_)
    if (record->use_empty() && record->getInitializer()->isNullValue())
      record->eraseFromParent();
    else
      records.push_back(record);
  if (!records.empty())
    used.push_back(record::addTable(module_, records, record::Access::Writable, names::Bursts));
  auto *word = Type::getInt64Ty(context);
  used.push_back(new GlobalVariable(module_, word, /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, ConstantInt::get(word, phases_),
                                    names::PhaseCount));
  appendToCompilerUsed(module_, used);
}

} // namespace gnomon
