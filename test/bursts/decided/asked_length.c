// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the length of what was written is asked for, and says how much is sent. With decisions given, a run that has
// skipped anything ends there.
// REFUSED: rank [0-3] may read field\.[0-3], which rank [0-3] has written.*opened for writing at asked_length\.c:[0-9]+ in main.*read at asked_length\.c:[0-9]+ in main.*files=needed
#include "../last_step.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static double field[N], next[N];

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
    struct stat status;
    if (stat(name, &status) != 0)
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround(status.st_size % MOST);
  }
  MPI_Finalize();
}
