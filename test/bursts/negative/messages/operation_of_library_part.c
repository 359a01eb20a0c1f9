// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the library of operation_of_library.c.
#include "../../ring.h"

MPI_Op countingOperation(void);
int counted(void);

static int total;

static void count(void *in, void *inout, int *length, MPI_Datatype *type) {
  const double *left = in;
  (void)inout;
  (void)type;
  for (int i = 0; i < *length; ++i)
    total = (total + (int)left[i]) % MOST;
}

MPI_Op countingOperation(void) {
  static MPI_Op operation = MPI_OP_NULL;
  if (operation == MPI_OP_NULL)
    MPI_Op_create(count, 1, &operation);
  return operation;
}

int counted(void) { return total; }
