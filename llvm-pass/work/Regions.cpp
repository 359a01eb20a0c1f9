// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Regions.h"

#include "work/Lengths.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;

namespace gnomon::work {
namespace {

/// Shares of more terms are not worth their precision.
constexpr size_t MostTermsOfShare = 8;

/// “f.c:12”, or the function's name where there are no line tables.
std::string placeOf(const Loop &loop) {
  if (DebugLoc place = loop.getStartLoc())
    return (place->getFilename() + ":" + Twine(place.getLine())).str();
  return loop.getHeader()->getParent()->getName().str();
}

/// Comes to nothing but an error's end.
bool endsInError(const BasicBlock &block) {
  return isa<UnreachableInst>(block.getTerminator()) || block.isEHPad();
}

} // namespace

Regions::Regions(Algebra &algebra, Analyses analyses, Counts &counts, CalleeWork callee)
    : algebra_(algebra), analyses_(analyses), counts_(counts), callee_(callee) {
  ReversePostOrderTraversal<Function *> order(&analyses.function);
  append_range(order_, order);
}

Polynomial Regions::function() { return blocks(nullptr); }

Polynomial Regions::iteration(Loop &loop) { return blocks(&loop); }

Polynomial Regions::nest(Loop &loop) {
  std::optional<Polynomial> count = counts_.ofLoop(loop);
  for (const auto &[around, times] : reverse(open_))
    if (count && times)
      count = algebra_.inLoop(*count, algebra_.iteration(around), *times);
  counts_.open(loop);
  open_.push_back({&loop, count});
  Polynomial body = blocks(&loop);
  open_.pop_back();
  counts_.close();
  const Atom *iteration = algebra_.iteration(&loop);
  if (count) {
    ++countedLoops_;
    return algebra_.sum(body, iteration, *count);
  }
  notes_.push_back("the trip count of the loop at " + placeOf(loop) +
                   " is not known before it runs");
  return algebra_.substitute(body, iteration, 0);
}

Polynomial Regions::block(BasicBlock &block, const Loop *region) {
  Polynomial result = lengthOf(block);
  for (Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (Value *bytes = bytesMoved(*call)) {
      if (std::optional<Polynomial> count = counts_.ofValue(bytes, region))
        result += algebra_.positive(*count).scaled(1.0 / BytesPerInstruction);
    } else if (std::optional<Polynomial> work = callee_(*call, region, counts_)) {
      result += *work;
    }
  }
  return result;
}

/// The blocks of the region, each with its share; a loop in it counts as one block.
Polynomial Regions::blocks(Loop *region) {
  Polynomial total;
  BasicBlock *entry = region ? region->getHeader() : order_.front();
  for (BasicBlock *block : order_) {
    if (region && !region->contains(block))
      continue;
    Loop *innermost = analyses_.loops.getLoopFor(block);
    Loop *inner = innermost != region && innermost->getParentLoop() == region ? innermost : nullptr;
    if (innermost != region && !(inner && inner->getHeader() == block))
      continue;
    Polynomial share;
    if (block == entry)
      share = 1;
    else
      for (BasicBlock *predecessor : predecessors(block))
        if (auto edge = edges_.find({predecessor, block}); edge != edges_.end())
          share += edge->second;
    if (share.terms().size() > MostTermsOfShare)
      share = algebra_.rewrite(share, [](const Atom &atom) -> std::optional<Polynomial> {
        return atom.kind == Atom::Kind::Holds ? std::optional(Polynomial(0.5)) : std::nullopt;
      });
    if (inner) {
      total += algebra_.times(share, nest(*inner));
      leaveLoop(*inner, share);
    } else {
      total += algebra_.times(share, this->block(*block, region));
      leaveBlock(*block, share, region);
    }
  }
  return total;
}

/// All ways out but errors' ends in equal shares; the counted way alone when there is one.
void Regions::leaveLoop(Loop &loop, const Polynomial &share) {
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  SmallVector<Edge, 4> counted, likely;
  for (const Loop::Edge &exit : exits) {
    auto *from = const_cast<BasicBlock *>(exit.first);
    if (endsInError(*exit.second))
      continue;
    likely.push_back({from, const_cast<BasicBlock *>(exit.second)});
    if (!isa<SCEVCouldNotCompute>(analyses_.evolution.getExitCount(&loop, from)))
      counted.push_back(likely.back());
  }
  if (!counted.empty())
    likely = {counted.back()};
  for (const Edge &edge : likely)
    edges_[edge] = share.scaled(1.0 / static_cast<double>(likely.size()));
}

void Regions::leaveBlock(BasicBlock &block, const Polynomial &share, Loop *region) {
  SmallVector<BasicBlock *, 4> ways;
  for (BasicBlock *way : successors(&block)) {
    bool leaves = region && (!region->contains(way) || way == region->getHeader());
    if (!leaves && !endsInError(*way) && !is_contained(ways, way))
      ways.push_back(way);
  }
  if (ways.empty())
    return;
  SmallVector<Polynomial, 2> parts = split(*block.getTerminator(), ways, region);
  for (auto [way, part] : zip(ways, parts))
    edges_[{&block, way}] = algebra_.times(share, part);
}

SmallVector<Polynomial, 2> Regions::split(Instruction &terminator, ArrayRef<BasicBlock *> ways,
                                          const Loop *region) {
  if (ways.size() == 1)
    return {Polynomial(1)};
  auto *branch = dyn_cast<BranchInst>(&terminator);
  if (!branch || ways.size() != 2)
    return SmallVector<Polynomial, 2>(ways.size(), 1.0 / static_cast<double>(ways.size()));
  auto *loop = const_cast<Loop *>(region);
  for (unsigned i = 0; i < 2; ++i)
    if (isGuardOf(*branch->getCondition(), *ways[i], loop))
      return {Polynomial(i == 0), Polynomial(i == 1)};
  uint64_t taken = 0, notTaken = 0;
  if (extractBranchWeights(*branch, taken, notTaken) && taken + notTaken > 0) {
    double share = static_cast<double>(taken) / static_cast<double>(taken + notTaken);
    return {share, 1 - share};
  }
  std::optional<Polynomial> condition = counts_.ofCondition(branch->getCondition(), region);
  // Elements of arrays that differ from one iteration to the next say too little for their price.
  bool known = condition.has_value();
  forEachLeaf(condition.value_or(0), [&](const Atom &leaf) {
    for (Loop *around = loop; around; around = around->getParentLoop())
      known = known && !mentions(leaf.first, algebra_.iteration(around));
  });
  if (!known)
    return {Polynomial(0.5), Polynomial(0.5)};
  return {*condition, Polynomial(1) - *condition};
}

/// The loop that is entered from \p block with nothing but straight code between.
Loop *Regions::loopBehind(BasicBlock &block, const Loop *region) {
  BasicBlock *next = &block;
  for (unsigned steps = 0; next && steps < 3; ++steps, next = next->getUniqueSuccessor()) {
    Loop *loop = analyses_.loops.getLoopFor(next);
    if (loop && loop->getParentLoop() == region && loop->getHeader() == next)
      return loop;
  }
  return nullptr;
}

/// Whether the condition asks no more than whether the loop behind \p way has an iteration: it
/// compares values that the loop's count is made of.
bool Regions::isGuardOf(Value &condition, BasicBlock &way, Loop *region) {
  auto *compare = dyn_cast<ICmpInst>(&condition);
  Loop *loop = compare ? loopBehind(way, region) : nullptr;
  if (!loop)
    return false;
  std::optional<Polynomial> left = counts_.ofValue(compare->getOperand(0), region);
  std::optional<Polynomial> right = counts_.ofValue(compare->getOperand(1), region);
  std::optional<Polynomial> count = left && right ? counts_.ofLoop(*loop) : std::nullopt;
  if (!count)
    return false;
  Polynomial difference = *left - *right;
  bool all = !difference.constant();
  forEachLeaf(difference, [&](const Atom &leaf) { all = all && mentions(*count, &leaf); });
  for (Loop *around = region; around; around = around->getParentLoop())
    if (const Atom *iteration = algebra_.iteration(around); mentions(difference, iteration))
      all = all && mentions(*count, iteration);
  return all;
}

} // namespace gnomon::work
