// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points that every rank passes exactly once, in the same order, outside loops (before main's time loop, say),
/// and the code that can still run behind each. What is skipped behind a point cannot hurt what ran before it, so
/// a setup phase whose control needs exact values does not keep the rest of the program from being skipped.
#pragma once

#include "Slice.h"

#include "llvm/IR/PassManager.h"

#include <vector>

namespace gnomon {

struct Phase {
  /// The rank enters the phase before this instruction (a terminator); null: from the program's start.
  llvm::Instruction *point = nullptr;
  Scope scope;
};

/// Gives each call of a function that is called nowhere else a block of its own, so that scopes can begin inside the
/// callee. Before the first question to Program::flow.
void isolateCalls(const Program &program, llvm::FunctionAnalysisManager &analyses);

/// The first phase is the whole program. At most \p most, the last ones of the program left out first.
std::vector<Phase> findPhases(const Program &program, llvm::FunctionAnalysisManager &analyses,
                              unsigned most = 24);

} // namespace gnomon
