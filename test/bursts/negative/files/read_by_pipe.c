// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a shell's command, whose pipe is open from the start, reads what is written later. Decisions do not let what is
// written be wrong then: nothing is skipped in a run that has opened such a pipe.
// WARNED: warning: rank [0-3] may read back what the program writes: nothing is skipped.*read at read_by_pipe\.c:[0-9]+ in main
#include "../../ring.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double field[N], next[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), wanted = 0;
  char name[40], command[80];
  snprintf(name, sizeof name, "count.%d", rank);
  remove(name);
  snprintf(command, sizeof command,
           "while [ ! -s %s.done ]; do sleep 0.01; done; cat %s; rm %s.done", name, name, name);
  FILE *pipe = popen(command, "r");
  for (int step = 0; step < STEPS; ++step) {
    double rest = 1, all = 1;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      field[i] = noise(i, step, rank);
    while (all > 0.1) {
      rest = 0;
      // EXPECT-RUN
      for (int i = 0; i < N; ++i) {
        next[i] = 0.5 * field[i];
        rest += fabs(next[i] - field[i]);
      }
      memcpy(field, next, sizeof field);
      MPI_Allreduce(&rest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
  }
  FILE *file = fopen(name, "w");
  fwrite(field, sizeof *field, N, file);
  fclose(file);
  strcat(name, ".done");
  file = fopen(name, "w");
  fputs("done\n", file);
  fclose(file);
  if (!pipe || fread(next, sizeof *next, N, pipe) != N)
    MPI_Abort(MPI_COMM_WORLD, 4);
  pclose(pipe);
  for (int i = 0; i < N; ++i)
    wanted += next[i] > 2e-5;
  sendAround(wanted);
  MPI_Finalize();
}
