// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The COMMON blocks behind MPI_BOTTOM and its kin (Fortran.h). They are exported and strong: a
/// program's own definitions (every Fortran file that includes mpif.h has some) must yield to
/// these, so that an address means the same in every module. Nothing reads or writes them; sizes
/// are those of the Fortran declarations.

#define GNOMON_SENTINEL(NAME, BYTES)                                                               \
  extern "C" __attribute__((visibility("default"), aligned(16))) char gnomon_mpi_##NAME##_[BYTES]; \
  char gnomon_mpi_##NAME##_[BYTES]

GNOMON_SENTINEL(bottom, 16);
GNOMON_SENTINEL(in_place, 16);
GNOMON_SENTINEL(buffer_automatic, 16);
GNOMON_SENTINEL(status_ignore, 32);
GNOMON_SENTINEL(statuses_ignore, 32);
GNOMON_SENTINEL(errcodes_ignore, 16);
GNOMON_SENTINEL(argv_null, 16);
GNOMON_SENTINEL(argvs_null, 16);
GNOMON_SENTINEL(unweighted, 16);
GNOMON_SENTINEL(weights_empty, 16);
