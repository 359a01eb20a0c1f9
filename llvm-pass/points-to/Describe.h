// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Objects of the points-to analysis in the words of the source.
#pragma once

#include "points-to/Memory.h"

#include <string>

namespace llvm {
class AllocaInst;
class GlobalVariable;
} // namespace llvm

namespace gnomon::pointsto {

/// "'u' (solver.c:12)", "memory allocated at main.c:30", "COMMON /work/".
std::string describe(const Object &object);
std::string describe(const llvm::GlobalVariable &variable);
/// Of a local variable: "'u' (solver.c:12)", "a local variable of 'solve' (solver.f90:12)".
std::string describe(const llvm::AllocaInst &local);

} // namespace gnomon::pointsto
