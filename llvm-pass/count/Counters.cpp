// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Counters.h"

#include "count/Moves.h"
#include "work/Lengths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gnomon::count {

/// What happens on one edge.
struct Counters::Raise {
  const Edge *edge = nullptr;
  int64_t constant = 0;
  /// Loops that are left: what an iteration adds, and how many there were.
  SmallVector<std::pair<const Induction *, int64_t>, 2> loops;
  bool inRegister = false; ///< the edge stays inside of a loop that counts there
  bool leaves = false;     ///< such a loop

  bool isNothing() const { return constant == 0 && loops.empty() && !leaves; }
};

Counters::Counters(Function &function, const Loops &loops, const Registers &registers,
                   GlobalVariable &counter)
    : function_(function), loops_(loops), registers_(registers), counter_(counter) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  accumulator_ = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "counted");
  builder.CreateStore(builder.getInt64(0), accumulator_);
}

/// The variable by which the raise of a loop's back edge is multiplied when the loop is left.
const Induction *Counters::multiplied(const Loop *loop) const {
  return registers_.around(loop) ? loops_.induction(loop) : nullptr;
}

Counters::Raise Counters::raiseOn(const Edge &edge, ArrayRef<Edge> edges) const {
  Raise result;
  result.edge = &edge;
  result.constant = edge.raise;
  Loop *around = loops_.around(edge.from);
  if (around && edge.from == around->getLoopLatch() && edge.to == around->getHeader() &&
      multiplied(around))
    result.constant = 0;
  const Loop *counting = registers_.around(around);
  result.leaves = counting && !(edge.to && counting->contains(edge.to));
  result.inRegister = counting && !result.leaves;
  for (; around && !(edge.to && around->contains(edge.to)); around = around->getParentLoop()) {
    const Induction *induction = multiplied(around);
    if (!induction)
      continue;
    const auto *back = find_if(edges, [&](const Edge &candidate) {
      return candidate.from == around->getLoopLatch() && candidate.to == around->getHeader();
    });
    if (back != edges.end() && back->raise != 0)
      result.loops.push_back({induction, back->raise});
  }
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
                                          CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
  return between ? between->getTerminator() : nullptr;
}

void Counters::raiseBy(Value *amount, bool inRegister, IRBuilder<> &builder) {
  Value *counter = inRegister ? static_cast<Value *>(accumulator_) : &counter_;
  wrote_ = wrote_ || !inRegister;
  Value *before = builder.CreateLoad(builder.getInt64Ty(), counter);
  builder.CreateStore(builder.CreateAdd(before, amount), counter);
}

void Counters::emit(const Raise &raise, IRBuilder<> &builder) {
  Value *amount = builder.getInt64(static_cast<uint64_t>(raise.constant));
  for (auto [induction, each] : raise.loops) {
    Value *times = iterations(*induction, builder);
    amount = builder.CreateAdd(
        amount, builder.CreateMul(times, builder.getInt64(static_cast<uint64_t>(each))));
  }
  if (raise.leaves) {
    amount = builder.CreateAdd(amount, builder.CreateLoad(builder.getInt64Ty(), accumulator_));
    builder.CreateStore(builder.getInt64(0), accumulator_);
  }
  raiseBy(amount, raise.inRegister, builder);
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
            registers_.around(loops_.around(move->getParent())), builder);
  }
}

/// What is counted goes to memory before those who may look at it there.
void Counters::placeEmptyings() {
  for (CallBase *call : registers_.emptiedBefore()) {
    IRBuilder<> builder(call);
    Value *counted = builder.CreateLoad(builder.getInt64Ty(), accumulator_);
    builder.CreateStore(builder.getInt64(0), accumulator_);
    Value *before = builder.CreateLoad(builder.getInt64Ty(), &counter_);
    emptyings_.push_back(builder.CreateStore(builder.CreateAdd(before, counted), &counter_));
    wrote_ = true;
  }
}

void Counters::place(ArrayRef<Edge> edges, int64_t base) {
  placeMoves();
  SmallVector<Raise, 16> raises;
  for (const Edge &edge : edges)
    if (Raise raise = raiseOn(edge, edges); !raise.isNothing())
      raises.push_back(std::move(raise));
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
  // A register that turns out to be empty on all ways to a call is not emptied again.
  for (StoreInst *store : emptyings_) {
    auto *sum = cast<BinaryOperator>(store->getValueOperand());
    if (!match(sum->getOperand(1), PatternMatch::m_Zero()))
      continue;
    auto *before = cast<LoadInst>(sum->getOperand(0));
    store->eraseFromParent();
    sum->eraseFromParent();
    before->eraseFromParent();
  }
}

} // namespace gnomon::count
