// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// While the link optimises, a raise of the counter is one call that nothing sees through.
///
/// As a load, an addition and a store it is three instructions for the inliner, a value that moves
/// through phis from raise to raise, and blocks in which these are made ready (GVN's partial
/// redundancies): of HDF5's t_mpi a third of all code. In the end each is one instruction of the
/// machine, which adds to memory. And what walks over all uses of a pointer for each loop (LICM) was
/// quadratic, since the counter is written in most loops of the module.
///
/// The call is llvm.instrprof.increment.step, which the optimiser takes for short. It touches memory
/// that the program cannot reach, so the program's own loads and stores move past it, but no call
/// that may look at the counter does. What raises in a loop once a function has been inlined there
/// is collected in a register, as in the loops that have one from the start (Registers.h).
///
/// A link that instruments for profiles itself (-fcs-profile-generate) would take these calls for its
/// own: GNOMON_COUNT=0 there.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// After the counters are placed, before any optimisation.
class HideRaisesPass : public llvm::PassInfoMixin<HideRaisesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// After the inliner, before loops are made into others.
class CollectRaisesPass : public llvm::PassInfoMixin<CollectRaisesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// After all optimisations.
class ShowRaisesPass : public llvm::PassInfoMixin<ShowRaisesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
