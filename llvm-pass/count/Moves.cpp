// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Moves.h"

#include "work/Lengths.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gnomon::count {

int64_t constantMove(const CallBase &call) {
  auto *bytes = dyn_cast_or_null<ConstantInt>(work::bytesMoved(call));
  return bytes ? static_cast<int64_t>(bytes->getZExtValue() / work::BytesPerInstruction) : 0;
}

Value *variableMove(const CallBase &call) {
  Value *bytes = work::bytesMoved(call);
  return bytes && !isa<ConstantInt>(bytes) ? bytes : nullptr;
}

} // namespace gnomon::count
