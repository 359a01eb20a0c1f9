// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: as many bytes as a text has are copied, but an address lies there by then; what it leads to decides.
#include "../../ring.h"
#include <string.h>

union Place {
  char text[16];
  double *where;
};

static double x[N], y[N];

__attribute__((noinline)) static double *copyPlace(union Place *place, double *chosen) {
  union Place copy;
  memset(&copy, 0, sizeof copy);
  size_t length = strlen(place->text);
  place->where = chosen;
  memcpy(&copy, place, length);
  return copy.where;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      x[i] = 10 * noise(i, step, rank);
      y[i] = 20 * noise(i, step, rank);
    }
    union Place place;
    strcpy(place.text, "12345678");
    sendAround(1 + (int)copyPlace(&place, step % 2 ? x : y)[5]);
  }
  MPI_Finalize();
}
