// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which symbols are MPI's, in C and in Fortran.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace gnomon {

inline bool isMpiName(llvm::StringRef name) {
  return name.starts_with("MPI_") || name.starts_with("PMPI_") || name.starts_with("mpi_") ||
         name.starts_with("pmpi_");
}

} // namespace gnomon
