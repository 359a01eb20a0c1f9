// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conditions that do not change once a phase has begun (a flag of the input: iterate so many times, or until a residual
/// is small), and what may be skipped where they hold: nothing that only their other outcome leads to matters then. Each
/// makes a phase of its own, behind the one in which it is fixed, which a rank enters where the condition holds.
#pragma once

#include "bursts/Decide.h"

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Adds such phases to \p phases, few and only where they let more be skipped, and decides anew.
void addConditions(const MemoryUse &memory, Roots &roots, const Regions &regions,
                   const Wishes &wishes, llvm::FunctionAnalysisManager &analyses,
                   std::vector<Phase> &phases, std::vector<Decision> &decisions);

/// Fills in Decision::condition.
void nameConditions(llvm::ArrayRef<Phase> phases, llvm::MutableArrayRef<Decision> decisions);

} // namespace gnomon
