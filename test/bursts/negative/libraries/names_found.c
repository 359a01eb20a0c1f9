// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result is a file's name; the names that a pattern fits have it in them.
#define _GNU_SOURCE
#include "../../ring.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    char name[40], names[40];
    snprintf(name, sizeof name, "found.%d.%d", rank, count);
    snprintf(names, sizeof names, "found.%d.*", rank);
    fclose(fopen(name, "w"));
    glob_t found;
    if (glob(names, 0, NULL, &found))
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround(atoi(strrchr(found.gl_pathv[0], '.') + 1));
    globfree(&found);
    remove(name);
  }
  MPI_Finalize();
}
