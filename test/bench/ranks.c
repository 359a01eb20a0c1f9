// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that keeps nothing but 1 KiB of its own and what MPI needs for one operation.
// ranks barrier|allreduce|halo
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { Dimensions = 3, Block = 8, Requests = 4 * Dimensions };

static double own[128];

/// An exchange with both neighbours in each dimension of a periodic grid; all requests at once.
static void halo(void) {
  int ranks, dims[Dimensions] = {0}, periodic[Dimensions] = {1, 1, 1};
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, Dimensions, dims);
  MPI_Cart_create(MPI_COMM_WORLD, Dimensions, dims, periodic, 0, &grid);
  MPI_Request requests[Requests];
  for (int d = 0; d < Dimensions; ++d) {
    int below, above;
    double *const in = own + 2 * d * Block, *const out = own + 64 + d * Block;
    MPI_Request *const mine = requests + 4 * d;
    MPI_Cart_shift(grid, d, 1, &below, &above);
    MPI_Irecv(in, Block, MPI_DOUBLE, below, 1, grid, mine);
    MPI_Irecv(in + Block, Block, MPI_DOUBLE, above, 2, grid, mine + 1);
    MPI_Isend(out, Block, MPI_DOUBLE, above, 1, grid, mine + 2);
    MPI_Isend(out, Block, MPI_DOUBLE, below, 2, grid, mine + 3);
  }
  MPI_Waitall(Requests, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&grid);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 128; ++i)
    own[i] = rank;
  const char *const what = argc > 1 ? argv[1] : "barrier";
  if (strcmp(what, "halo") == 0) {
    halo();
  } else if (strcmp(what, "allreduce") == 0) {
    double sum;
    MPI_Allreduce(own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const int wrong = own[127] != rank;
  MPI_Finalize();
  return wrong;
}
