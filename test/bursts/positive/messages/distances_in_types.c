// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a message's datatype holds the distances between a part of a matrix and a panel, as MPI_Get_address tells them;
// what is computed in these decides nothing.
#include "../../ring.h"
#include <stdlib.h>

struct Panel {
  MPI_Comm *world;
  double *pivots;
  void *buffers[2];
  MPI_Datatype types[2];
};

__attribute__((noinline)) static void describe(struct Panel *panel, double *matrix, int which) {
  int lengths[2] = {N, 16};
  MPI_Aint places[2];
  MPI_Datatype members[2] = {MPI_DOUBLE, MPI_DOUBLE};
  MPI_Get_address(matrix, &places[0]);
  MPI_Get_address(panel->pivots, &places[1]);
  places[1] -= places[0];
  places[0] = 0;
  panel->buffers[which] = matrix;
  MPI_Type_create_struct(2, lengths, places, members, &panel->types[which]);
  MPI_Type_commit(&panel->types[which]);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_size(world, &ranks);
  struct Panel *panel = malloc(sizeof *panel);
  panel->world = &world;
  panel->pivots = calloc(16, sizeof(double));
  double *out = calloc(N, sizeof(double)), *in = calloc(N, sizeof(double));
  describe(panel, out, 0);
  describe(panel, in, 1);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      out[i] = 0.5 * out[i] + in[i] * noise(i, step, rank);
    panel->pivots[step % 16] = out[step];
    MPI_Sendrecv(panel->buffers[0], 1, panel->types[0], (rank + 1) % ranks, 3, panel->buffers[1], 1,
                 panel->types[1], (rank + ranks - 1) % ranks, 3, *panel->world, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&panel->types[0]);
  MPI_Type_free(&panel->types[1]);
  MPI_Finalize();
}
