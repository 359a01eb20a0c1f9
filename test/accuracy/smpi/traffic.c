/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * traffic SEED MESSAGES BYTES: random messages between random ranks, of random sizes up to BYTES,
 * posted all at once and in the same order everywhere; prints the simulated date at which each rank
 * has all of its own: no collective, no computation, no wildcard. */
#include "patterns.h"

int rank, size;
char *out, *in;

static unsigned long long state;

static unsigned long long next(void) { /* a linear congruential generator: the same everywhere */
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 33;
}

int main(int argc, char **argv) {
  int mine = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  state = strtoull(argv[1], NULL, 10);
  int messages = atoi(argv[2]);
  unsigned long long most = strtoull(argv[3], NULL, 10);
  out = calloc(1, most + 1);
  in = calloc(1, most + 1);
  MPI_Request *requests = malloc(2 * (size_t)messages * sizeof *requests);
  for (int i = 0; i < messages; ++i) {
    int from = (int)(next() % (unsigned)size), to = (int)(next() % (unsigned)size);
    unsigned long long scale = next() % 24;
    int bytes = (int)((next() % (most + 1)) >> (scale < 12 ? scale : 0)); /* small ones too */
    if (from == to)
      continue;
    if (rank == to)
      MPI_Irecv(in, bytes, MPI_BYTE, from, i, MPI_COMM_WORLD, &requests[mine++]);
    if (rank == from)
      MPI_Isend(out, bytes, MPI_BYTE, to, i, MPI_COMM_WORLD, &requests[mine++]);
  }
  MPI_Waitall(mine, requests, MPI_STATUSES_IGNORE);
  report("traffic", atol(argv[1]), MPI_Wtime()); /* no gather: it would disturb the others */
  MPI_Finalize();
  return 0;
}
