// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which loops do nothing but wait until somebody else changes memory: `while (!flag);`. Each turn
/// is the same as the one before unless memory has changed meanwhile, that is
///   - nothing in it writes, but to variables of the function that nobody else can reach, and but
///     atomic operations that write the same each time (exchange, and, or, min, max,
///     compare-and-exchange); its calls are of such functions, or stand in SpinCalls.def;
///   - an exit hangs on memory that others reach: a volatile or atomic read, a
///     compare-and-exchange, the result of a try-lock; a plain read too where the compiler may not
///     keep what it has read (a barrier, a call that it does not know, a function that is not
///     optimised);
///   - what is read lies at the same address in each turn;
///   - no exit hangs on what the turns carry along, such as their number: a loop that counts ends
///     by itself, and a list that is walked along is another place in each turn.
/// What is not such a loop for certain is none.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace gnomon {

class SpinLoops {
public:
  /// Whether \p loop, of a function whose variables are in registers as far as they can be, waits.
  bool waits(const llvm::Loop &loop, const llvm::DominatorTree &dominators);

private:
  class Dependence;
  /// What a function does, as far as a loop that calls it is concerned.
  struct Effect {
    bool harmless = false; ///< writes nothing
    bool reads = false;    ///< memory that others may change
  };

  Effect effectOf(const llvm::Instruction &instruction);
  Effect effectOf(const llvm::CallBase &call);
  Effect effectOf(const llvm::Function &function);
  bool isHarmless(const llvm::Loop &loop);

  llvm::DenseMap<const llvm::Function *, Effect> functions_; ///< looked up only
};

} // namespace gnomon
