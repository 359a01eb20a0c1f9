// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/KnownCounts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace gnomon::count {
namespace {

/// What is computed once before a loop, for as many numbers in a function, must be short.
constexpr unsigned LongestExpression = 12, LongestSum = 6, MostNumbers = 128, MostFactors = 3;

bool isCheap(const SCEV *iterations) {
  return iterations->getExpressionSize() <= LongestExpression &&
         !SCEVExprContains(iterations, [](const SCEV *part) { return isa<SCEVUDivExpr>(part); });
}

bool isShortSum(const SCEV *iterations) {
  return iterations->getExpressionSize() <= LongestSum &&
         !SCEVExprContains(iterations, [](const SCEV *part) {
           return !isa<SCEVConstant, SCEVUnknown, SCEVAddExpr, SCEVMulExpr, SCEVCastExpr>(part);
         });
}

} // namespace

std::optional<unsigned> KnownCounts::place(const Loop &around, const SCEV *iterations) {
  const BasicBlock *before = around.getLoopPreheader();
  if (isa<SCEVCouldNotCompute>(iterations) || !before || !iterations->getType()->isIntegerTy() ||
      evolution_.getTypeSizeInBits(iterations->getType()) > 64 ||
      !evolution_.isLoopInvariant(iterations, &around))
    return std::nullopt;
  for (auto [place, number] : enumerate(numbers_))
    if (number.around == &around && number.iterations == iterations)
      return static_cast<unsigned>(place);
  SCEVExpander expander(evolution_, "counted", /*PreserveLCSSA=*/false);
  if (numbers_.size() == MostNumbers ||
      !expander.isSafeToExpandAt(iterations, before->getTerminator()))
    return std::nullopt;
  const auto place = static_cast<unsigned>(numbers_.size());
  numbers_.push_back({&around, iterations, {place}});
  return place;
}

std::optional<unsigned> KnownCounts::iterations(const Loop &inner, const Loop &around) {
  const SCEV *iterations = evolution_.getBackedgeTakenCount(&inner);
  return isCheap(iterations) ? place(around, iterations) : std::nullopt;
}

std::optional<unsigned> KnownCounts::iterations(const Loop &loop) {
  const SCEV *iterations = evolution_.getBackedgeTakenCount(&loop);
  return isShortSum(iterations) ? place(loop, iterations) : std::nullopt;
}

std::optional<unsigned> KnownCounts::product(unsigned left, unsigned right) {
  SmallVector<unsigned, 3> all(factors(left));
  append_range(all, factors(right));
  sort(all);
  for (auto [place, number] : enumerate(numbers_))
    if (number.factors == all)
      return static_cast<unsigned>(place);
  if (all.size() > MostFactors || numbers_.size() == MostNumbers)
    return std::nullopt;
  numbers_.push_back({numbers_[left].around, nullptr, std::move(all)});
  return static_cast<unsigned>(numbers_.size() - 1);
}

std::optional<Amount> KnownCounts::times(const Amount &each, unsigned count) {
  Amount result;
  if (each.constant != 0)
    result.addMultiple(count, each.constant);
  for (auto [known, multiple] : each.multiples) {
    const std::optional<unsigned> both = product(known, count);
    if (!both)
      return std::nullopt;
    result.addMultiple(*both, multiple);
  }
  return result;
}

/// Frozen: a number whose loop the program would not come to may be poison, and is added on one way
/// to be taken off on another.
void KnownCounts::compute() {
  SCEVExpander expander(evolution_, "counted", /*PreserveLCSSA=*/false);
  for (Number &number : numbers_) {
    Instruction *place = number.around->getLoopPreheader()->getTerminator();
    IRBuilder<> builder(place);
    if (!number.iterations) {
      for (unsigned factor : number.factors)
        number.value =
            number.value ? builder.CreateMul(number.value, value(factor)) : value(factor);
      continue;
    }
    Value *iterations =
        expander.expandCodeFor(number.iterations, number.iterations->getType(), place);
    builder.SetInsertPoint(place);
    number.value =
        builder.CreateZExt(builder.CreateFreeze(iterations), builder.getInt64Ty(), "iterations");
  }
}

} // namespace gnomon::count
