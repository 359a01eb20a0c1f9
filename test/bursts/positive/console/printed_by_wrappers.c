// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: functions of the program's own print what they are handed, in the kernel and behind it: numbers, and a name
// that lies beside the sums. Nobody asks how it went.
#include "../../ring.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Run {
  double sums[STEPS];
  int steps;
  char name[16];
};

static double field[N];

/// Hands the rest on to the standard output, with a format that it makes.
__attribute__((noinline)) static int report(const char *format, ...) {
  char *line = malloc(strlen(format) + 3);
  strcpy(line, "# ");
  strcat(line, format);
  va_list rest;
  va_start(rest, format);
  const int written = vprintf(line, rest);
  va_end(rest);
  free(line);
  return written;
}

__attribute__((noinline)) static int complainOf(FILE *stream, const char *format, va_list rest) {
  return vfprintf(stream, format, rest);
}

__attribute__((noinline)) static void complain(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  complainOf(stderr, format, rest);
  va_end(rest);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Run *run = calloc(1, sizeof *run);
  strcpy(run->name, "relaxation");
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
      if (sum > 1e3)
        report("%s: the sum of step %d is large: %g\n", run->name, step, sum);
      if (sum < -1e3)
        complain("the sum is %g\n", sum);
    }
    run->sums[step] = sum;
    run->steps += (int)sum;
    report("%s: the sum of step %d is %g, that of all %d\n", run->name, step, run->sums[step],
           run->steps);
    sendAround(1 + step % 3 + (int)strlen(run->name));
  }
  free(run);
  MPI_Finalize();
}
