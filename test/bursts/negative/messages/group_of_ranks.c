// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop computes which ranks, in which order, make up a new communicator.
#include "../../ring.h"

enum { RANKS = 16 };

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Group all, part;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int step = 0; step < STEPS; ++step) {
    int votes[RANKS] = {0}, members[RANKS] = {0}, count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      ++votes[(int)(noise(i, step, 0) * ranks)];
    for (int i = 0; i < ranks; ++i)
      if (votes[i] * ranks > N)
        members[count++] = i;
    MPI_Comm some;
    MPI_Group_incl(all, count, members, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, &some);
    if (some != MPI_COMM_NULL) {
      double value = rank;
      MPI_Bcast(&value, 1, MPI_DOUBLE, 0, some);
      MPI_Comm_free(&some);
    }
    MPI_Group_free(&part);
  }
  MPI_Group_free(&all);
  MPI_Finalize();
}
