// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a command that begins as one that makes a folder looks at a file, too, and its result says how much is sent.
// REFUSED: rank [0-3] looks at the result of the command "mkdir -p found\.[0-3]; grep .*", which may read count\.[0-3], which rank [0-3] has written.*opened for writing at result_of_command\.c:1[0-9] in main.*run at result_of_command\.c:2[0-9] in main.*files=needed
#include "../ring.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40], command[120];
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    snprintf(name, sizeof name, "count.%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "%d\n", count);
    fclose(file);
    snprintf(command, sizeof command, "mkdir -p found.%d; grep -q '[0-4]$' count.%d", rank, rank);
    sendAround(system(command) == 0 ? 5 : 64);
  }
  MPI_Finalize();
}
