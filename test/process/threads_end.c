// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the end of a rank ends its threads, wherever they wait; pthread_exit of the main thread waits for the others.
#include "Check.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waitForEver(void *argument) {
  pthread_mutex_lock(&mutex);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  return argument;
}
static void *spin(void *argument) {
  for (;;)
    usleep(1000);
  return argument;
}
static void *finish(void *argument) {
  usleep(3000000);
  if (worldRank() == 0)
    printf("the last thread at %.0f s\n", MPI_Wtime());
  MPI_Finalize();
  return argument;
}

int main(int argc, char **argv) {
  pthread_t thread;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc > 1 && !strcmp(argv[1], "wait")) {
    pthread_create(&thread, NULL, waitForEver, NULL);
    pthread_join(thread, NULL); // a deadlock
  }
  if (argc > 1) {
    pthread_create(&thread, NULL, finish, NULL);
    pthread_exit(NULL);
  }
  pthread_create(&thread, NULL, waitForEver, NULL);
  pthread_create(&thread, NULL, spin, NULL);
  passed("threads_end");
  MPI_Finalize();
  return 0;
}
