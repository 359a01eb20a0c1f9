// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an instance of a burst has executed, told apart from what the counter has grown by.
///
/// The counter in memory is right for whole paths only: at a block b it lacks P(b) of what has run, which
/// the way out pays back (Plan.h), and in the middle of a block what stands before. So from the begin of a
/// burst to one of its ends it grows by
///
///     executed + a(end) − a(begin),   a(call) = −P(block) − length of what stands before the call
///
/// and so it does where the instance is skipped and nothing is executed. An instance that is executed needs no
/// correction. One that is skipped is charged what others have taken: with a(end) − a(begin) in it, that
/// would count twice. Both are known here, and the end tells the runtime.
///
/// Worked example: a loop in a cell's code that is skipped 400,000 times. Its end lies on a block that
/// the tree reaches by the other branch, so that a = −2 at the begin and 0 at the end: each instance of 11
/// instructions seemed to take 13, and the way past it another 2.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>

namespace gnomon::count {

/// Whether the call begins or ends an instance of a burst. It looks at the counter, but where hooks are off, as mostly,
/// it is not called.
bool isBurstHook(const llvm::CallBase &call);
/// Whether it is one of these, or says that the rank has come to a phase. A loop with such calls counts in a register
/// all the same, and is not emptied before them. In place of that they are told what is pending: the end of the link
/// puts it into memory where hooks are on, and takes it back behind the call.
bool isToldPending(const llvm::CallBase &call);

/// \p pending of 64 bits is counted and not in memory. The call is replaced by one of another name, which has it as its
/// last argument.
void tellPending(llvm::CallBase &hook, llvm::Value &pending);
/// The call of the hook itself in place of one that is told what is pending, around which \p counter has that.
void callWithPending(llvm::CallInst &told, llvm::GlobalVariable &counter);

/// Whether bursts begin in the function.
bool hasBursts(const llvm::Function &function);

/// The ends of bursts in the function tell a(end) − a(begin), where that is not 0. \p ahead gives a(call), up to
/// a constant of the function. Calls of the function are replaced: before anybody keeps them.
void tellEnds(llvm::Function &function, llvm::function_ref<int64_t(const llvm::CallBase &)> ahead);

} // namespace gnomon::count
