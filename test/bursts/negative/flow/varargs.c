// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count passes through a function with a variable number of arguments.
#include "../../ring.h"
#include <stdarg.h>

static int total;

__attribute__((noinline)) static void add(int how_many, ...) {
  va_list arguments;
  va_start(arguments, how_many);
  // EXPECT-RUN
  for (int i = 0; i < how_many; ++i)
    total += (int)(va_arg(arguments, double) * 100);
  va_end(arguments);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    total = 0;
    add(4, noise(1, step, rank), noise(2, step, rank), noise(3, step, rank), noise(4, step, rank));
    sendAround(total);
  }
  MPI_Finalize();
}
