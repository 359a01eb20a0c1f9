// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 waits by polling, in each of the ways that programs have, for what its partner sends after a
// computation. How often it polls depends on the machine; with an argument, what it does then does not.
#include <mpi.h>

#define PHASES 8
static double work[1000];

static void compute(int turns) {
  for (int i = 0; i < turns; ++i)
    work[i % 1000] = work[i % 1000] * 0.5 + i;
}

/// Does nothing else until it is done.
static void pollOne(MPI_Request *request) {
  int done = 0;
  while (!done)
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

/// Looks now and then, between pieces of work that have to be done.
static void workAndPoll(MPI_Request *request) {
  int done = 0;
  for (int piece = 0; piece < 10; ++piece) {
    compute(20000);
    if (!done)
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
  }
  if (!done)
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/// One look, whatever it finds.
static void pollOnce(MPI_Request *requests) {
  int done;
  MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  compute(1000);
  if (!done)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void pollSome(MPI_Request *requests) {
  for (int left = 2, count, indices[2]; left > 0; left -= count)
    MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
}

static void pollAny(MPI_Request *requests) {
  for (int left = 2, done, index; left > 0; left -= done)
    MPI_Testany(2, requests, &index, &done, MPI_STATUS_IGNORE);
}

static void probe(int source, int tag) {
  MPI_Status status;
  int there = 0;
  char byte;
  while (!there)
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
  MPI_Recv(&byte, 1, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void probeAndTake(int tag) {
  MPI_Message message;
  int there = 0;
  char byte;
  while (!there)
    MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&byte, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
}

static void askStatus(MPI_Request *request) {
  int done = 0;
  while (!done)
    MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void wait(int phase, int peer) {
  MPI_Request requests[2];
  char bytes[2];
  if (phase != 4 && phase != 5)
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(&bytes[i], 1, MPI_CHAR, peer, phase, MPI_COMM_WORLD, &requests[i]);
  if (phase == 0)
    pollOne(&requests[0]), pollOne(&requests[1]);
  else if (phase == 1)
    workAndPoll(&requests[0]), MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  else if (phase == 2)
    pollOnce(requests);
  else if (phase == 3)
    pollSome(requests);
  else if (phase == 4)
    probe(peer, phase), probe(peer, phase);
  else if (phase == 5)
    probeAndTake(phase), probeAndTake(phase);
  else if (phase == 6)
    askStatus(&requests[0]), MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  else
    pollAny(requests);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int phase = 0; phase < PHASES; ++phase) {
    if (phase == 1 && argc > 1) // what it does does depend on the machine
      continue;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      wait(phase, 1);
    else
      for (int i = 0; i < 2; ++i) {
        char byte = 0;
        compute(50000);
        MPI_Send(&byte, 1, MPI_CHAR, 0, phase, MPI_COMM_WORLD);
      }
  }
  MPI_Finalize();
  return 0;
}
