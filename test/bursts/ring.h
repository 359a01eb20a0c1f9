/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the programs of this folder share: a message whose size is somebody's decision, and numbers
 * that look random but are the same on every run.
 */
#pragma once

#include <mpi.h>

enum { MOST = 4096, STEPS = 12, N = 1000 };

/* In [0, 1); another number for another item, step or rank. */
static inline double noise(int item, int step, int rank) {
  unsigned bits = (unsigned)item * 2654435761u ^ (unsigned)(step * 40503 + rank * 977 + 12345);
  bits = (bits ^ bits >> 15) * 2246822519u;
  bits = (bits ^ bits >> 13) * 3266489917u;
  return (double)(bits >> 8) / 0x1000000;
}

static inline int startRank(int *argc, char ***argv) {
  int rank;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* Sends `count` doubles, at most MOST, to the next rank of the ring. Nobody reads them. */
static inline void sendAround(int count) {
  static double out[MOST], in[MOST];
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % ranks, 1, in, MOST, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
