// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a poll takes in a real MPI: docs/performance/messages.md has a table of it, from which the defaults of
// smpi/test and smpi/iprobe come. Built by a real mpicc and run on one or two ranks, with a core each:
//   mpicc -O2 poll_cost.c -o poll_cost && mpiexec -n 2 ./poll_cost
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Repetitions = 15, Calls = 20000, Requests = 64, Finished = 1000 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print(const char *name, double *seconds, int calls) {
  qsort(seconds, Repetitions, sizeof *seconds, compare);
  printf("%-34s least %7.1f ns, median %7.1f ns, most %7.1f ns\n", name, 1e9 * seconds[0] / calls,
         1e9 * seconds[Repetitions / 2] / calls, 1e9 * seconds[Repetitions - 1] / calls);
}

#define TIME(NAME, CALL)                                                                           \
  do {                                                                                             \
    double seconds[Repetitions];                                                                   \
    for (int r = 0; r < Repetitions; ++r) {                                                        \
      const double begin = MPI_Wtime();                                                            \
      for (int i = 0; i < Calls; ++i)                                                              \
        CALL;                                                                                      \
      seconds[r] = MPI_Wtime() - begin;                                                            \
    }                                                                                              \
    print(NAME, seconds, Calls);                                                                   \
  } while (0)

static int flag, index_, count, indices[Requests];
static MPI_Status status, statuses[Requests];
static MPI_Request requests[Requests];

static void pollSeveral(const char *any, const char *all, const char *some, int n) {
  TIME(any, MPI_Testany(n, requests, &index_, &flag, &status));
  TIME(all, MPI_Testall(n, requests, &flag, statuses));
  TIME(some, MPI_Testsome(n, requests, &count, indices, statuses));
}

static void pollInVain(int other) {
  static int words[Requests];
  MPI_Irecv(&words[0], 1, MPI_INT, other, 7, MPI_COMM_WORLD, &requests[0]);
  TIME("MPI_Test", MPI_Test(&requests[0], &flag, &status));
  TIME("MPI_Request_get_status", MPI_Request_get_status(requests[0], &flag, &status));
  pollSeveral("MPI_Testany of 1", "MPI_Testall of 1", "MPI_Testsome of 1", 1);
  for (int i = 1; i < Requests; ++i)
    MPI_Irecv(&words[i], 1, MPI_INT, other, 7, MPI_COMM_WORLD, &requests[i]);
  pollSeveral("MPI_Testany of 64", "MPI_Testall of 64", "MPI_Testsome of 64", Requests);
  for (int i = 0; i < Requests; ++i) {
    MPI_Cancel(&requests[i]);
    MPI_Wait(&requests[i], &status);
  }
  TIME("MPI_Iprobe", MPI_Iprobe(other, 9, MPI_COMM_WORLD, &flag, &status));
  TIME("MPI_Iprobe from anybody",
       MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
}

static void pollForWhatIsThere(void) {
  static MPI_Request done[Finished];
  int sent = 1, got;
  MPI_Request send;
  MPI_Isend(&sent, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &send);
  TIME("MPI_Iprobe, finds one", MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, &status));
  MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
  MPI_Wait(&send, &status);
  double seconds[Repetitions];
  for (int r = 0; r < Repetitions; ++r) {
    for (int i = 0; i < Finished; ++i)
      MPI_Irecv(&got, 0, MPI_INT, 0, 11, MPI_COMM_WORLD, &done[i]);
    for (int i = 0; i < Finished; ++i)
      MPI_Send(&sent, 0, MPI_INT, 0, 11, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * Finished; ++i) // lets the messages come in
      MPI_Iprobe(0, 9, MPI_COMM_WORLD, &flag, &status);
    const double begin = MPI_Wtime();
    for (int i = 0; i < Finished; ++i)
      MPI_Test(&done[i], &flag, &status);
    seconds[r] = MPI_Wtime() - begin;
  }
  print("MPI_Test, done", seconds, Finished);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    pollInVain(size - 1);
    pollForWhatIsThere();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
