/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A task farm: rank 0 hands out numbers, the workers factorise them and ask for more; who answers
 * first gets the next task (MPI_ANY_SOURCE, MPI_ANY_TAG). The sum of the smallest factors does not
 * depend on who did what. */
#include <mpi.h>
#include <stdio.h>

enum { tagWork = 1, tagResult = 2, tagStop = 3, firstNumber = 1000003 };

static long smallestFactor(long number) {
  for (long factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0)
      return factor;
  return number;
}

static long master(int size, int tasks) {
  long sum = 0;
  int sent = 0, busy = 0;
  for (int worker = 1; worker < size; ++worker) {
    long number = firstNumber + sent;
    const int tag = sent < tasks ? tagWork : tagStop;
    MPI_Send(&number, 1, MPI_LONG, worker, tag, MPI_COMM_WORLD);
    sent += tag == tagWork;
    busy += tag == tagWork;
  }
  while (busy > 0) {
    long factor;
    MPI_Status status;
    MPI_Recv(&factor, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG != tagResult)
      MPI_Abort(MPI_COMM_WORLD, 9);
    sum += factor;
    long number = firstNumber + sent;
    const int tag = sent < tasks ? tagWork : tagStop;
    MPI_Send(&number, 1, MPI_LONG, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
    sent += tag == tagWork;
    busy -= tag == tagStop;
  }
  return sum;
}

static int worker(void) {
  int done = 0;
  for (;;) {
    long number;
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == tagStop)
      return done;
    long factor = smallestFactor(number);
    ++done;
    MPI_Send(&factor, 1, MPI_LONG, 0, tagResult, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank, size, done = 0, allDone = 0;
  long sum = 0, expected = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int tasks = 3 * size + 1;
  if (rank == 0)
    sum = master(size, tasks);
  else
    done = worker();
  MPI_Reduce(&done, &allDone, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < tasks; ++i)
      expected += smallestFactor(firstNumber + i);
    printf("farm: %d tasks by %d workers, sum %ld: %s\n", allDone, size - 1, sum,
           sum == expected && allDone == tasks ? "PASSED" : "FAILED");
  }
  MPI_Finalize();
  return 0;
}
