// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: numbers that MPI writes and waits for lie in one object with addresses and with what is
// computed; nothing asks for the numbers.
#include "../ring.h"
#include <stdio.h>
#include <stdlib.h>

struct state {
  MPI_Request request;
  double energy, sum;
  int inside, allInside;
  double *field;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct state *state = malloc(sizeof *state);
  state->field = calloc(N, sizeof(double));
  double *halo = calloc(N, sizeof(double));
  state->sum = state->energy = 0;
  for (int step = 0; step < STEPS * 3; ++step) {
    state->inside = 0;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      state->field[i] = 0.5 * state->field[i] + noise(i, step, rank);
      state->energy += state->field[i];
      state->inside += state->field[i] > 0.5;
    }
    MPI_Allreduce(&state->inside, &state->allInside, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&state->energy, &state->sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Irecv(halo, N, MPI_DOUBLE, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &state->request);
    MPI_Send(state->field, N / 2, MPI_DOUBLE, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
    MPI_Wait(&state->request, MPI_STATUS_IGNORE);
    state->field[0] = halo[0];
  }
  printf("%d %g\n", state->allInside, state->sum);
  free(state->field);
  free(state);
  free(halo);
  MPI_Finalize();
}
