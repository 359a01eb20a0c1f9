// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs that leave bursts alone do not call the hooks around them: before each call it is asked
/// whether hooks are on. The question comes last of all. Until then a hook is one call; with it,
/// each would be three blocks more, and a load, for all of the link's optimisations.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

class HookSwitchPass : public llvm::PassInfoMixin<HookSwitchPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
