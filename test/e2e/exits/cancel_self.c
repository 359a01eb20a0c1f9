// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that cancels its own thread ends, as a process would whose only thread is
// cancelled; the rank is named, since it has not called MPI_Finalize.
#include <mpi.h>
#include <pthread.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    pthread_cancel(pthread_self());
  pthread_testcancel();
  MPI_Finalize();
  return 0;
}
