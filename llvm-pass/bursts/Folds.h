// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which memory may be folded: what bursts, executed or skipped, read from it decides nothing, and
/// no address, divisor or end of a loop rests on it, not even of bursts that may be skipped, since
/// they are executed while their cost is learnt.
#pragma once

#include "bursts/Judge.h"
#include "fold/Sites.h"

namespace gnomon {

/// The program's allocations, and what becomes of each by both plans. None where nothing may be skipped: memory is
/// folded when skipping begins.
std::vector<FoldSite> findFolds(const Judgement &judged, const Wishes &wishes);

/// -Rpass=gnomon names what folds, -Rpass-missed=gnomon what is kept and why.
void reportFolds(llvm::ArrayRef<FoldSite> sites, const llvm::Module &module);

} // namespace gnomon
