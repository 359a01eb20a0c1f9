/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a trace holds beside calls: computation in bursts and between them, readings of clocks, sleeps; receives from
 * any source, requests that come and go, loops in loops. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double compute(double *field, int n) {
  for (int i = 1; i < n; ++i)
    field[i] = 0.5 * (field[i] + field[i - 1]) + 1;
  return field[n - 1];
}

static void fromAnyone(int rank, int size) {
  int value = rank, other;
  if (rank)
    MPI_Send(&value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Send(&value, 1, MPI_INT, 0, 99, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank, size, n = 2000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *field = calloc(n, sizeof *field), sum = 0;
  double start = MPI_Wtime();
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  for (int step = 0; step < 20; ++step) {
    MPI_Request requests[2];
    for (int part = 0; part < 3; ++part) {
      MPI_Irecv(&field[0], 1, MPI_DOUBLE, (rank + size - 1) % size, part, MPI_COMM_WORLD,
                &requests[0]);
      MPI_Isend(&field[n - 1], 1, MPI_DOUBLE, (rank + 1) % size, part, MPI_COMM_WORLD,
                &requests[1]);
      sum += compute(field, n - 100 * rank);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, step % 5 ? MPI_COMM_WORLD : half);
  }
  fromAnyone(rank, size);
  usleep(100 * rank);
  MPI_Reduce(&sum, field, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%g after %g s\n", field[0], MPI_Wtime() - start);
  MPI_Comm_free(&half);
  free(field);
  MPI_Finalize();
  return 0;
}
