// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of owners_behind_fields.c: an end that its caller's compiler does not know to be one.
#include <mpi.h>
#include <stdlib.h>

void leave(int code) {
  MPI_Finalize();
  exit(code);
}
