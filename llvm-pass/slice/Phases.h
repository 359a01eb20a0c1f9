// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points that a rank passes at most once, outside loops (before main's time loop, say), and the
/// code that can still run behind each. What is skipped behind a point cannot hurt what ran before
/// it, so a setup phase whose control needs exact values does not keep the rest of the program from
/// being skipped. A phase may have a condition that does not change any more: then code that only
/// another outcome leads to does not count either.
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
  /// Where code of the scope is entered from outside it: a loop's header, the blocks of the calls that lead there from
  /// main, which are entered there, and wherever a way around comes in. None: the program starts in it.
  llvm::SmallVector<const llvm::BasicBlock *, 4> starts{};
  llvm::SmallVector<llvm::CallBase *, 4> chain{};
  /// Of a phase with a condition: it has no entries. A rank is in it once all ranks are in the phase before, and it has
  /// come to one of these places where the condition is as it `holds`.
  struct Check {
    llvm::Instruction *condition, *before;
  };
  llvm::SmallVector<Check, 2> checks{};
  bool holds = false;
};

/// Gives each call of a function that is called nowhere else a block of its own, so that scopes can
/// begin inside the callee. Before the first question to Program::flow.
void isolateCalls(const Program &program, llvm::FunctionAnalysisManager &analyses);

/// The first phase is the whole program. Each scope holds the next one. At most \p most: points
/// before loops without MPI are left out first.
std::vector<Phase> findPhases(const Program &program, llvm::FunctionAnalysisManager &analyses,
                              unsigned most = 24);

/// What can still run behind the point of \p phase while values are as they are \p known to be.
Scope scopeWhere(const Program &program, const Phase &phase, std::shared_ptr<const Known> known);

} // namespace gnomon
