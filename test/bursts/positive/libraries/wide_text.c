// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: numbers in texts of wide characters say what is sent; sums that lie in the same structure do not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

struct Run {
  double sums[STEPS];
  char text[64];
  wchar_t wide[64], copy[64];
};

static double field[N];

static int countOf(struct Run *run) {
  strcpy(run->text, "count 5 7");
  mbstowcs(run->wide, run->text, 64);
  wmemset(run->copy, 0, 64);
  wcscat(wcsncpy(run->copy, run->wide, 8), run->wide + 7);
  wchar_t *place, *end, one;
  int count = 0;
  for (wchar_t *word = wcstok(run->copy, L" ", &place); word; word = wcstok(NULL, L" ", &place))
    count += iswdigit((wint_t)*word) ? (int)wcstol(word, &end, 10) : (int)wcslen(word);
  mbstate_t state;
  memset(&state, 0, sizeof state);
  count += (int)mbrtowc(&one, run->text, 4, &state);
  return count + (one == L'c') + (wcschr(run->wide, L'5') == run->wide + 6);
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
