// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The portable data representation "external32" (MPI 4.1, section 14.5.2): big-endian, without
/// padding, integers in two's complement, floating-point numbers in IEEE 754; some types have other
/// sizes than here: MPI_LONG 4 bytes, MPI_WCHAR 2, MPI_LONG_DOUBLE 16 (binary128). Of an integer
/// that is wider here the least significant bytes are taken, as the standard says.
#pragma once

#include "mpi/datatype/Datatype.h"

#include <cstdint>

namespace gnomon::mpi {

/// Bytes of one element of \p type in external32.
int64_t external32Size(const Datatype &type);

/// Converts \p count elements; both sides are contiguous data in type map order (packBytes).
/// Returns where the written bytes end.
char *toExternal32(const char *native, int64_t count, const Datatype &type, char *external);
char *fromExternal32(const char *external, int64_t count, const Datatype &type, char *native);

} // namespace gnomon::mpi
