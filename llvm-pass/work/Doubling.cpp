// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variables that SCEV does not describe: those that each iteration doubles, halves, quarters…
/// (multigrid, transforms, trees), and those that hold what the iteration before has computed.
///
/// With s the start, value(t) = s 2^(ct). A loop that goes on while value(t) ≥ b, c < 0, does so
/// for the t up to log2(s / b) / −c ; one that goes on while value(t) ≤ b, c > 0, for those up to
/// log2(b / s) / c .
#include "work/Counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <cmath>

using namespace llvm;

namespace gnomon::work {
namespace {

/// The exponent of a step that multiplies by a power of two: negative when it divides.
std::optional<double> doublings(const Value *value, const PHINode &phi) {
  auto *step = dyn_cast<BinaryOperator>(value);
  auto *by =
      step && step->getOperand(0) == &phi ? dyn_cast<ConstantInt>(step->getOperand(1)) : nullptr;
  if (!by || by->getBitWidth() > 64 || by->isZero())
    return std::nullopt;
  switch (step->getOpcode()) {
  case Instruction::Shl:
    return static_cast<double>(by->getZExtValue());
  case Instruction::LShr:
  case Instruction::AShr:
    return -static_cast<double>(by->getZExtValue());
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (by->getSExtValue() > 1)
      return -std::log2(static_cast<double>(by->getSExtValue()));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A variable of a loop's header, its start and what it becomes.
struct Stepping {
  PHINode *phi = nullptr;
  Value *start = nullptr;
  Value *next = nullptr;
};

std::optional<Stepping> stepping(PHINode &phi, const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  BasicBlock *entering = loop.getLoopPredecessor();
  if (phi.getParent() != loop.getHeader() || !latch || !entering)
    return std::nullopt;
  return Stepping{&phi, phi.getIncomingValueForBlock(entering),
                  phi.getIncomingValueForBlock(latch)};
}

/// The comparison by which a block decides to stay in the loop: `left predicate right`.
struct Stay {
  Value *left = nullptr;
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  Value *right = nullptr;
};

std::optional<Stay> stayOf(const BasicBlock &exiting, const Loop &loop) {
  auto *branch = dyn_cast<BranchInst>(exiting.getTerminator());
  auto *compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare)
    return std::nullopt;
  bool staysIfTrue = loop.contains(branch->getSuccessor(0));
  CmpInst::Predicate predicate =
      staysIfTrue ? compare->getPredicate() : compare->getInversePredicate();
  return Stay{compare->getOperand(0), ICmpInst::getSignedPredicate(predicate),
              compare->getOperand(1)};
}

/// What the value must reach, as ≥ when it falls and ≤ when it rises, for the loop to go on.
std::optional<Polynomial> limitOf(CmpInst::Predicate predicate, Polynomial bound, bool falls) {
  switch (predicate) {
  case CmpInst::ICMP_NE:
    return falls ? bound + 1 : bound - 1;
  case CmpInst::ICMP_SGT:
    return falls ? std::optional(bound + 1) : std::nullopt;
  case CmpInst::ICMP_SGE:
    return falls ? std::optional(bound) : std::nullopt;
  case CmpInst::ICMP_SLT:
    return falls ? std::nullopt : std::optional(bound - 1);
  case CmpInst::ICMP_SLE:
    return falls ? std::nullopt : std::optional(bound);
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<Polynomial> Counts::ofDoublingExit(Loop &loop, BasicBlock &exiting) {
  std::optional<Stay> stay = stayOf(exiting, loop);
  if (!stay)
    return std::nullopt;
  for (PHINode &phi : loop.getHeader()->phis()) {
    std::optional<Stepping> variable = stepping(phi, loop);
    std::optional<double> by = variable ? doublings(variable->next, phi) : std::nullopt;
    if (!by || (stay->left != &phi && stay->left != variable->next))
      continue;
    const Loop *scope = loop.getParentLoop();
    std::optional<Polynomial> start = ofValue(variable->start, scope);
    std::optional<Polynomial> bound = ofValue(stay->right, scope);
    std::optional<Polynomial> limit =
        bound ? limitOf(stay->predicate, *bound, *by < 0) : std::nullopt;
    if (!start || !limit)
      continue;
    Polynomial ratio =
        *by < 0 ? algebra_.quotient(*start, *limit) : algebra_.quotient(*limit, *start);
    Polynomial last = algebra_.quotient(algebra_.logarithm(ratio), std::abs(*by));
    // The header's own value is looked at once more than the one that it becomes.
    return stay->left == &phi ? last + 2 : last + 1;
  }
  return std::nullopt;
}

std::optional<Polynomial> Counts::ofPhi(PHINode &phi) {
  const Loop *loop = analyses_.loops.getLoopFor(phi.getParent());
  std::optional<Stepping> variable =
      loop && is_contained(open_, loop) ? stepping(phi, *loop) : std::nullopt;
  if (!variable || !phis_.insert(&phi).second)
    return std::nullopt;
  scope_exit leave([&] { phis_.erase(&phi); });
  const Atom *iteration = algebra_.iteration(loop);
  if (std::optional<double> by = doublings(variable->next, phi)) {
    std::optional<Polynomial> start = ofValue(variable->start, loop->getParentLoop());
    if (!start)
      return std::nullopt;
    return algebra_.times(*start, algebra_.powerOfTwo(Polynomial(iteration).scaled(*by)));
  }
  // What the iteration before has computed from its number: the end of a sparse matrix's row, the
  // start of the next.
  std::optional<Polynomial> last = ofValue(variable->next, loop);
  if (!last || !mentions(*last, iteration))
    return std::nullopt;
  return algebra_.substitute(*last, iteration, Polynomial(iteration) - 1);
}

} // namespace gnomon::work
