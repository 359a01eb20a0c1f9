// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result lies in a text of wide characters, among other words.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t *place;

__attribute__((noinline)) static void cut(wchar_t *text) { wcstok(text, L" ", &place); }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char *text = malloc(64);
  wchar_t *wide = malloc(64 * sizeof *wide);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    snprintf(text, 64, "count %d", count);
    mbstowcs(wide, text, 64);
    cut(wide);
    wchar_t *word = wcstok(NULL, L" ", &place), *end;
    sendAround((int)wcstol(word, &end, 10));
  }
  free(wide);
  free(text);
  MPI_Finalize();
}
