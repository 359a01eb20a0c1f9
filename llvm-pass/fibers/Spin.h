// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that wait for what another thread or rank writes let it run. All ranks and threads take
/// turns on one thread of the machine: without a call, such a loop would never end.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Puts gnomon_spin(n) into the way back to the head of each loop that waits (SpinLoops.h), n being
/// the number of turns since the loop was entered.
class SpinPass : public llvm::PassInfoMixin<SpinPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
