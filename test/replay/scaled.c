/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages, collectives and one-sided calls with so many times as many elements as the arguments say:
 * of MPI_Send and what else goes between two ranks, and of all others. */
#include <mpi.h>
#include <stdlib.h>

enum { Most = 1 << 20 };
static double out[Most], in[Most];

static int rank, size;

static void messages(int times) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Irecv(in, 8 * 5000 * times, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 5000 * times, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 10 * times, MPI_DOUBLE, right, 2, in, 80 * times, MPI_BYTE, MPI_ANY_SOURCE, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    MPI_Send(out, 20000 * times, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  MPI_Message message;
  if (rank == 1) {
    MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 20000 * times, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  }
}

static void others(int times) {
  int counts[16], places[16], place = 0;
  for (int i = 0; i < size; ++i) {
    counts[i] = 80 * times;
    places[i] = place;
    place += counts[i];
  }
  MPI_Bcast(out, 4000 * times, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allreduce(out, in, 16000 * times, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(out, 400 * times, MPI_DOUBLE, in, 400 * times, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gatherv(out, 80 * times, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Win win;
  MPI_Win_create(in, sizeof(double) * (MPI_Aint)(1000 * times), sizeof(double), MPI_INFO_NULL,
                 MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(out, 1000 * times, MPI_DOUBLE, (rank + 1) % size, 0, 8000 * times, MPI_BYTE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(out, 500 * times, MPI_DOUBLE, 0, 0, 500 * times, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  messages(atoi(argv[1]));
  others(atoi(argv[2]));
  MPI_Finalize();
  return 0;
}
