// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 hands out work as results come, and tells all by how that went: another order is another communication.
// Argument: how it takes what comes (receive, start, probe, match, any, some, iprobe, test, testall, testany, testsome).
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { Rounds = 40, MostRanks = 16 };
static volatile double field[2000];
static const char *way;
static MPI_Request requests[MostRanks];
static int results[MostRanks], others, me;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void compute(int units) {
  for (int unit = 0; unit < units; ++unit)
    for (int i = 1; i < 2000; ++i)
      field[i] = 0.5 * (field[i] + field[i - 1]) + 1;
}

static void worker(void) {
  for (int task, round = 0;; ++round) {
    MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task < 0)
      return;
    compute(1 + (task * 7 + me * 3) % 11);
    MPI_Send(&task, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
  }
}

static void give(int worker, int task) { MPI_Send(&task, 1, MPI_INT, worker, 0, MPI_COMM_WORLD); }

/// One or more workers that have sent a result.
static int takeOpen(int *workers) {
  MPI_Status status;
  int result, flag = 0;
  MPI_Message message;
  if (is("receive")) {
    MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  } else if (is("start")) {
    static MPI_Request kept = MPI_REQUEST_NULL;
    static int into;
    if (kept == MPI_REQUEST_NULL)
      MPI_Recv_init(&into, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &kept);
    MPI_Start(&kept);
    MPI_Wait(&kept, &status);
  } else if (is("match")) {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&result, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  } else {
    if (is("probe"))
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    else
      while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(&result, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  workers[0] = status.MPI_SOURCE;
  return 1;
}

static void await(int worker) {
  MPI_Irecv(&results[worker], 1, MPI_INT, worker, worker, MPI_COMM_WORLD, &requests[worker]);
}

static int takePosted(int *workers) {
  int found = 0, flag = 0;
  if (is("any"))
    MPI_Waitany(others + 1, requests, &workers[found++], MPI_STATUS_IGNORE);
  else if (is("some"))
    MPI_Waitsome(others + 1, requests, &found, workers, MPI_STATUSES_IGNORE);
  else
    while (!found) {
      if (is("testany")) {
        MPI_Testany(others + 1, requests, &workers[0], &flag, MPI_STATUS_IGNORE);
        found = flag;
      } else if (is("testsome")) {
        MPI_Testsome(others + 1, requests, &found, workers, MPI_STATUSES_IGNORE);
      } else {
        for (int worker = 1; worker <= others; ++worker) {
          if (is("test"))
            MPI_Test(&requests[worker], &flag, MPI_STATUS_IGNORE);
          else
            MPI_Testall(1, &requests[worker], &flag, MPI_STATUSES_IGNORE);
          if (flag)
            workers[found++] = worker;
        }
      }
    }
  for (int i = 0; i < found; ++i)
    await(workers[i]);
  return found;
}

static void master(int posts) {
  int workers[MostRanks], given = 0, out = 0;
  for (int worker = 0; worker <= others; ++worker)
    requests[worker] = MPI_REQUEST_NULL;
  for (int worker = 1; worker <= others; ++worker, ++out) {
    if (posts)
      await(worker);
    give(worker, given++);
  }
  while (out > 0) {
    const int found = posts ? takePosted(workers) : takeOpen(workers);
    for (int i = 0; i < found; ++i) {
      const int more = given < Rounds;
      give(workers[i], more ? given++ : -1);
      out -= !more;
    }
  }
  for (int worker = 1; posts && worker <= others; ++worker) {
    MPI_Cancel(&requests[worker]);
    MPI_Wait(&requests[worker], MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  way = argc > 1 ? argv[1] : "receive";
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &others);
  --others;
  const int open = is("receive") || is("start") || is("probe") || is("match") || is("iprobe");
  if (me == 0)
    master(!open);
  else
    worker();
  double sum = 0, all;
  for (int i = 0; i < 2000; ++i)
    sum += field[i];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
