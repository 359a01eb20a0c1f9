// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions that the passes put around bursts carry a mark: they are none of the program's, so
/// nothing of them is counted (work/Lengths.h). Both ways past a hook are equally long then, and no
/// edge between them raises the counter.
#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"

namespace gnomon {

void markAsHook(llvm::Instruction &instruction);
/// All that the block holds.
void markAsHook(llvm::BasicBlock &block);
bool isHook(const llvm::Instruction &instruction);

} // namespace gnomon
