// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Counters.h"

#include "count/BurstEnds.h"
#include "count/Moves.h"
#include "work/Lengths.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gnomon::count {

/// So many raises on ways to one block are worth a raise on a way that had none.
static constexpr size_t LeastToJoin = 3;

/// What happens on one edge.
struct Counters::Raise {
  const Edge *edge = nullptr;
  Amount amount;
  /// Loops that are left: what an iteration adds, and how many there were, by an induction variable or as it is known
  /// before the loop.
  struct Iterations {
    const Induction *induction = nullptr;
    std::optional<unsigned> known;
    Amount each;
  };
  SmallVector<Iterations, 2> loops;
  const Loop *inRegister = nullptr; ///< the edge stays inside of this loop, which counts there
  bool leaves = false;              ///< such a loop

  bool isNothing() const { return amount.isZero() && loops.empty() && !leaves; }
};

Counters::Counters(Function &function, const Loops &loops, const Registers &registers,
                   const KnownCounts &counts, GlobalVariable &counter)
    : function_(function), loops_(loops), registers_(registers), counts_(counts),
      counter_(counter) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  accumulator_ = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "counted");
  builder.CreateStore(builder.getInt64(0), accumulator_);
}

/// The variable by which the raise of a loop's back edge is multiplied when the loop is left.
const Induction *Counters::multiplied(const Loop *loop) const {
  return registers_.around(loop) ? loops_.induction(loop) : nullptr;
}

/// What the loop has counted by the number of its iterations so far.
void Counters::addLoop(Raise &raise, const Loop &loop, std::optional<unsigned> known) const {
  const Induction *induction = multiplied(&loop);
  if (!induction)
    return;
  const auto *back =
      find_if(registers_.edges(), [&](const Edge &edge) { return isBackEdge(edge, loop); });
  if (back != registers_.edges().end() && !back->raise.isZero())
    raise.loops.push_back({induction, known, back->raise});
}

Counters::Raise Counters::raiseOn(const Edge &edge) const {
  Raise result;
  result.edge = &edge;
  const Loop *around = loops_.around(edge.from);
  if (!(around && isBackEdge(edge, *around) && multiplied(around)))
    result.amount = edge.raise;
  const Loop *counting = registers_.around(around);
  result.leaves = counting && !counting->contains(edge.to);
  result.inRegister = result.leaves ? nullptr : counting;
  for (const Loop *left = around; left && !(edge.to && left->contains(edge.to));
       left = left->getParentLoop())
    if (!registers_.isKnown(left))
      addLoop(result, *left, registers_.iterations(left));
  return result;
}

/// Where code runs when the edge is taken, and only then; null when there is no such place.
Instruction *Counters::placeOn(const Edge &edge) {
  if (!hasPlace(edge))
    return nullptr;
  if (!edge.to) {
    if (CallInst *last = edge.from->getTerminatingMustTailCall())
      return last;
    return edge.from->getTerminator();
  }
  if (edge.from->getUniqueSuccessor() && !isa<InvokeInst>(edge.from->getTerminator()))
    return edge.from->getTerminator();
  if (edge.to->getUniquePredecessor())
    return &*edge.to->getFirstInsertionPt();
  Instruction *end = edge.from->getTerminator();
  BasicBlock *between = SplitCriticalEdge(end, GetSuccessorNumber(edge.from, edge.to),
                                          CriticalEdgeSplittingOptions()
                                              .setMergeIdenticalEdges()
                                              .setKeepOneInputPHIs()); // loops may begin at them
  return between ? between->getTerminator() : nullptr;
}

void Counters::raiseBy(Value *amount, bool inRegister, IRBuilder<> &builder) {
  Value *counter = inRegister ? static_cast<Value *>(accumulator_) : &counter_;
  wrote_ = wrote_ || !inRegister;
  Value *before = builder.CreateLoad(builder.getInt64Ty(), counter);
  builder.CreateStore(builder.CreateAdd(before, amount), counter);
}

/// A zero is left out: many a loop has nothing to add when it is left.
static Value *plus(Value *amount, Value *counted, IRBuilder<> &builder) {
  const auto *constant = dyn_cast<ConstantInt>(amount);
  return constant && constant->isZero() ? counted : builder.CreateAdd(amount, counted);
}

Value *Counters::valueOf(const Amount &amount, IRBuilder<> &builder, Asked asked) const {
  Value *sum = amount.constant || amount.multiples.empty()
                   ? builder.getInt64(static_cast<uint64_t>(amount.constant))
                   : nullptr;
  for (auto [count, times] : amount.multiples) {
    Value *number = counts_.value(count);
    Value *product = builder.CreateMul(asked == Asked::Seldom ? opaque(number, builder) : number,
                                       builder.getInt64(static_cast<uint64_t>(times)));
    sum = sum ? builder.CreateAdd(sum, product) : product;
  }
  return sum;
}

Value *Counters::amountOf(const Raise &raise, IRBuilder<> &builder, Asked asked) const {
  Value *amount = raise.amount.isZero() && !raise.loops.empty()
                      ? nullptr
                      : valueOf(raise.amount, builder, asked);
  for (const Raise::Iterations &loop : raise.loops) {
    Value *often =
        loop.known ? counts_.value(*loop.known) : iterations(*loop.induction, builder, asked);
    Value *product = builder.CreateMul(often, valueOf(loop.each, builder, asked));
    amount = amount ? builder.CreateAdd(amount, product) : product;
  }
  return amount;
}

/// On a way that is seldom taken, what is known before the loop is computed there alone.
Asked Counters::askedBy(const Raise &raise) const {
  const bool seldom = raise.inRegister && !raise.amount.multiples.empty() &&
                      raise.edge->frequency <= registers_.entered(raise.inRegister);
  return seldom ? Asked::Seldom : Asked::ByCode;
}

void Counters::emit(const Raise &raise, IRBuilder<> &builder) {
  Value *amount = amountOf(raise, builder, askedBy(raise));
  if (raise.leaves) {
    amount = plus(amount, builder.CreateLoad(builder.getInt64Ty(), accumulator_), builder);
    builder.CreateStore(builder.getInt64(0), accumulator_);
  }
  raiseBy(amount, raise.inRegister != nullptr, builder);
}

/// Bytes that are known only where they are moved.
void Counters::placeMoves() {
  SmallVector<std::pair<CallBase *, Value *>, 4> moves;
  for (Instruction &instruction : instructions(function_))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Value *bytes = variableMove(*call))
        moves.push_back({call, bytes});
  for (auto [move, variable] : moves) {
    IRBuilder<> builder(move);
    Value *bytes = builder.CreateZExtOrTrunc(variable, builder.getInt64Ty());
    raiseBy(builder.CreateUDiv(bytes, builder.getInt64(work::BytesPerInstruction)),
            registers_.around(loops_.around(move->getParent())) != nullptr, builder);
  }
}

/// What is counted in front of the call beyond what the register holds.
Value *Counters::amountAhead(const CallBase &call, const Amount &shift, IRBuilder<> &builder,
                             Asked asked) const {
  Raise ahead;
  ahead.amount = shift;
  for (const Loop *loop = loops_.around(call.getParent()); loop; loop = loop->getParentLoop())
    addLoop(ahead, *loop, std::nullopt);
  return amountOf(ahead, builder, asked);
}

/// What is counted goes to memory before those who may look at it there; what loops will have added
/// of it when they are left is taken off what the register holds.
void Counters::placeEmptyings() {
  for (const auto &[call, shift] : registers_.emptyings()) {
    IRBuilder<> builder(call);
    Value *amount = amountAhead(*call, shift, builder, Asked::ByCode);
    Value *counted = builder.CreateLoad(builder.getInt64Ty(), accumulator_);
    raiseBy(plus(amount, counted, builder), false, builder);
    builder.CreateStore(builder.CreateNeg(amount), accumulator_);
  }
}

/// What is pending is computed for the hook alone, so that it can be put where hooks are on.
void Counters::placePending() {
  for (const auto &[hook, shift] : registers_.hooks()) {
    IRBuilder<> builder(hook);
    Value *amount = amountAhead(*hook, shift, builder, Asked::Seldom);
    Value *counted = builder.CreateLoad(builder.getInt64Ty(), accumulator_);
    tellPending(*hook, *plus(amount, counted, builder));
  }
}

/// Whether the raise can stand at the head of the block that the edge leads to.
bool Counters::mayJoin(const Raise &raise) const {
  BasicBlock *to = raise.edge->to;
  return to && raise.loops.empty() && !raise.inRegister && !raise.leaves && !loops_.around(to) &&
         !to->isEHPad() && to->getFirstInsertionPt() != to->end() && hasPlace(*raise.edge);
}

/// Where many ways meet that raise by constants, such as the errors of a function, one raise behind
/// them takes the place of all. A way that raised nothing pays for it, once in the function's run:
/// no such block is in a loop.
void Counters::joinRaises(SmallVectorImpl<Raise> &raises) {
  MapVector<BasicBlock *, SmallDenseMap<BasicBlock *, int64_t>> joins;
  for (const Raise &raise : raises)
    if (mayJoin(raise))
      joins[raise.edge->to][raise.edge->from] = raise.amount.constant;
  joins.remove_if([](const auto &join) { return join.second.size() < LeastToJoin; });
  erase_if(raises,
           [&](const Raise &raise) { return mayJoin(raise) && joins.contains(raise.edge->to); });
  for (auto &[block, amounts] : joins) {
    IRBuilder<> builder(block, block->begin());
    PHINode *amount = builder.CreatePHI(builder.getInt64Ty(), pred_size(block), "counted");
    for (BasicBlock *before : predecessors(block))
      amount->addIncoming(builder.getInt64(static_cast<uint64_t>(amounts.lookup(before))), before);
    builder.SetInsertPoint(block, block->getFirstInsertionPt());
    raiseBy(amount, /*inRegister=*/false, builder);
  }
}

void Counters::place(int64_t base) {
  placeMoves();
  SmallVector<Raise, 16> raises;
  for (const Edge &edge : registers_.edges())
    if (Raise raise = raiseOn(edge); !raise.isNothing())
      raises.push_back(std::move(raise));
  joinRaises(raises);
  for (const Raise &raise : raises) {
    Instruction *place = placeOn(*raise.edge);
    if (!place)
      continue; // into a handler that several calls share: its few instructions are not counted
    IRBuilder<> builder(place);
    emit(raise, builder);
  }
  if (base != 0) {
    IRBuilder<> builder(accumulator_->getNextNode());
    raiseBy(builder.getInt64(static_cast<uint64_t>(base)), false, builder);
  }
  placeEmptyings();
  placePending();
  promote();
}

void Counters::placeInBlocks(ArrayRef<std::pair<BasicBlock *, int64_t>> lengths) {
  for (auto [block, length] : lengths) {
    auto place = block == &function_.getEntryBlock() ? accumulator_->getNextNode()->getIterator()
                                                     : block->getFirstInsertionPt();
    if (length == 0 || place == block->end())
      continue;
    IRBuilder<> builder(&*place);
    raiseBy(builder.getInt64(static_cast<uint64_t>(length)), false, builder);
  }
  placeMoves();
  promote();
}

void Counters::promote() {
  DominatorTree dominators(function_);
  PromoteMemToReg({accumulator_}, dominators);
  accumulator_ = nullptr;
}

} // namespace gnomon::count
