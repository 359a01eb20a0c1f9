// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the end of a rank ends its threads, wherever they wait; pthread_exit of the main thread
// waits for the others. Reports say of each thread what it waits for; a poll is in vain when all
// other threads wait for ever, and is not when one waits for a date.
#include "Check.h"
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waitForEver(void *argument) {
  pthread_mutex_lock(&mutex);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  return argument;
}
static void *receive(void *argument) {
  MPI_Recv(NULL, 0, MPI_INT, 1 - worldRank(), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return argument;
}
// A thread that waits for a date comes back: polls for what it sends then are not in vain, whatever
// it has waited for before.
static void *sendLate(void *argument) {
  struct timespec late;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 10; // hundreds of times what it takes to call polls in vain
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &late);
  pthread_mutex_unlock(&mutex);
  sleep(30);
  MPI_Send(NULL, 0, MPI_INT, worldRank(), 9, MPI_COMM_WORLD);
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
  if (argc > 1 && !strcmp(argv[1], "mixed")) { // each thread waits for something else
    pthread_create(&thread, NULL, receive, NULL);
    pthread_create(&thread, NULL, waitForEver, NULL);
    usleep(1000);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Recv(NULL, 0, MPI_INT, 1 - worldRank(), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (argc > 1 && (!strcmp(argv[1], "poll") || !strcmp(argv[1], "late"))) {
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, *argv[1] == 'p' ? waitForEver : sendLate, NULL);
    usleep(1000);
    pthread_mutex_unlock(&mutex);
    for (int there = 0; !there;)
      MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    passed("late");
    MPI_Finalize();
    return 0;
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
