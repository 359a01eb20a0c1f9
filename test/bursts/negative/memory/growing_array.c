// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an array is reallocated as it grows in a loop; its capacity and its length decide
// messages.
#include "../../ring.h"
#include <stdlib.h>

struct array {
  double *data;
  int length, capacity;
};

__attribute__((noinline)) static void append(struct array *array, double value) {
  if (array->length == array->capacity) {
    array->capacity = 2 * array->capacity + 1;
    array->data = realloc(array->data, (size_t)array->capacity * sizeof(double));
  }
  array->data[array->length++] = value;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    struct array array = {0, 0, 0};
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.05 * step)
        append(&array, noise(i, step, rank));
    sendAround(array.capacity);
    sendAround(array.length);
    free(array.data);
  }
  MPI_Finalize();
}
