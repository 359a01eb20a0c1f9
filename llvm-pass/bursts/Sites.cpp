// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Sites.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon {
namespace {

bool mayHaveEffects(const Instruction &instruction) {
  if (isa<CallBase>(instruction))
    return !isa<IntrinsicInst>(instruction) || instruction.isVolatile();
  return isa<ResumeInst>(instruction) || instruction.isVolatile() || instruction.isAtomic();
}

/// Whether the instruction may fault by itself.
bool mayFault(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
  case Instruction::Alloca:
  case Instruction::Call:
  case Instruction::Invoke:
    return !isa<DbgInfoIntrinsic>(instruction);
  default:
    return false;
  }
}

} // namespace

Sites::Sites(const Module &module, function_ref<bool(const BasicBlock &)> isLoopHeader) {
  for (const Function &function : module) {
    const size_t begin = unsafe_.size();
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block) {
        if (mayHaveEffects(instruction))
          effects_.push_back(&instruction);
        // The head of a loop stands for its end.
        if (mayFault(instruction) || (&instruction == &block.front() && isLoopHeader(block)))
          unsafe_.push_back(&instruction);
      }
    if (unsafe_.size() > begin)
      ranges_[&function] = {begin, unsafe_.size()};
  }
}

} // namespace gnomon
