// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What calls and arithmetic leave behind beside their results: errno, the flags of floating-point exceptions, and which
/// files there are. Each is an object of its own, in programs that can ask for it; others have none.
///
/// Code of which nothing is known leaves something there, too, and is not taken to read what others left.
#include "points-to/Builder.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

constexpr int64_t StateBytes = 4;

bool isFloating(const Value &value) { return value.getType()->isFPOrFPVectorTy(); }

/// Arithmetic, comparisons and conversions; of intrinsics all that are handed a number.
bool raisesFlags(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FCmp:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return true;
  default:
    break;
  }
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && !intrinsic->isAssumeLikeIntrinsic() &&
         (isFloating(*intrinsic) ||
          any_of(intrinsic->args(), [](const Value *argument) { return isFloating(*argument); }));
}

/// Whether the call opens a file to be written from its beginning or its end: that this can be done is no news of what the
/// program did before, but of where it runs.
bool opensToWrite(const CallBase &call) {
  StringRef name = call.getCalledFunction()->getName(), mode;
  if (name.starts_with("creat"))
    return true;
  return name.starts_with("fopen") && call.arg_size() > 1 &&
         getConstantStringInfo(call.getArgOperand(1), mode) &&
         (mode.starts_with("w") || mode.starts_with("a")) && !mode.contains('x');
}

} // namespace

/// Who asks for one is named in the module.
void Builder::addState() {
  for (const Function &function : module_) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      continue;
    if (function.getName() == ErrnoAddress)
      errno_ = freshObject(ObjectKind::State, function, StateBytes);
    else if (flags_ == NoPointers && externals_.of(function).readsFlags)
      flags_ = freshObject(ObjectKind::State, function, StateBytes);
    else if (names_ == NoPointers && externals_.of(function).names)
      names_ = freshObject(ObjectKind::State, function, StateBytes);
  }
}

/// What the instruction leaves there by its arithmetic.
void Builder::leaveFlags(const Instruction &instruction) {
  if (flags_ != NoPointers && raisesFlags(instruction))
    record(instruction, {.pointer = flags_, .written = true, .byModel = true});
}

/// What the call of an external function does with them.
void Builder::applyState(const CallBase &call, unsigned frame, const Effect &effect) {
  AccessClass number;
  number.classes = IntegerBit;
  const Function *callee = call.getCalledFunction();
  if (callee && callee->getName() == ErrnoAddress)
    return solver_.addCopy(errno_, node(frame, call));
  if (maySetErrno(call, effect))
    record(call, {.pointer = errno_, .type = number, .written = true, .byModel = true});
  record(call, {.pointer = flags_,
                .type = number,
                .read = effect.readsFlags,
                .written = effect.writesFlags || mayRaiseFlags(effect),
                .byModel = true});
  if (effect.names)
    record(call, {.pointer = names_,
                  .type = number,
                  .read = !callee || !opensToWrite(call),
                  .written = true,
                  .byModel = true});
}

} // namespace gnomon::pointsto
