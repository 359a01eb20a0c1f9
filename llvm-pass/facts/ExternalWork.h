// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of calls of numerical libraries, from their dimensions: m n k of a matrix product.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Instruction;
class Value;
} // namespace llvm

namespace gnomon {

/// In multiplications, roughly, as a 64-bit value before \p position; null when the function is not
/// known. Dimensions that C passes by value and Fortran by reference are read.
llvm::Value *externalWork(llvm::CallBase &call, llvm::Instruction &position);

/// Whether a call of the function may be long: it works on whole arrays.
bool worksOnArrays(llvm::StringRef name);
/// Whether it is one of those whose work is known from its arguments: BLAS and LAPACK.
bool hasKnownWork(llvm::StringRef name);

} // namespace gnomon
