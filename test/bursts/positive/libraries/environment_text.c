// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a text that is made a part of the environment says what is sent; a field whose address MPI keeps does not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

static int countOf(void) {
  static char text[64];
  strcpy(text, "GNOMON_TEST_COUNT=7");
  putenv(text);
  return atoi(strchr(text, '=') + 1);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double *field = calloc(N, sizeof *field);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, field);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(countOf());
  }
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  free(field);
  MPI_Finalize();
}
