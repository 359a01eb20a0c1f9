// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overrides/ExitConditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace gnomon {
namespace {

/// The operands of a tree of logical ors, or of ands.
void collect(Value &value, bool ors, SmallVectorImpl<Value *> &leaves) {
  Value *left = nullptr, *right = nullptr;
  bool joined =
      ors ? PatternMatch::match(&value, PatternMatch::m_LogicalOr(PatternMatch::m_Value(left),
                                                                  PatternMatch::m_Value(right)))
          : PatternMatch::match(&value, PatternMatch::m_LogicalAnd(PatternMatch::m_Value(left),
                                                                   PatternMatch::m_Value(right)));
  if (!joined) {
    leaves.push_back(&value);
    return;
  }
  collect(*left, ors, leaves);
  collect(*right, ors, leaves);
}

unsigned lineOf(const Value &value) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction && instruction->getDebugLoc() ? instruction->getDebugLoc().getLine() : 0;
}

} // namespace

SmallVector<Value *, 2> LoopExit::at(unsigned line) const {
  SmallVector<Value *, 2> found;
  copy_if(conditions, std::back_inserter(found),
          [&](const Value *condition) { return lineOf(*condition) == line; });
  return found.empty() && lineOf(*branch) == line ? conditions : found;
}

std::optional<LoopExit> exitOf(const Instruction &instruction, const Loop &loop) {
  auto *branch = const_cast<BranchInst *>(dyn_cast<BranchInst>(&instruction));
  if (!branch || !branch->isConditional())
    return std::nullopt;
  bool first = !loop.contains(branch->getSuccessor(0));
  if (first == !loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  LoopExit exit{branch, first ? 0U : 1U, {}};
  collect(*branch->getCondition(), first, exit.conditions);
  return exit;
}

} // namespace gnomon
