// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the words of a text, by a function that remembers how far it has come, say what is sent; sums that lie in the same
// structure do not.
#include "../ring.h"
#include <stdlib.h>
#include <string.h>

struct Run {
  double sums[STEPS];
  char text[64];
};

static double field[N];

__attribute__((noinline)) static int countOf(char *text) {
  int count = 0;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
    if (strncmp(word, "count=", 6) == 0)
      count = atoi(word + 6);
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
    strcpy(run->text, "size=5 count=9 steps=3");
    sendAround(countOf(run->text));
  }
  free(run);
  MPI_Finalize();
}
