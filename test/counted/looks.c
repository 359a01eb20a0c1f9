/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Loops that sometimes look at what they have counted: messages, clocks, output, another rank's or
 * thread's turn. Prints every date that it sees. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int keys[20000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static int errors(int rank) {
  int found = 0;
  for (int i = 0; i < 20000; i++)
    if (keys[i] % 1009 == rank) {
      found++;
      if (found < 6)
        printf("rank %d: %d at %.12f\n", rank, i, MPI_Wtime());
    }
  return found;
}

/* A buffer that is sent to the right when it is full, and whose like is then received from the
 * left. */
static long buffered(int rank, int size) {
  int full[64], in[64], filled = 0;
  long sum = 0;
  for (int i = 0; i < 16000; i++) {
    full[filled++] = keys[i] & 7 ? keys[i] : keys[i / 2] >> rank;
    if (filled == 64) {
      MPI_Sendrecv(full, 64, MPI_INT, (rank + 1) % size, 0, in, 64, MPI_INT,
                   (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int j = 0; j < 64; j++)
        if (in[j] & 1)
          sum += in[j];
      filled = 0;
      if (i % 4000 < 64)
        printf("rank %d: sum %ld at %.12f\n", rank, sum, MPI_Wtime());
    }
  }
  return sum;
}

static void *worker(void *name) {
  for (int i = 0; i < 5000; i++) {
    if (keys[i] & 3)
      continue;
    if (keys[i] % 211 == 0) {
      pthread_mutex_lock(&lock);
      turns++;
      printf("%s: turn %d at %.12f\n", (const char *)name, turns, MPI_Wtime());
      pthread_mutex_unlock(&lock);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned value = (unsigned)rank;
  for (int i = 0; i < 20000; i++)
    keys[i] = (int)((value = value * 1103515245u + 12345u) >> 8);
  printf("rank %d: %d errors\n", rank, errors(rank));
  printf("rank %d: sum %ld\n", rank, buffered(rank, size));
  pthread_t other;
  pthread_create(&other, NULL, worker, "other");
  worker("first");
  pthread_join(other, NULL);
  printf("rank %d: end at %.12f\n", rank, MPI_Wtime());
  MPI_Finalize();
  for (int i = 0;; i++) {
    if (keys[i] % 1013 == 0)
      printf("rank %d leaves at %d\n", rank, i);
    if (keys[i] % 1021 == 0)
      exit(0);
  }
}
