// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Weights.h"

#include "bursts/Regions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;

namespace gnomon {
namespace {

constexpr unsigned CountedBits = 6, OtherBits = 3, MostBits = 40;

double rounds(unsigned bits) { return std::ldexp(1.0, static_cast<int>(bits)); }

/// Whether \p next is \p number and something that stays in the loop, added or the like.
bool isStep(const Value *next, const Value *number, const Loop &loop) {
  const auto *step = dyn_cast<Instruction>(next);
  return step && (isa<BinaryOperator>(step) || isa<GetElementPtrInst>(step)) &&
         is_contained(step->operands(), number) &&
         all_of(step->operands(), [&](const Value *operand) {
           return operand == number || loop.isLoopInvariant(operand);
         });
}

/// Whether it is the number or the address that the loop counts by: a phi.
bool isCounter(const Value *value, const Loop &loop) {
  const auto *phi = dyn_cast<PHINode>(value);
  const BasicBlock *latch = loop.getLoopLatch();
  return phi && latch && phi->getParent() == loop.getHeader() &&
         isStep(phi->getIncomingValueForBlock(latch), phi, loop);
}

/// The stores inside the loop to the variable that the value is read from, in code that is not optimised.
std::optional<SmallVector<const StoreInst *, 2>> storesTo(const Value *value, const Loop &loop) {
  const auto *load = dyn_cast<LoadInst>(value);
  const auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!variable)
    return std::nullopt;
  SmallVector<const StoreInst *, 2> stores;
  for (const User *user : variable->users())
    if (const auto *store = dyn_cast<StoreInst>(user); store && loop.contains(store))
      stores.push_back(store);
  return stores;
}

/// Whether the value is a number or an address that grows by as much in each round.
bool grows(const Value *value, const Loop &loop) {
  if (const auto stores = storesTo(value, loop)) {
    const auto *step = stores->size() == 1
                           ? dyn_cast<BinaryOperator>(stores->front()->getValueOperand())
                           : nullptr;
    const auto *before = step ? dyn_cast<LoadInst>(step->getOperand(0)) : nullptr;
    return before && isStep(step, before, loop) &&
           before->getPointerOperand() == stores->front()->getPointerOperand();
  }
  const auto *step = dyn_cast<Instruction>(value);
  return isCounter(value, loop) ||
         (step && any_of(step->operands(), [&](const Value *operand) {
            return isCounter(operand, loop) && isStep(step, operand, loop);
          }));
}

bool stays(const Value *value, const Loop &loop) {
  const auto stores = storesTo(value, loop);
  return loop.isLoopInvariant(value) || (stores && stores->empty());
}

/// The counter that the value is, or that it is a step of; null where it is neither.
const PHINode *counterOf(const Value *value, const Loop &loop) {
  if (isCounter(value, loop))
    return cast<PHINode>(value);
  const auto *step = dyn_cast<Instruction>(value);
  const auto *counter =
      step ? find_if(step->operands(), [&](const Use &use) { return isCounter(use, loop); })
           : nullptr;
  return step && counter != step->op_end() ? cast<PHINode>(counter->get()) : nullptr;
}

/// How often the loop goes round by the comparison of \p counted with \p limit, where it says so in numbers.
std::optional<uint64_t> roundsTo(const Value &counted, const Value &limit, const Loop &loop) {
  const PHINode *counter = counterOf(&counted, loop);
  const BasicBlock *before = loop.getLoopPredecessor();
  if (!counter || !before)
    return std::nullopt;
  const auto *step =
      dyn_cast<BinaryOperator>(counter->getIncomingValueForBlock(loop.getLoopLatch()));
  auto number = [](const Value *value) {
    const auto *constant = dyn_cast_or_null<ConstantInt>(value);
    return constant && constant->getBitWidth() <= 64 ? std::optional(constant->getSExtValue())
                                                     : std::nullopt;
  };
  const std::optional<int64_t> first = number(counter->getIncomingValueForBlock(before)),
                               last = number(&limit),
                               by = number(step ? step->getOperand(1) : nullptr);
  if (!first || !last || !by || *by == 0 || step->getOpcode() != Instruction::Add)
    return std::nullopt;
  return (std::max(*first, *last) - std::min(*first, *last)) / std::abs(*by);
}

/// By a way out that is a comparison of a number that grows with another that stays; nothing where there is none.
std::optional<unsigned> countedBits(const Loop &loop) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  std::optional<unsigned> least;
  for (const BasicBlock *block : exiting) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const auto *compared =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!compared)
      continue;
    const Value *counted = compared->getOperand(0), *limit = compared->getOperand(1);
    if (!grows(counted, loop))
      std::swap(counted, limit);
    if (!grows(counted, loop) || !stays(limit, loop))
      continue;
    const std::optional<uint64_t> rounds = roundsTo(*counted, *limit, loop);
    const unsigned bits = rounds ? Log2_64_Ceil(std::max<uint64_t>(*rounds, 1)) : CountedBits;
    least = std::min(least.value_or(bits), bits);
  }
  return least;
}

} // namespace

unsigned Weights::bitsOf(const Loop &loop) {
  auto [place, isNew] = loops_.try_emplace(&loop, 0);
  if (isNew)
    place->second = countedBits(loop).value_or(OtherBits);
  return place->second;
}

unsigned Weights::bitsInside(const BasicBlock &block) {
  auto &function = const_cast<Function &>(*block.getParent());
  unsigned bits = 0;
  for (const Loop *loop = analyses_.getResult<LoopAnalysis>(function).getLoopFor(&block); loop;
       loop = loop->getParentLoop())
    bits += bitsOf(*loop);
  return std::min(bits, MostBits);
}

unsigned Weights::roundsBitsOf(const Instruction &instruction) {
  return std::min(bitsInside(*instruction.getParent()) + bitsAround(*instruction.getFunction()),
                  MostBits);
}

unsigned Weights::bitsAround(const Function &function) {
  auto [place, isNew] = around_.try_emplace(&function, 0);
  if (!isNew)
    return place->second; // 0 while it is being found: of functions that call each other
  unsigned most = 0;
  for (const CallBase *call : program_.callers(function))
    most = std::max(most, roundsBitsOf(*call));
  return around_[&function] = most;
}

/// Once.
double Weights::ofBlock(const BasicBlock &block) {
  double sum = 0;
  for (const Instruction &instruction : block) {
    sum += 1;
    double heaviest = 0;
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      for (const Function *callee : program_.callees(*call))
        heaviest = std::max(heaviest, ofFunction(*callee));
    sum += heaviest;
  }
  return sum;
}

double Weights::ofFunction(const Function &function) {
  auto [place, isNew] = functions_.try_emplace(&function, 0);
  if (!isNew)
    return place->second; // 0 while it is being found
  double sum = 0;
  for (const BasicBlock &block : function)
    sum += rounds(bitsInside(block)) * ofBlock(block);
  return functions_[&function] = sum;
}

double Weights::of(const Region &region) {
  auto [place, isNew] = regions_.try_emplace(&region, 0);
  if (!isNew)
    return place->second;
  double sum = 0;
  for (const BasicBlock *block : region.blocks)
    sum += rounds(roundsBitsOf(block->front())) * ofBlock(*block);
  return regions_[&region] = sum;
}

} // namespace gnomon
