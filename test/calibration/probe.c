/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A few measurements in the format of docs/calibration-format.md, for simulated machines: one sample each tells all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 22, MESSAGES = 20, SIZES = 56 };

static int rank, ranks;
static char *buffer, *other;

static void line(const char *experiment, int participants, int bytes, int count, double seconds) {
  printf("%s,%d,inter,%d,0,%d,%.12f,%d\n", experiment, participants, bytes, count, seconds, rank);
}

static void ping_pong(int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  /* So that the receiver is there when the time begins. */
  if (rank == 1)
    MPI_Send(buffer, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(buffer, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double start = MPI_Wtime();
  for (int round = 0; round < 2 && rank < 2; ++round) {
    if (rank == round)
      MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0)
    line("pingpong", 2, bytes, 2, MPI_Wtime() - start);
}

static void stream(int bytes) {
  MPI_Request requests[MESSAGES];
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int at = 0; at < MESSAGES && rank < 2; ++at)
    if (rank == 0)
      MPI_Isend(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[at]);
    else
      MPI_Irecv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[at]);
  if (rank < 2)
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  if (rank == 1)
    MPI_Send(buffer, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(buffer, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("stream", 2, bytes, MESSAGES, MPI_Wtime() - start);
  }
}

static void exchange(int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  MPI_Sendrecv(buffer, bytes, MPI_BYTE, (rank + 1) % ranks, 0, other, bytes, MPI_BYTE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("exchange", ranks, bytes, 1, MPI_Wtime() - start);
}

/* A send whose receive is posted, one whose receive comes late, and a receive whose message is there. */
static void ends(int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 1)
    MPI_Irecv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    line("os", 2, bytes, 1, MPI_Wtime() - start);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1)
    MPI_Irecv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  if (rank == 0) {
    MPI_Isend(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    line("ois", 2, bytes, 1, MPI_Wtime() - start);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    line("eager-probe", 2, bytes, 1, MPI_Wtime() - start);
  }
  if (rank == 1) {
    usleep(1000000);
    line("eager-delay", 2, bytes, 1, MPI_Wtime() - start);
    start = MPI_Wtime();
    MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("or", 2, bytes, 1, MPI_Wtime() - start);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  buffer = calloc(MOST, 1);
  other = calloc(MOST, 1);
  if (rank == 0)
    printf("# gnomon-calibration: 1\n# timer-cost: "
           "1e-08\nexperiment,ranks,node,bytes,repetition,count,seconds,rank\n");
  MPI_Barrier(MPI_COMM_WORLD);
  /* With an argument so many ping-pongs of each size, and streams. */
  const int samples = argc > 1 ? atoi(argv[1]) : 1;
  double size = 2;
  for (int at = 0; at < SIZES; ++at, size *= 1.3) {
    for (int sample = 0; sample < samples; ++sample)
      ping_pong((int)size);
    stream((int)size);
    if (samples > 1)
      continue;
    exchange((int)size);
    ends((int)size);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("# complete: all\n");
  return MPI_Finalize();
}
