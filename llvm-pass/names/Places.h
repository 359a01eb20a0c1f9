// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where code stands in the source, and what values are called there, for people.
#pragma once

#include "llvm/IR/DebugLoc.h"

#include <string>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gnomon {

/// Whether it has a line of its own; what a compiler adds has none, or line 0.
bool hasPlace(const llvm::Instruction &instruction);

/// The place of the instruction or, if it has none, of the nearest one of its block that has; null
/// without line tables.
llvm::DebugLoc nearestPlace(const llvm::Instruction &instruction);

/// "a.c:12", or "in f" without line tables.
std::string placeOf(const llvm::Instruction &instruction);
std::string placeOf(const llvm::DebugLoc &location);

/// The function as the source spells it: demangled.
std::string nameInSource(const llvm::Function &function);

/// The variable of the source that the value is; empty when none is known.
std::string nameInSource(const llvm::Value &value);

} // namespace gnomon
