// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: rounds of messages of one pattern, so that the cost of a round is the difference between
// many and few. patterns NAME ROUNDS
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BlockBytes = 1024, Tag = 7 };

static int rank, ranks;

static void ping(void) {
  long token = rank;
  if (rank == 0) {
    MPI_Send(&token, 1, MPI_LONG, 1, Tag, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_LONG, 1, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&token, 1, MPI_LONG, 0, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_LONG, 0, Tag, MPI_COMM_WORLD);
  }
}

static void ring(void) {
  long token = rank;
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  if (rank == 0)
    MPI_Send(&token, 1, MPI_LONG, next, Tag, MPI_COMM_WORLD);
  MPI_Recv(&token, 1, MPI_LONG, previous, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 0)
    MPI_Send(&token, 1, MPI_LONG, next, Tag, MPI_COMM_WORLD);
}

static void halo(void) {
  static double out[2][16], in[2][16];
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Request requests[4];
  MPI_Irecv(in[0], 16, MPI_DOUBLE, previous, Tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[1], 16, MPI_DOUBLE, next, Tag, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out[0], 16, MPI_DOUBLE, next, Tag, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out[1], 16, MPI_DOUBLE, previous, Tag, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void allreduce(void) {
  double mine = rank, sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(void) {
  static char *out, *in;
  if (!out) {
    out = calloc(ranks, BlockBytes);
    in = calloc(ranks, BlockBytes);
  }
  MPI_Alltoall(out, BlockBytes, MPI_BYTE, in, BlockBytes, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*round)(void);
  } patterns[] = {{"ping", ping},
                  {"ring", ring},
                  {"halo", halo},
                  {"allreduce", allreduce},
                  {"alltoall", alltoall}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int found = 0;
  for (size_t i = 0; argc == 3 && i < sizeof patterns / sizeof *patterns; ++i)
    if (strcmp(argv[1], patterns[i].name) == 0) {
      found = 1;
      for (int round = atoi(argv[2]); round > 0; --round)
        patterns[i].round();
    }
  if (!found && rank == 0)
    fprintf(stderr, "usage: patterns ping|ring|halo|allreduce|alltoall ROUNDS\n");
  MPI_Finalize();
  return found ? 0 : 2;
}
