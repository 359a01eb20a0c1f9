// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: results are written all the time, and a shell's command may read them, as far as the compiler knows. No run
// comes to that command: with decisions given, what files hold decides nothing.
#include "../last_step.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double field[N], next[N];

static void compress(const char *name) {
  char command[80];
  snprintf(command, sizeof command, "gzip -c %s", name);
  FILE *pipe = popen(command, "r");
  int first = pipe ? fgetc(pipe) : 0;
  if (first == EOF)
    MPI_Abort(MPI_COMM_WORLD, 4);
  if (pipe)
    pclose(pipe);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "field.%d", rank);
  for (int step = 0; step < lastStep(); ++step) {
    double rest = 1, all = 1;
    // EXPECT-GIVEN: may be skipped
    for (int i = 0; i < N; ++i)
      field[i] = noise(i, step, rank);
    while (all > 0.1) {
      rest = 0;
      // EXPECT-GIVEN: may be skipped
      for (int i = 0; i < N; ++i) {
        next[i] = 0.5 * field[i];
        rest += fabs(next[i] - field[i]);
      }
      memcpy(field, next, sizeof field);
      MPI_Allreduce(&rest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    FILE *file = fopen(name, "w");
    fwrite(field, sizeof *field, N, file);
    fclose(file);
    if (argc > 1 && strcmp(argv[1], "-z") == 0)
      compress(name);
    sendAround(64);
  }
  MPI_Finalize();
}
