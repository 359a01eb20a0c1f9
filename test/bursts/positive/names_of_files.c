// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program makes a folder, and a file in it when a sum says so, and asks whether that went well only in order to say
// so.
#include "../ring.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  if (rank == 0 && mkdir("results", 0700) != 0)
    fprintf(stderr, "no folder: %s\n", strerror(errno));
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    if (rank == 0 && sum > 0) {
      FILE *file = fopen("results/sums", "a");
      if (!file)
        fprintf(stderr, "no file: %s\n", strerror(errno));
      else {
        fprintf(file, "%d %g\n", step, sum);
        fclose(file);
      }
    }
    sendAround(5);
  }
  MPI_Finalize();
}
