// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop writes a text; a function that remembers how far it has come finds the number in it, handed nothing.
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, PADDING = 200 };

__attribute__((noinline)) static void begin(char *text) { strtok(text, " "); }

__attribute__((noinline)) static int next(void) {
  const char *word = strtok(NULL, " ");
  return word ? atoi(word) : 0;
}

__attribute__((noinline)) static void write(char *text, int step, int rank) {
  strcpy(text, "count ");
  // EXPECT-RUN
  for (int i = 0; i < PADDING; ++i)
    text[6 + i] = i < DIGITS ? (char)('1' + (int)(9 * noise(i, step, rank))) : ' ';
  text[6 + PADDING] = 0;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char *text = malloc(8 + PADDING);
  for (int step = 0; step < STEPS; ++step) {
    write(text, step, rank);
    begin(text);
    sendAround(next());
  }
  free(text);
  MPI_Finalize();
}
