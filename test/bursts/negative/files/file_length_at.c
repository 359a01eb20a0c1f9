// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a written file is, asked for by a name in a folder, is a message's size.
#include "../../ring.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "values_at.%d", rank);
  FILE *out = fopen(name, "w");
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    fprintf(out, "%.*f", (int)(sum + N) % 13, sum);
    fflush(out);
    struct stat status;
    if (fstatat(AT_FDCWD, name, &status, 0) != 0)
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround((int)(status.st_size % MOST));
  }
  MPI_Finalize();
}
