// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Procedures that flang's runtime calls behind an assignment or at the end of a variable's life: FINAL procedures and
/// assignments that a type defines for itself. Tables of the compiler's (`…XsX<type>`, flang's
/// module/__fortran_type_info.f90) name them.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace gnomon {

/// The procedures with a body that the call may lead to: of any type.
llvm::SmallVector<const llvm::Function *, 4> finalizersCalledBy(const llvm::CallBase &call);

} // namespace gnomon
