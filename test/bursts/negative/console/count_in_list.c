// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function of the program prints what it is handed, and stores how much that was where it is told to ("%n"): a
// message's size.
#include "../../ring.h"
#include <stdarg.h>
#include <stdio.h>

static double field[N];
static char text[64];

__attribute__((noinline, format(printf, 1, 2))) static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    int count = 1;
    say("%.*f%n", (int)(sum + N) % 13, sum, &count);
    say("%d", step);
    sendAround(count);
  }
  MPI_Finalize();
}
