// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: several threads of a rank wait on one window at once, each for its own operations:
// flushes of operations with and without an answer, local flushes, and locks of different targets.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { Threads = 4, Rounds = 50 };
static MPI_Win all, single;
static int rank, size, errors;

static void check(long got, long expected, const char *what) {
  if (got == expected)
    return;
  printf("rank %d: %s: %ld instead of %ld\n", rank, what, got, expected);
  ++errors;
}

/// Each thread has a place of its own at each target, which only it reads and writes.
static void *operate(void *argument) {
  const int thread = (int)(long)argument, place = rank * Threads + thread;
  const int target = (rank + thread) % size;
  for (int round = 1; round <= Rounds; ++round) {
    int put = 1000 * place + round, got = -1, one = 1, before = -1;
    MPI_Put(&put, 1, MPI_INT, target, place, 1, MPI_INT, all);
    if (round % 3 == 0)
      MPI_Win_flush_all(all);
    else
      MPI_Win_flush(target, all);
    MPI_Get(&got, 1, MPI_INT, target, place, 1, MPI_INT, all);
    MPI_Win_flush(target, all);
    check(got, put, "what a thread has put");
    MPI_Fetch_and_op(&one, &before, MPI_INT, target, place, MPI_SUM, all);
    if (round % 2 == 0)
      MPI_Win_flush_local(target, all);
    else
      MPI_Win_flush_local_all(all);
    check(before, put, "what a thread has fetched");
    MPI_Win_flush(target, all);
  }
  return NULL;
}

/// Each thread locks a target of its own; the locks of one origin are granted in any order.
static void *lock(void *argument) {
  const int target = (int)(long)argument;
  for (int round = 0; round < Rounds; ++round) {
    int one = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, single);
    MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, single);
    MPI_Win_unlock(target, single);
  }
  return NULL;
}

static void runThreads(void *(*function)(void *), int count) {
  pthread_t threads[64];
  for (long i = 0; i < count; ++i)
    pthread_create(&threads[i], NULL, function, (void *)i);
  for (int i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  int provided, *memory, *sums;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(int) * Threads * size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &memory, &all);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &single);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, all);
  runThreads(operate, Threads);
  MPI_Win_unlock_all(all);
  MPI_Barrier(MPI_COMM_WORLD);
  runThreads(lock, size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, single);
  check(*sums, (long)size * Rounds, "sum of accumulates under locks");
  MPI_Win_unlock(rank, single);
  MPI_Win_free(&single);
  MPI_Win_free(&all);
  int total = 0;
  MPI_Reduce(&errors, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("threads: %s\n", total ? "FAILED" : "PASSED");
  MPI_Finalize();
  return total != 0;
}
