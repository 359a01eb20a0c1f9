// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a communicator keeps the address of a count that loops go on changing.
#include "../../ring.h"

static int count;

__attribute__((noinline)) static void fill(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    count = (count * 5 + (int)(noise(i, step, rank) * 100)) % MOST;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &count);
  for (int step = 0; step < STEPS; ++step) {
    int *found, flag;
    fill(step, rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
    sendAround(*found);
  }
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
}
