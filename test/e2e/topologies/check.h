/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the C programs of this folder share: who this is, and checks that name the line that fails.
 */
#pragma once

#include <mpi.h>
#include <stdio.h>

static int rank, size;

static inline void check(int good, const char *what, int line) {
  if (!good) {
    printf("rank %d: %s (line %d)\n", rank, what, line);
    MPI_Abort(MPI_COMM_WORLD, 9);
  }
}
#define CHECK(x) check((x), #x, __LINE__)

static inline int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}
#define CHECK_CLASS(call, expected) CHECK(class_of(call) == (expected))
