// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: nobody writes the flag while the loop runs but a message whose receive was begun before.
#include "../../ring.h"
#include <math.h>

static double x[N];
static int checks;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, yes = argc > 0;
  MPI_Request request;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  MPI_Irecv(&checks, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &request);
  for (int sweep = 0; sweep < 100; ++sweep) {
    double sum = 0, residual;
    // EXPECT-RUN: the end of the loop
    for (int i = 0; i < N; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (checks && residual < 0.01 * N)
      break;
    if (sweep == 5) {
      MPI_Send(&yes, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
}
