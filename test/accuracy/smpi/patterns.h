/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the programs of this folder share: a clock that starts on all ranks after the same messages,
 * and lines that a script can compare, `PATTERN VARIANT RANK VALUE`. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank, size;
extern char *out, *in; /* the largest message each */

/* Nobody goes on before everybody is there: messages of one byte to rank 0 and back. Not
 * MPI_Barrier, whose messages are empty: what those cost differs between SMPI's versions. */
static inline void assemble(void) {
  char token = 0;
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&token, 1, MPI_BYTE, i, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i < size; ++i)
      MPI_Send(&token, 1, MPI_BYTE, i, 99, MPI_COMM_WORLD);
  } else {
    MPI_Send(&token, 1, MPI_BYTE, 0, 99, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_BYTE, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static inline void report(const char *pattern, long variant, double value) {
  printf("%s %ld %d %.13e\n", pattern, variant, rank, value);
}

static inline void send(long bytes, int to) {
  MPI_Send(out, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static inline void receive(long bytes, int from) {
  MPI_Recv(in, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#endif
