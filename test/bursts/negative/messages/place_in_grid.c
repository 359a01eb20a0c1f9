// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the last coordinate of a rank that a loop computes decides how much is sent.
#include "../../ring.h"

struct Grid {
  MPI_Comm comm;
  int place[3];
};

static double field[N];

__attribute__((noinline)) static void locate(struct Grid *grid, int rank) {
  MPI_Cart_coords(grid->comm, rank, 3, grid->place);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, dims[3] = {1, 1, 0}, periods[3] = {0};
  struct Grid grid;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  dims[2] = ranks;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid.comm);
  for (int step = 0; step < STEPS; ++step) {
    int above = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      above += field[i] > 0.5;
    }
    locate(&grid, above % ranks);
    sendAround(1 + grid.place[2]);
  }
  MPI_Finalize();
}
