// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: addresses lie among the program's arguments, and in their texts; what they lead to decides.
#include "../../ring.h"
#include <string.h>

static double x[N], y[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double *inText = y;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      x[i] = 10 * noise(i, step, rank);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      y[i] = 10 * noise(i, step + 1, rank);
    char *program = argv[0];
    if (strlen(program) > sizeof inText)
      memcpy(program, &inText, sizeof inText);
    argv[0] = (char *)x;
    double *behind = y;
    memcpy(&behind, program, sizeof behind);
    sendAround(1 + (int)((double *)argv[0])[5] + (int)behind[7]);
    argv[0] = program;
  }
  MPI_Finalize();
}
