// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// --compute=counted: the program counts its own instructions.
///
/// One counter a module, names::Instructions, grows by the length (work/Lengths.h) of what runs. It
/// is raised on the fewest and coldest edges of the control flow (count/Plan.h), a function's
/// constant part by its callers. In a loop that can go round without a call that could look at the
/// counter, raises are kept in a register until such a call comes or the loop is left
/// (count/Registers.h); and where no such call is in it, what every iteration adds is multiplied by
/// the number of iterations, as an induction variable tells it, so that the usual inner loop
/// carries no counter and is vectorised as before.
///
/// Placed at the beginning of full link-time optimisation, behind everything of ours that changes
/// what runs: the same instructions are then counted whatever the optimiser does with them (the
/// numbers depend on the options of the compile step). Between two calls that may look at the
/// counter it may be ahead by the straight code of the functions that are on the way; what looks
/// without being called (a crash's report, a handler of a signal from outside) does not see what a
/// register holds.
///
/// GNOMON_COUNT=0 in the environment of the link leaves the counters out; GNOMON_COUNT=memory keeps
/// nothing in registers, and all calls see the same numbers; GNOMON_COUNT=blocks puts a counter at
/// the head of each block instead, which is slow and exact to the block.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

class CountPass : public llvm::PassInfoMixin<CountPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gnomon
