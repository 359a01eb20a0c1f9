// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many instructions of a machine an instruction of the IR stands for. One table for the works
/// of bursts (estimated) and for the counters of --compute=counted (executed), so that both speak
/// of the same unit.
#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/InstrTypes.h"

namespace gnomon::work {

/// A call of a function that is not defined in the module, beside the call itself: what a function
/// of the mathematical library takes. Also a call of which nothing else is known.
inline constexpr unsigned UnknownCallLength = 20;

/// memcpy, memset and the like move this many bytes an instruction.
inline constexpr unsigned BytesPerInstruction = 16;

/// Instructions of a machine: 0 for what becomes no code (phis, casts without effect, debug
/// records, lifetimes, constant address arithmetic, unconditional branches), and for hooks of
/// bursts, which are none of the program's (names/HookCode.h); 1 for most others;
/// calls of functions that are not defined include UnknownCallLength, those of others count their
/// own instruction only.
unsigned lengthOf(const llvm::Instruction &instruction);

/// The sum over a block's instructions.
unsigned lengthOf(const llvm::BasicBlock &block);

/// The length operand of a memcpy, memmove or memset, an intrinsic or a call; null when it is none.
llvm::Value *bytesMoved(const llvm::CallBase &call);

} // namespace gnomon::work
