// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: words cut out of a text, by the two functions that are told how far they have come, say what is sent; sums
// that lie in the same structure do not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

struct Run {
  double sums[STEPS];
  char text[64];
};

static double field[N];

static int countOf(struct Run *run) {
  strcpy(run->text, "3 5 7 1");
  char *rest = run->text, *place;
  int count = atoi(strsep(&rest, " "));
  for (char *word = strtok_r(rest, " ", &place); word; word = strtok_r(NULL, " ", &place))
    count += atoi(word);
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
