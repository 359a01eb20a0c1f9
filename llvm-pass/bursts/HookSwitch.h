// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What hooks cost a run that leaves bursts alone. While the link optimises, the hooks around a burst are calls that
/// touch nothing of the program: what does not change in a loop around bursts (the addresses of an assumed-shape array,
/// say) is computed once, as without them. At the end, before each call it is asked whether hooks are on. Until then a
/// hook is one call; with the question, each would be three blocks more, and a load, for all of the link's
/// optimisations.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Behind all passes that put hooks in, and that ask who may look at the counter of instructions: begins and ends of
/// bursts read and write their records and the runtime's own memory. Phases and folding stay calls that may do
/// anything: memory that nobody needs from a phase on may be folded then, so what is read of it before must not be read
/// behind.
class HookEffectsPass : public llvm::PassInfoMixin<HookEffectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Hooks may do anything again, since they may turn themselves off.
class HookSwitchPass : public llvm::PassInfoMixin<HookSwitchPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
