// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points that a rank passes at most once, outside loops (before main's time loop, say), and the
/// code that can still run behind each. What is skipped behind a point cannot hurt what ran before
/// it, so a setup phase whose control needs exact values does not keep the rest of the program from
/// being skipped.
#pragma once

#include "slice/Slice.h"

#include "llvm/IR/PassManager.h"

#include <vector>

namespace gnomon {

struct Phase {
  /// A rank enters the phase before these instructions: the point itself, and wherever a way around
  /// it comes to code of the scope. None for the first phase.
  llvm::SmallVector<llvm::Instruction *, 4> entries;
  Scope scope;
};

/// Gives each call of a function that is called nowhere else a block of its own, so that scopes can
/// begin inside the callee. Before the first question to Program::flow.
void isolateCalls(const Program &program, llvm::FunctionAnalysisManager &analyses);

/// The first phase is the whole program. Each scope holds the next one. At most \p most: points
/// before loops without MPI are left out first.
std::vector<Phase> findPhases(const Program &program, llvm::FunctionAnalysisManager &analyses,
                              unsigned most = 24);

} // namespace gnomon
