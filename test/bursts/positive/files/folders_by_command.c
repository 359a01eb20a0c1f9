// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a shell makes the folder of each step, as mkdir does. It reads no file, so that what a field's file holds
// decides nothing. A file of the user's that says when to end is read all the time.
#include "../../last_step.h"
#include <stdio.h>
#include <stdlib.h>

static double field[N];

static void makeFolder(const char *name) {
  char command[80];
  snprintf(command, sizeof command, "mkdir -p %s 2> /dev/null", name);
  if (system(command) != 0)
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[60];
  for (int step = 0; step < lastStep(); ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      field[i] += noise(i, step, rank);
    snprintf(name, sizeof name, "step.%d.%d", step % 2, rank);
    makeFolder(name);
    snprintf(name, sizeof name, "step.%d.%d/field", step % 2, rank);
    FILE *file = fopen(name, "w");
    fwrite(field, sizeof *field, N, file);
    fclose(file);
    sendAround(64);
  }
  system("rm -rf step.?.?");
  MPI_Finalize();
}
