// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a sum becomes text by a function of the program's own that takes variable arguments, in memory that another one
// makes and frees; the text says how much is sent.
#include "../../ring.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double field[N];

__attribute__((noinline)) static int print(char *text, size_t room, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int written = vsnprintf(text, room, format, rest);
  va_end(rest);
  return written;
}

__attribute__((noinline)) static int scan(const char *text, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int found = vsscanf(text, format, rest);
  va_end(rest);
  return found;
}

__attribute__((noinline)) static int countOf(double sum) {
  char *text = malloc(32), *copy = malloc(40);
  int count = 0, rest = 0;
  print(text, 32, "%d of %d", (int)sum, N);
  strcpy(copy, "all ");
  strcat(copy, text);
  scan(copy, "all %d of %d", &count, &rest);
  free(text);
  free(copy);
  return count;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    sendAround(countOf(sum));
  }
  MPI_Finalize();
}
