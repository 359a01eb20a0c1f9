// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop that only polls is not played poll by poll, ends with what it waits for, and pays
// no more than it waits. Loops that remember something of each turn, or compute, take 25 ns a poll.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { Test, Iprobe, Several, Testall, Testany, Testsome, Status, Mixed, Depths, Kinds };
static const char *const names[] = {"test",     "iprobe", "several", "testall", "testany",
                                    "testsome", "status", "mixed",   "depths"};
static const double Poll = 25e-9;
static int wrong;
static volatile long turns; // no part of the loops' own state

static void expect(const char *name, double value, double least, double most) {
  if (value >= least && value <= most)
    return;
  printf("%s: %.9g is not in [%.9g, %.9g]\n", name, value, least, most);
  wrong = 1;
}

__attribute__((noinline)) static int testIt(MPI_Request *request) {
  int flag;
  MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  return flag;
}

/// The same, with a frame in which stays what other calls have left there.
__attribute__((noinline)) static int testBelow(MPI_Request *request) {
  char unwritten[1024];
  __asm__ volatile("" : : "r"(unwritten) : "memory");
  const int flag = testIt(request);
  __asm__ volatile("" : : "r"(unwritten) : "memory");
  return flag;
}

static void waitFor(int kind, MPI_Request *requests) {
  int flag = 0, index, indices[4];
  while (!flag) {
    ++turns;
    switch (kind) {
    case Iprobe:
      MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      break;
    case Several:
      for (int i = 0; i < 4 && !flag; ++i)
        MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      break;
    case Testall:
      MPI_Testall(1, requests + 2, &flag, MPI_STATUSES_IGNORE);
      break;
    case Testany:
      MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
      break;
    case Testsome:
      MPI_Testsome(4, requests, &flag, indices, MPI_STATUSES_IGNORE);
      break;
    case Status:
      MPI_Request_get_status(requests[2], &flag, MPI_STATUS_IGNORE);
      break;
    case Mixed:
      MPI_Iprobe(1, 7, MPI_COMM_WORLD, &index, MPI_STATUS_IGNORE);
      MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
      break;
    case Depths:
      flag = testIt(&requests[1]) || testBelow(&requests[2]);
      break;
    default:
      MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
    }
  }
}

static void idle(int kind) {
  MPI_Request requests[4];
  int words[4] = {0}, received = 0;
  double sent;
  for (int i = 0; i < 4; ++i)
    MPI_Irecv(&words[i], 1, MPI_INT, 1,
              kind == Iprobe ? 10 + i
              : i == 2       ? 1
                             : 10 + i,
              MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  turns = 0;
  waitFor(kind, requests);
  const double end = MPI_Wtime();
  if (kind == Iprobe)
    MPI_Recv(&received, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&sent, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // On its way for 1 ms, where a receive waits for it; to a probe it is there when it is sent. Then
  // at most a turn of 4 polls later, and what a clock's reading costs.
  const double due = sent + (kind == Iprobe ? 0 : 1e-3);
  expect(names[kind], end, due, due + 5 * Poll + 1e-7);
  expect("turns", (double)turns, 1, 20000);
  for (int i = 0; i < 4; ++i)
    if (requests[i] != MPI_REQUEST_NULL && (kind == Iprobe || i != 2)) {
      MPI_Cancel(&requests[i]);
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    } else if (requests[i] != MPI_REQUEST_NULL) {
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

static void busy(void) {
  MPI_Request request;
  int word, flag = 0;
  MPI_Irecv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0; i < 1000 && !flag; ++i)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  expect("a counted loop", MPI_Wtime() - begin, 1000 * Poll, 1000 * Poll + 1e-7);
  begin = MPI_Wtime();
  long polls = 0;
  for (; !flag; ++polls)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  expect("a loop that counts", (double)polls * Poll, MPI_Wtime() - begin - 1e-7,
         MPI_Wtime() - begin);
  begin = MPI_Wtime();
  for (int i = 0; i < 1000; ++i)
    MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  expect("a loop that probes", MPI_Wtime() - begin, 1000 * Poll, 1000 * Poll + 1e-7);
}

int main(int argc, char **argv) {
  int rank, word = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int kind = 0; kind <= Kinds; ++kind) {
    if (rank == 0 && kind < Kinds)
      idle(kind);
    if (rank == 0 && kind == Kinds)
      busy();
    if (rank == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      usleep(kind < Kinds ? 900000 : 1000);
      const double now = MPI_Wtime();
      MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
      if (kind < Kinds)
        MPI_Send(&now, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
  }
  if (rank == 0)
    printf("polls: %s\n", wrong ? "FAILED" : "PASSED");
  MPI_Finalize();
  return wrong;
}
