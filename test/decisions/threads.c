/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread that the rank starts runs the solver: the decisions are its.
 */
#include <mpi.h>
#include <pthread.h>

enum { N = 2000 };
static double u[N];

static void *solve(void *unused) {
  double sum = 1, mine;
  while (sum > 0.01) {
    mine = 0;
    for (int i = 0; i < N; ++i) {
      u[i] *= 0.9;
      mine += u[i] / N;
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return unused;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int round = 0; round < 50; ++round)
    for (int i = 0; i < N; ++i)
      u[i] = u[i] / 2 + (i * 37 % 100) / 100.;
  pthread_create(&thread, NULL, solve, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
}
