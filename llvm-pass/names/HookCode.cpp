// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names/HookCode.h"

#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace gnomon {

static constexpr char Mark[] = "gnomon.hook";

void markAsHook(Instruction &instruction) {
  instruction.setMetadata(Mark, MDNode::get(instruction.getContext(), {}));
}

void markAsHook(BasicBlock &block) {
  for (Instruction &instruction : block)
    markAsHook(instruction);
}

bool isHook(const Instruction &instruction) {
  return instruction.hasMetadataOtherThanDebugLoc() && instruction.getMetadata(Mark);
}

} // namespace gnomon
