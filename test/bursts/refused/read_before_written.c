// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a file is open for reading all the while that it is written, and a line that says when to end is read as soon as it
// is there.
// REFUSED: rank [0-3] reads count\.[0-3], which rank [0-3] has written
#include "../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char outName[40], inName[40], line[40];
  snprintf(outName, sizeof outName, "count.%d", rank);
  snprintf(inName, sizeof inName, "count.%d", rank);
  fclose(fopen(outName, "w"));
  FILE *in = fopen(inName, "r"), *out = fopen(outName, "a");
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    for (int i = 0; i < N; ++i)
      sum += noise(i, step, rank);
    if (sum > N * 0.5) {
      fprintf(out, "%g\n", sum);
      fflush(out);
    }
    clearerr(in);
    sendAround(fgets(line, sizeof line, in) ? 10 : 20);
  }
  MPI_Finalize();
}
