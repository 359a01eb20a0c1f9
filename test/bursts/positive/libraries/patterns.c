// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: where a pattern fits a text, and how many names one fits, says what is sent; sums that lie in the same structure
// do not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <glob.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct Run {
  double sums[STEPS];
  char text[64];
};

static double field[N];

static int countOf(struct Run *run) {
  regex_t pattern;
  regmatch_t found[2];
  glob_t names;
  strcpy(run->text, "count = 17");
  if (regcomp(&pattern, "= *([0-9]+)", REG_EXTENDED))
    MPI_Abort(MPI_COMM_WORLD, 4);
  int count = 1;
  const int error = regexec(&pattern, run->text, 2, found, 0);
  if (!error)
    count = atoi(run->text + found[1].rm_so);
  else
    regerror(error, &pattern, run->text, sizeof run->text);
  regfree(&pattern);
  strcpy(run->text, "/t[m]p");
  if (!glob(run->text, 0, NULL, &names)) {
    count += (int)(names.gl_pathc + strlen(names.gl_pathv[0]));
    globfree(&names);
  }
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
