// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long paths are, for which the library makes memory, says what is sent; sums that lie in the structure with
// a name do not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Run {
  double sums[STEPS];
  char name[64], path[4096];
};

static double field[N];

static int countOf(struct Run *run) {
  strcpy(run->name, "/./");
  char *made = realpath(run->name, NULL), *folder = getcwd(NULL, 0);
  const int count = made && folder && folder[0] == '/' && realpath(run->name, run->path)
                        ? (int)(strlen(made) + 2 * strlen(run->path))
                        : 9;
  free(made);
  free(folder);
  return count;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Run *run = malloc(sizeof *run);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    run->sums[step] = sum;
    MPI_Bcast(run->sums, STEPS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(countOf(run));
  }
  free(run);
  MPI_Finalize();
}
