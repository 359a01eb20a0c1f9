// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number lies in memory that a scan of a text has made; where it does decides a message's size.
#include "../../ring.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int scan(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int found = vsscanf(text, format, arguments);
  va_end(arguments);
  return found;
}

__attribute__((noinline)) static void put(char *text, int value) { text[0] = (char)value; }

__attribute__((noinline)) static int get(const char *text) { return text[0]; }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    char *word = "none", *other = "none"; // which the scans replace
    if (sscanf("word", "%ms", &word) != 1 || scan("word", "%ms", &other) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    put(step % 2 ? word : other, count % 100);
    sendAround(get(step % 2 ? word : other));
    free(word);
    free(other);
  }
  MPI_Finalize();
}
