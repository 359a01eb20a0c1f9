// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Lengths.h"

#include "names/HookCode.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon::work {
namespace {

bool isFunctionOfTheMathematicalLibrary(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::sincos:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
    return true;
  default:
    return false;
  }
}

bool becomesNoCode(const IntrinsicInst &intrinsic) {
  return intrinsic.isAssumeLikeIntrinsic() || intrinsic.isDebugOrPseudoInst();
}

unsigned lengthOfCall(const CallBase &call) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    if (becomesNoCode(*intrinsic))
      return 0;
    return isFunctionOfTheMathematicalLibrary(intrinsic->getIntrinsicID()) ? 1 + UnknownCallLength
                                                                           : 1;
  }
  const Function *callee = call.getCalledFunction();
  return 1 + (callee && callee->isDeclaration() ? UnknownCallLength : 0);
}

} // namespace

unsigned lengthOf(const Instruction &instruction) {
  if (isHook(instruction))
    return 0;
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return call->isInlineAsm() ? 1 : lengthOfCall(*call);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return address->hasAllConstantIndices() ? 0 : 1;
  switch (instruction.getOpcode()) {
  case Instruction::Br: // Where a block lies is the code generator's business.
    return cast<BranchInst>(instruction).isConditional() ? 1 : 0;
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Trunc:
  case Instruction::Unreachable:
  case Instruction::LandingPad:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return 0;
  case Instruction::Alloca:
    return cast<AllocaInst>(instruction).isStaticAlloca() ? 0 : 1;
  default:
    return 1;
  }
}

unsigned lengthOf(const BasicBlock &block) {
  unsigned sum = 0;
  for (const Instruction &instruction : block)
    sum += lengthOf(instruction);
  return sum;
}

Value *bytesMoved(const CallBase &call) {
  if (auto *move = dyn_cast<AnyMemIntrinsic>(&call))
    return move->getLength();
  const Function *callee = call.getCalledFunction();
  if (callee && callee->isDeclaration() && call.arg_size() == 3 &&
      (callee->getName() == "memcpy" || callee->getName() == "memmove" ||
       callee->getName() == "memset"))
    return call.getArgOperand(2);
  return nullptr;
}

} // namespace gnomon::work
