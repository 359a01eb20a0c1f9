// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a command that begins as one that makes a folder copies a file, too.
// REFUSED: rank [0-3] reads .*copies\.[0-3]/c, which a command of rank [0-3] has written.*run at read_by_command\.c:2[0-9] in main.*read at read_by_command\.c:2[0-9] in main.*files=needed
#include "../ring.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40], command[120];
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, read = 0;
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    snprintf(name, sizeof name, "count.%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "%d\n", count);
    fclose(file);
    snprintf(command, sizeof command, "mkdir -p copies.%d && cp count.%d copies.%d/c", rank, rank,
             rank);
    system(command);
    char copy[40];
    snprintf(copy, sizeof copy, "copies.%d/c", rank);
    file = fopen(copy, "r");
    if (fscanf(file, "%d", &read) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(file);
    sendAround(read);
  }
  MPI_Finalize();
}
