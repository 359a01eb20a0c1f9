// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Regions.h"
#include "facts/Externals.h"
#include "slice/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon {

namespace {

/// Functions that code calls, transitively, in the order in which they are come to.
class Called {
public:
  explicit Called(const Program &program) : program_(program) {}

  void add(const BasicBlock &block) {
    for (const Instruction &instruction : block)
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (ArrayRef<const Function *> callees = program_.callees(*call);
            seen_.insert(callees.data()).second)
          found_.insert_range(callees);
  }
  ArrayRef<const Function *> close() {
    for (size_t i = 0; i < found_.size(); ++i)
      for (const BasicBlock &block : *found_[i])
        add(block);
    return found_.getArrayRef();
  }

private:
  const Program &program_;
  SmallSetVector<const Function *, 8> found_;
  DenseSet<const void *> seen_; ///< sets of callees
};

} // namespace

SmallVector<const Function *> functionsCalled(const Program &program, const Region &region) {
  Called called(program);
  for (const BasicBlock *block : region.blocks)
    called.add(*block);
  return SmallVector<const Function *>(called.close());
}

DenseSet<const Function *> functionsCalled(const Program &program, const Regions &regions) {
  Called called(program);
  for (const Region &region : regions.all())
    for (const BasicBlock *block : region.blocks)
      called.add(*block);
  ArrayRef<const Function *> found = called.close();
  return {found.begin(), found.end()};
}

bool Regions::callsLoops(const Loop &loop) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && program_.entersLoops(*call);
    });
  });
}

/// Whether it is not known to have a few iterations.
bool Regions::isLong(Loop &loop) const {
  constexpr unsigned Few = 32;
  auto &evolution = analyses_.getResult<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  return count == 0 || count > Few;
}

bool Regions::holdsLong(Loop &loop) const {
  return isLong(loop) || any_of(loop.getSubLoops(), [&](Loop *inner) { return holdsLong(*inner); });
}

/// Whether loops of a few iterations each, in each other, are worth a question: 8 × 8 × 8 of them are no less than 512
/// of one loop. So are the loops of programs whose sizes are constants.
bool Regions::isLongTogether(Loop &loop) const {
  constexpr uint64_t Worthwhile = 2'000; // instructions: some ten hooks
  auto &evolution = analyses_.getResult<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  return std::max(1U, evolution.getSmallConstantTripCount(&loop)) * lengthOf(loop) >= Worthwhile;
}

/// How many loops lie in each other, those of a few iterations left out.
unsigned Regions::depthOf(Loop &loop) const {
  unsigned inner = 0;
  for (Loop *sub : loop.getSubLoops())
    inner = std::max(inner, depthOf(*sub));
  return inner + isLong(loop);
}

/// More than two such loops in each other.
bool Regions::isDeep(Loop &loop) const {
  return any_of(loop.getSubLoops(), [](const Loop *inner) { return !inner->isInnermost(); }) &&
         depthOf(loop) > 2;
}

/// Whether an iteration hands the next one a number that it does not just count up (the next free
/// place of a buffer): the next one could not be executed if this one was skipped.
bool Regions::carriesNumbers(const Loop &loop) const {
  auto counts = [&](const PHINode &phi, const Value *next) {
    const auto *step = dyn_cast<Instruction>(next);
    return (isa_and_present<BinaryOperator>(step) || isa_and_present<GetElementPtrInst>(step)) &&
           is_contained(step->operand_values(), &phi) &&
           all_of(step->operand_values(), [&](const Value *operand) {
             return operand == &phi || loop.isLoopInvariant(operand);
           });
  };
  return any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
    return (phi.getType()->isIntegerTy() || phi.getType()->isPointerTy()) &&
           !counts(phi, phi.getIncomingValueForBlock(loop.getLoopLatch()));
  });
}

/// Whether an iteration may leave the loop from within, on a condition of which nothing is known: such a one can only be
/// skipped with all that would follow.
bool Regions::mayBreakOff(Loop &loop) const {
  auto &evolution = analyses_.getResult<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](const BasicBlock *block) {
    return block != loop.getHeader() && block != loop.getLoopLatch() &&
           isa<SCEVCouldNotCompute>(evolution.getExitCount(&loop, block)) &&
           any_of(successors(block), [&](const BasicBlock *next) {
             return !loop.contains(next) && !next->isEHPad() && !program_.isError(*next);
           });
  });
}

/// Whether an iteration is long enough to be an instance of its own: a hook costs as much as some
/// hundred instructions. How a loop ends takes the longest to find out.
bool Regions::wantsIterations(Loop &loop) const {
  constexpr uint64_t Long = 10'000;
  return (callsLoops(loop) || isDeep(loop) || lengthOf(loop) >= Long) && !mayBreakOff(loop);
}

/// Instructions of an iteration that are known to run: those of inner loops as often as is known.
uint64_t Regions::lengthOf(Loop &loop) const {
  uint64_t length = 0;
  for (const BasicBlock *block : loop.blocks())
    if (hosts_.lookup(loop.getHeader()->getParent())->getLoopFor(block) == &loop)
      length += block->size();
  if (loop.isInnermost())
    return length;
  auto &evolution = analyses_.getResult<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  for (Loop *inner : loop.getSubLoops())
    length += std::max(1U, evolution.getSmallConstantTripCount(inner)) * lengthOf(*inner);
  return length;
}

bool readsClock(const Program &program, const Region &region) {
  auto reads = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
             program.pointsTo().kindOf(*call) == EffectKind::Time;
    });
  };
  return any_of(region.blocks, [&](const BasicBlock *block) { return reads(*block); }) ||
         any_of(functionsCalled(program, region),
                [&](const Function *function) { return any_of(*function, reads); });
}

void Regions::widen(int index) {
  Region &region = regions_[index];
  if (region.kind != Region::Iteration)
    return;
  region.kind = Region::Nest;
  region.entry = region.header;
  region.blocks.insert(region.blocks.begin(), region.header);
  regionOf_[region.header] = index;
}

BasicBlock *entranceOf(const Region &region) {
  for (BasicBlock *block : predecessors(region.entry))
    if (!is_contained(region.blocks, block))
      return block;
  return nullptr;
}

} // namespace gnomon
