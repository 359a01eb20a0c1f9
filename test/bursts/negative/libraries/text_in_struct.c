// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a computed number is written as text beside other data, and the text read as a count.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

struct record {
  double value;
  char text[24];
  double *array;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct record *record = malloc(sizeof *record);
  record->array = calloc(N, sizeof(double));
  for (int step = 0; step < STEPS * 3; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      record->array[i] = 0.5 * record->array[i] + noise(i, step, rank);
      sum += record->array[i];
    }
    snprintf(record->text, sizeof record->text, "%d", (int)sum % 40);
    sendAround(1 + atoi(record->text));
  }
  MPI_Finalize();
}
