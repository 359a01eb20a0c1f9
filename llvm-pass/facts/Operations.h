// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of reductions that the program makes (MPI_Op_create). MPI calls them on what is reduced, whatever that is
/// worth once computation was skipped.
#pragma once

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace gnomon {

class Externals;

/// The function that a call of MPI_Op_create makes an operation of; null: no such call, or it is not known.
const llvm::Function *operationMadeBy(const llvm::CallBase &call);

/// Whether the function is an operation, called by MPI alone, which does the same work whatever it is handed: what it
/// reduces decides no address, divisor or loop's end; it writes only what it is to reduce, and calls nothing but functions
/// of mathematics. So it cannot fail on wrong numbers, nor carry them elsewhere.
bool isHarmlessOperation(const llvm::Function &function, const Externals &externals);

} // namespace gnomon
