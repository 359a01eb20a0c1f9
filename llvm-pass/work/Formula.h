// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A polynomial as a table that the runtime evaluates (gnomon/Burst.h), and the values of the
/// program that it follows from. As IR each operation of each work would go through all of the
/// link's optimisations and its code generation, to be executed by few runs.
#pragma once

#include "work/Algebra.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace gnomon::work {

struct Formula {
  llvm::SmallVector<const Atom *, 4> inputs; ///< values and loads of the program, in this order
  llvm::SmallVector<uint8_t, 64> code;
  llvm::SmallVector<double, 16> coefficients;
};

/// Nothing when it has more inputs or numbers than a record takes.
std::optional<Formula> formulaOf(const Polynomial &polynomial);

/// The record that the runtime reads.
llvm::GlobalVariable *addRecord(const Formula &formula, llvm::Module &module);

} // namespace gnomon::work
