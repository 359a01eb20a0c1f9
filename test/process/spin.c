// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops that wait for what another thread of the rank writes, without any call, end:
// volatile, atomic, exchanged, under a mutex, tried, with a pause; and a rank alone that waits for
// a signal.
#include "Check.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

enum { Rounds = 20, Threads = 3 };

static volatile int turn;
static atomic_int ready;
static atomic_flag held = ATOMIC_FLAG_INIT;
static _Atomic double sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int guarded, inside, entered;

/// Two threads take turns by a volatile variable.
static void *ping(void *argument) {
  const int mine = (int)(long)argument;
  for (int round = 0; round < Rounds; ++round) {
    while (turn != mine)
      ;
    turn = 1 - mine;
  }
  return NULL;
}

static void lockByExchange(void) {
  while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    __builtin_ia32_pause();
}

/// All wait for all, as a barrier by hand; then they exclude each other.
static void *meet(void *argument) {
  atomic_fetch_add(&ready, 1);
  while (atomic_load_explicit(&ready, memory_order_relaxed) < Threads)
    __asm__ volatile("pause" ::: "memory");
  for (int round = 0; round < Rounds; ++round) {
    lockByExchange();
    CHECK(++inside == 1);
    if (round % 4 == 0)
      sched_yield();
    ++entered;
    --inside;
    atomic_flag_clear_explicit(&held, memory_order_release);
    sum += 0.5;
  }
  return NULL;
}

/// A plain variable that is read under a lock.
static void *await(void *argument) {
  int seen;
  do {
    pthread_mutex_lock(&mutex);
    seen = guarded;
    pthread_mutex_unlock(&mutex);
  } while (!seen);
  while (pthread_mutex_trylock(&mutex))
    ;
  CHECK(guarded == 2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static volatile sig_atomic_t rang;
static void ring(int number) { rang = number; }

static void start(pthread_t *threads, int count, void *(*function)(void *)) {
  for (long i = 0; i < count; ++i)
    CHECK(pthread_create(&threads[i], NULL, function, (void *)i) == 0);
}

static void join(pthread_t *threads, int count) {
  for (int i = 0; i < count; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv) {
  int provided;
  pthread_t threads[Threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  signal(SIGALRM, ring);
  alarm(1);
  double before = MPI_Wtime();
  while (!rang)
    ;
  CHECK(rang == SIGALRM && MPI_Wtime() - before >= 1 && MPI_Wtime() - before < 1.02);
  start(threads, 2, ping);
  join(threads, 2);
  start(threads, Threads, meet);
  join(threads, Threads);
  CHECK(entered == Threads * Rounds && sum == 0.5 * entered);
  start(threads, 1, await);
  usleep(1000);
  pthread_mutex_lock(&mutex);
  guarded = 1;
  usleep(500);
  guarded = 2;
  pthread_mutex_unlock(&mutex);
  join(threads, 1);
  passed("spin");
  MPI_Finalize();
  return 0;
}
