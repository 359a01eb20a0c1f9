// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a report that no run makes says where the program is, by the C library's lists of callers. It needs nothing of
// the program's for that.
#include "../../ring.h"
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *field;

__attribute__((noinline)) static void report(const char *what) {
  void *places[32];
  int count = backtrace(places, 32);
  char **names = backtrace_symbols(places, count);
  char *text = strdup(what);
  fprintf(stderr, "%s\n", text);
  free(text);
  for (int i = 0; names && i < count; ++i)
    fprintf(stderr, "  %s\n", names[i]);
  free(names);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  field = calloc(N, sizeof *field);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      field[i] += noise(i, step, rank);
      if (field[i] < 0)
        report("a negative number");
    }
    sendAround(64);
  }
  MPI_Finalize();
}
