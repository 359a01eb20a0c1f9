// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace gnomon::work {
namespace {

/// Deeper expressions say little and cost much.
constexpr unsigned DeepestRecursion = 40;
constexpr unsigned DeepestNesting = 8;

bool isNumber(const Type *type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

} // namespace

Counts::Counts(Algebra &algebra, Analyses analyses, Instruction *position, bool forCallers)
    : algebra_(algebra), analyses_(analyses), position_(position), forCallers_(forCallers) {}

/// Behind a piece of code that may be left out (a loop, a call), what it computes is known by the
/// phi behind it; scalar evolution looks through such phis.
Value *Counts::available(Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return isa<Argument, Constant>(value) ? value : nullptr;
  if (!analyses_.dominators.dominates(instruction, position_))
    return nullptr;
  for (User *user : instruction->users())
    if (auto *phi = dyn_cast<PHINode>(user);
        phi && phi->hasConstantValue() == value && analyses_.dominators.dominates(phi, position_))
      return available(phi);
  const Loop *loop = analyses_.loops.getLoopFor(instruction->getParent());
  return !loop || loop->contains(position_) ? value : nullptr;
}

std::optional<Polynomial> Counts::ofExit(Loop &loop, BasicBlock *exiting) {
  const SCEV *count = analyses_.evolution.getExitCount(&loop, exiting);
  if (isa<SCEVCouldNotCompute>(count))
    return ofDoublingExit(loop, *exiting);
  std::optional<Polynomial> result = ofScev(count, loop.getParentLoop());
  if (result)
    *result += 1;
  return result;
}

std::optional<Polynomial> Counts::ofLoop(Loop &loop) {
  const SCEV *exact = analyses_.evolution.getBackedgeTakenCount(&loop);
  if (!isa<SCEVCouldNotCompute>(exact))
    if (std::optional<Polynomial> count = ofScev(exact, loop.getParentLoop()))
      return *count + 1;
  // An early exit whose condition rests on data: the other exits bound the count.
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  std::optional<Polynomial> least;
  for (BasicBlock *block : exiting)
    if (std::optional<Polynomial> count = ofExit(loop, block))
      least = least ? algebra_.minimum(*least, *count) : *count;
  return least;
}

std::optional<Polynomial> Counts::ofScev(const SCEV *expression, const Loop *scope) {
  if (depth_ >= DeepestRecursion)
    return std::nullopt;
  ++depth_;
  scope_exit leave([this] { --depth_; });
  std::optional<Polynomial> result =
      translate(analyses_.evolution.getSCEVAtScope(expression, scope), scope);
  if (result && depth(*result) > DeepestNesting)
    return std::nullopt;
  return result;
}

/// Widths and signs are ignored on purpose: a trip count  zext(n − 1) + 1  is meant to be n, also
/// where n is 0 and the loop is not entered.
std::optional<Polynomial> Counts::translate(const SCEV *expression, const Loop *scope) {
  if (!isNumber(expression->getType()))
    return std::nullopt;
  switch (expression->getSCEVType()) {
  case scConstant:
    return static_cast<double>(cast<SCEVConstant>(expression)->getAPInt().getSExtValue());
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
    return ofScev(cast<SCEVCastExpr>(expression)->getOperand(), scope);
  case scUDivExpr: {
    auto *division = cast<SCEVUDivExpr>(expression);
    std::optional<Polynomial> dividend = ofScev(division->getLHS(), scope);
    std::optional<Polynomial> divisor = ofScev(division->getRHS(), scope);
    if (!dividend || !divisor)
      return std::nullopt;
    return algebra_.quotient(*dividend, *divisor);
  }
  case scAddRecExpr:
    return ofRecurrence(*cast<SCEVAddRecExpr>(expression), scope);
  case scUnknown:
    return ofUnknown(cast<SCEVUnknown>(expression)->getValue(), scope);
  case scAddExpr:
  case scMulExpr:
  case scSMaxExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    return ofOperands(expression, scope);
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> Counts::ofOperands(const SCEV *expression, const Loop *scope) {
  std::optional<Polynomial> result;
  for (const SCEV *operand : expression->operands()) {
    std::optional<Polynomial> next = ofScev(operand, scope);
    if (!next)
      return std::nullopt;
    if (!result) {
      result = next;
      continue;
    }
    switch (expression->getSCEVType()) {
    case scAddExpr:
      *result += *next;
      break;
    case scMulExpr:
      result = algebra_.times(*result, *next);
      break;
    case scSMaxExpr:
    case scUMaxExpr:
      result = algebra_.maximum(*result, *next);
      break;
    default:
      result = algebra_.minimum(*result, *next);
      break;
    }
  }
  return result;
}

/// {c0, +, c1, +, c2} at iteration t is  Σ ck × C(t, k).
std::optional<Polynomial> Counts::ofRecurrence(const SCEVAddRecExpr &recurrence,
                                               const Loop *scope) {
  std::optional<Polynomial> iteration = ofIteration(*recurrence.getLoop());
  if (!iteration)
    return std::nullopt;
  Polynomial result;
  Polynomial choose = 1;
  for (unsigned k = 0; k < recurrence.getNumOperands(); ++k) {
    std::optional<Polynomial> coefficient = ofScev(recurrence.getOperand(k), scope);
    if (!coefficient)
      return std::nullopt;
    result += algebra_.times(*coefficient, choose);
    choose = algebra_.times(choose, *iteration - k).scaled(1.0 / (k + 1));
  }
  return result;
}

/// The number of the loop's iteration: to be summed over when the loop is open, and what an
/// induction variable says when the position is inside.
std::optional<Polynomial> Counts::ofIteration(const Loop &loop) {
  if (is_contained(open_, &loop))
    return Polynomial(algebra_.iteration(&loop));
  if (!loop.contains(position_->getParent()))
    return std::nullopt;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!isNumber(phi.getType()) || !analyses_.evolution.isSCEVable(phi.getType()))
      continue;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(analyses_.evolution.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine() ||
        !available(&phi))
      continue;
    auto *step = dyn_cast<SCEVConstant>(recurrence->getOperand(1));
    std::optional<Polynomial> start = ofScev(recurrence->getStart(), loop.getParentLoop());
    if (step && start)
      return (algebra_.value(&phi) - *start)
          .scaled(1.0 / static_cast<double>(step->getAPInt().getSExtValue()));
  }
  return std::nullopt;
}

std::optional<Polynomial> Counts::ofValue(Value *value, const Loop *scope) {
  if (!isNumber(value->getType()) || !analyses_.evolution.isSCEVable(value->getType()))
    return std::nullopt;
  return ofScev(analyses_.evolution.getSCEV(value), scope);
}

std::optional<Polynomial> Counts::ofUnknown(Value *value, const Loop *scope) {
  if (Value *known = available(value))
    return algebra_.value(known);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return std::nullopt;
  if (auto *phi = dyn_cast<PHINode>(instruction))
    return ofPhi(*phi);
  if (auto *load = dyn_cast<LoadInst>(instruction)) {
    if (!load->isSimple())
      return std::nullopt;
    const Atom *atom = this->load(load->getPointerOperand(), 0, load->getType(), *load, true);
    if (!atom)
      atom = loadOfElement(load->getPointerOperand(), load->getType(), scope);
    return atom ? std::optional(Polynomial(atom)) : std::nullopt;
  }
  return ofInstruction(*instruction, scope);
}

std::optional<Polynomial> Counts::ofInstruction(Instruction &instruction, const Loop *scope) {
  auto operand = [&](unsigned i) { return ofValue(instruction.getOperand(i), scope); };
  std::optional<Polynomial> first, second;
  switch (instruction.getOpcode()) {
  case Instruction::Freeze:
    return operand(0);
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    first = operand(0);
    second = operand(1);
    break;
  case Instruction::Select: {
    std::optional<Polynomial> condition = ofCondition(instruction.getOperand(0), scope);
    first = operand(1);
    second = operand(2);
    if (!condition || !first || !second)
      return std::nullopt;
    return *second + algebra_.times(*condition, *first - *second);
  }
  default:
    return std::nullopt;
  }
  if (!first || !second)
    return std::nullopt;
  bool left = instruction.getOpcode() == Instruction::Shl;
  if (instruction.isShift())
    return algebra_.times(*first, algebra_.powerOfTwo(left ? *second : second->scaled(-1)));
  return algebra_.quotient(*first, *second);
}

std::optional<Polynomial> Counts::ofCondition(Value *condition, const Loop *scope) {
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    std::optional<Polynomial> left = ofValue(compare->getOperand(0), scope);
    std::optional<Polynomial> right = ofValue(compare->getOperand(1), scope);
    if (!left || !right)
      return std::nullopt;
    return algebra_.holds(compare->getPredicate(), *left, *right);
  }
  if (auto *constant = dyn_cast<ConstantInt>(condition))
    return constant->isZero() ? 0 : 1;
  if (auto *operation = dyn_cast<BinaryOperator>(condition)) {
    std::optional<Polynomial> left = ofCondition(operation->getOperand(0), scope);
    std::optional<Polynomial> right = ofCondition(operation->getOperand(1), scope);
    if (!left || !right)
      return std::nullopt;
    Polynomial both = algebra_.times(*left, *right);
    switch (operation->getOpcode()) {
    case Instruction::And:
      return both;
    case Instruction::Or:
      return *left + *right - both;
    case Instruction::Xor:
      return *left + *right - both.scaled(2);
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

} // namespace gnomon::work
