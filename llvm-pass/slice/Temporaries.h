// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory that one function makes and frees again, and that nobody else gets to know of: the arrays in which Fortran
/// keeps what an expression comes to. Whether such is made matters to who uses it, and to nobody else.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace gnomon {

struct Effect;

/// What an external function does.
using EffectOf = llvm::function_ref<const Effect &(const llvm::CallBase &call)>;

/// The calls of free that end the life of what \p allocation makes, where its address goes nowhere else and
/// no way through the function uses it, or frees it, behind them. None: \p allocation is no call of malloc, or its
/// memory may be known to others.
llvm::SmallVector<const llvm::CallBase *, 2> freesOfTemporary(const llvm::CallBase &allocation,
                                                              EffectOf effectOf);

/// The call of malloc whose memory \p call frees; null: it is no call of free, or nobody knows.
const llvm::CallBase *allocationFreedBy(const llvm::CallBase &call);

} // namespace gnomon
