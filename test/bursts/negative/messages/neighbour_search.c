// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: particles move, and those that leave go to a neighbour: floating-point places decide whom
// a rank sends to, and how much.
#include "../../ring.h"

static double place[N];

int main(int argc, char **argv) {
  static double out[2][N], in[N];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int leaving[2] = {0, 0};
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      place[i] += 0.6 * (noise(i, step, rank) - 0.5);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (place[i] < -0.2 || place[i] > 0.2) {
        int side = place[i] > 0;
        out[side][leaving[side]++] = place[i];
        place[i] = 0;
      }
    for (int side = 0; side < 2; ++side)
      if (leaving[side] > 0)
        MPI_Send(out[side], leaving[side], MPI_DOUBLE, (rank + (side ? 1 : ranks - 1)) % ranks,
                 side, MPI_COMM_WORLD);
    for (int side = 0; side < 2; ++side)
      MPI_Recv(in, N, MPI_DOUBLE, (rank + (side ? ranks - 1 : 1)) % ranks, side, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
