// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Loops.h"

#include "count/BurstEnds.h"
#include "count/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon::count {
namespace {

bool hasQuietCallsOnly(const Loop &loop, const Quiet &quiet) {
  return all_of(loop.blocks(), [&](const BasicBlock *block) {
    return all_of(*block, [&](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      return !call || quiet.is(*call) || isBurstHook(*call);
    });
  });
}

/// What is cheapest to turn into a number of iterations comes first: 64 bits, a step of one.
unsigned rank(const Induction &induction) {
  unsigned cost = induction.step == 1 ? 0 : induction.step == -1 ? 1 : 4;
  Type *type = induction.variable->getType();
  if (type->isPointerTy())
    return cost + 3;
  return cost + (type->getIntegerBitWidth() == 64 ? 0 : 2);
}

} // namespace

bool isBackEdge(const Edge &edge, const Loop &loop) {
  return edge.from == loop.getLoopLatch() && edge.to == loop.getHeader();
}

Loops::Loops(LoopInfo &loops, ScalarEvolution &evolution, const Quiet &quiet) : loops_(loops) {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    Loop *parent = loop->getParentLoop();
    if ((parent && quiet_.contains(parent)) || hasQuietCallsOnly(*loop, quiet)) {
      quiet_.insert(loop);
    }
    findInduction(*loop, evolution);
  }
}

const Induction *Loops::induction(const Loop *loop) const {
  auto place = inductions_.find(loop);
  return place == inductions_.end() ? nullptr : &place->second;
}

/// A variable as wide as the count of iterations can be: 32 bits wrap only where the program's own
/// counter would. In a loop that is looked at on the way not even there, so that the count never
/// falls; and there it is one of the widths that registers have (opaque).
void Loops::findInduction(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  if (!loop.getLoopLatch() || !loop.getLoopPredecessor() ||
      !all_of(exits, [](Loop::Edge exit) { return hasPlace({exit.first, exit.second}); }))
    return;
  // What the plan of all loops cannot put on the back edge is not multiplied either.
  if (!isQuiet(&loop) && !hasPlace({loop.getLoopLatch(), loop.getHeader()}))
    return;
  std::optional<Induction> best;
  for (PHINode &phi : loop.getHeader()->phis()) {
    Type *type = phi.getType();
    if (!evolution.isSCEVable(type) || (type->isIntegerTy() && type->getIntegerBitWidth() < 32) ||
        (type->isIntegerTy() && type->getIntegerBitWidth() > 64))
      continue;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
      continue;
    auto *step = dyn_cast<SCEVConstant>(recurrence->getOperand(1));
    if (!step || step->isZero())
      continue;
    Induction found{&phi, phi.getIncomingValueForBlock(loop.getLoopPredecessor()),
                    step->getAPInt().getSExtValue(), !isQuiet(&loop)};
    // A wrap in the middle is harmless only where the step divides nothing.
    const bool wraps = !recurrence->hasNoSelfWrap();
    if (wraps && found.step != 1 && found.step != -1)
      continue;
    const uint64_t bits = evolution.getTypeSizeInBits(type);
    if (!isQuiet(&loop) && bits != 64 && (bits != 32 || wraps))
      continue;
    if (!best || rank(found) < rank(*best))
      best = found;
  }
  if (best)
    inductions_[&loop] = *best;
}

static bool fitsRegister(const Type *type) {
  return type->isPointerTy() || type->isIntegerTy(32) || type->isIntegerTy(64);
}

Value *opaque(Value *value, IRBuilder<> &builder) {
  auto *type = FunctionType::get(value->getType(), value->getType(), /*isVarArg=*/false);
  CallInst *call =
      builder.CreateCall(InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), value);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

Value *iterations(const Induction &induction, IRBuilder<> &builder, Asked asked) {
  Value *now = induction.variable;
  if (induction.looked || (asked == Asked::Seldom && fitsRegister(now->getType())))
    now = opaque(now, builder);
  Value *start = induction.start;
  Type *word = builder.getInt64Ty();
  if (now->getType()->isPointerTy()) {
    now = builder.CreatePtrToInt(now, word);
    start = builder.CreatePtrToInt(start, word);
  }
  bool down = induction.step < 0;
  const auto *constant = dyn_cast<ConstantInt>(start);
  Value *way = down                             ? builder.CreateSub(start, now)
               : constant && constant->isZero() ? now
                                                : builder.CreateSub(now, start);
  way = builder.CreateZExt(way, word);
  uint64_t step = down ? -static_cast<uint64_t>(induction.step) : induction.step;
  return step == 1 ? way : builder.CreateExactUDiv(way, builder.getInt64(step));
}

} // namespace gnomon::count
