/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: simulated time that rests on counted instructions: each rank sums an array as often as
 * its number plus one says, and prints how long that took by three clocks, and how long a call that
 * does nothing took.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { N = 100000 };
static double values[N];

__attribute__((noinline)) static double sum(int times) {
  double result = 0;
  for (int t = 0; t < times; t++)
    for (int i = 0; i < N; i++)
      result += values[i] * t;
  return result;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    values[i] = i * 0.5;
  double start = MPI_Wtime(), startToo = now();
  double result = sum(rank + 1);
  double end = MPI_Wtime(), endToo = now();
  double nothing = MPI_Wtime();
  nothing = MPI_Wtime() - nothing;
  double total = 0;
  MPI_Allreduce(&result, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d took %.17g %.17g nothing %.17g of %.17g sum %g\n", rank, end - start,
         endToo - startToo, nothing, MPI_Wtime(), total);
  MPI_Finalize();
  return 0;
}
