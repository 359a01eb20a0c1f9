// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: functions of the program's own that print what they are handed print a sum to a file, too; the program reads it
// again.
#include "../../ring.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static double field[N];

__attribute__((noinline)) static int vlogTo(FILE *stream, const char *format, va_list rest) {
  return vfprintf(stream, format, rest);
}

__attribute__((noinline)) static int logTo(FILE *stream, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int written = vlogTo(stream, format, rest);
  va_end(rest);
  return written;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    logTo(stdout, "step %d of rank %d\n", step, rank);
    FILE *file = tmpfile();
    if (!file)
      abort();
    logTo(file, "%g\n", sum);
    rewind(file);
    double back = 0;
    if (fscanf(file, "%lf", &back) != 1)
      abort();
    fclose(file);
    sendAround((int)back);
  }
  MPI_Finalize();
}
