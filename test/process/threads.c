// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank's threads see its globals, have what is a thread's own, wait for each other by
// every means of POSIX, call MPI side by side (MPI_THREAD_MULTIPLE), and compute and sleep side by
// side in simulated time.
#define _GNU_SOURCE
#include "Check.h"
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COUNT 4

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void start(pthread_t *threads, int count, void *(*work)(void *)) {
  for (intptr_t i = 0; i < count; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
}
static void join(pthread_t *threads, int count) {
  for (int i = 0; i < count; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

// A mutex that is held for a second of simulated time: the threads come one after the other.
static void *addSlowly(void *argument) {
  CHECK(pthread_mutex_lock(&mutex) == 0);
  int seen = total;
  usleep(1000000);
  total = seen + 1;
  CHECK(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}
static void *sleepOnly(void *argument) {
  usleep(1000000);
  return argument;
}

static void checkMutexes(void) {
  pthread_t threads[COUNT];
  total = 0;
  double before = MPI_Wtime();
  start(threads, COUNT, addSlowly);
  join(threads, COUNT);
  double serial = MPI_Wtime() - before;
  CHECK(total == COUNT && serial > COUNT - 0.1 && serial < COUNT + 0.1);
  before = MPI_Wtime();
  start(threads, COUNT, sleepOnly);
  for (intptr_t i = 0; i < COUNT; ++i) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0 && result == (void *)i);
  }
  double parallel = MPI_Wtime() - before;
  CHECK(parallel > 0.9 && parallel < 1.1);
}

static pthread_mutex_t recursive, checking;
static void *tryBoth(void *argument) {
  struct timespec soon;
  CHECK(pthread_mutex_trylock(&recursive) == EBUSY);
  CHECK(pthread_mutex_trylock(&checking) == EBUSY);
  CHECK(pthread_mutex_unlock(&checking) == EPERM);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 2;
  double before = MPI_Wtime();
  CHECK(pthread_mutex_timedlock(&recursive, &soon) == ETIMEDOUT);
  CHECK(MPI_Wtime() - before > 1.9 && MPI_Wtime() - before < 2.1);
  return argument;
}

static void checkKindsOfMutexes(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  CHECK(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  CHECK(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
  start(&thread, 1, tryBoth);
  join(&thread, 1);
  CHECK(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  CHECK(pthread_mutex_unlock(&checking) == 0);
}

// Turns in the opposite order of the starts.
static int turn;
static void *takeTurn(void *argument) {
  pthread_mutex_lock(&mutex);
  while (turn != COUNT - 1 - (intptr_t)argument)
    CHECK(pthread_cond_wait(&condition, &mutex) == 0);
  ++turn;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void checkConditions(void) {
  pthread_t threads[COUNT];
  struct timespec soon;
  turn = 0;
  start(threads, COUNT, takeTurn);
  join(threads, COUNT);
  CHECK(turn == COUNT);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 3;
  double before = MPI_Wtime();
  pthread_mutex_lock(&mutex);
  CHECK(pthread_cond_timedwait(&condition, &mutex, &soon) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  CHECK(MPI_Wtime() - before > 2.9 && MPI_Wtime() - before < 3.1);
}

static pthread_barrier_t barrier;
static int arrived[COUNT], serials;
static void *passBarrier(void *argument) {
  for (int round = 1; round <= 3; ++round) {
    usleep(1000 * (1 + (useconds_t)(intptr_t)argument));
    arrived[(intptr_t)argument] = round;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
      ++serials;
    for (int i = 0; i < COUNT; ++i)
      CHECK(arrived[i] >= round);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t places;
static int inside, most, reading;
static void *share(void *argument) {
  sem_wait(&places);
  most = ++inside > most ? inside : most;
  usleep(1000);
  --inside;
  sem_post(&places);
  if ((intptr_t)argument == 0) {
    CHECK(pthread_rwlock_wrlock(&lock) == 0);
    CHECK(reading == 0);
    reading = -1;
    usleep(5000);
    reading = 0;
  } else {
    CHECK(pthread_rwlock_rdlock(&lock) == 0);
    CHECK(reading >= 0);
    ++reading;
    usleep(5000);
    --reading;
  }
  CHECK(pthread_rwlock_unlock(&lock) == 0);
  return NULL;
}

static void checkOthers(void) {
  pthread_t threads[COUNT];
  serials = 0;
  CHECK(pthread_barrier_init(&barrier, NULL, COUNT) == 0);
  start(threads, COUNT, passBarrier);
  join(threads, COUNT);
  CHECK(serials == 3);
  pthread_barrier_destroy(&barrier);
  sem_init(&places, 0, 2);
  start(threads, COUNT, share);
  join(threads, COUNT);
  CHECK(most == 2 && inside == 0);
}

// errno, thread_local variables (with initial values and addresses in them), keys, handles.
static __thread int local = 5;
static __thread int *address = &total;
static __thread char buffer[100];
static pthread_key_t key;
static int destroyed;
static void destroy(void *value) { destroyed += (int)(intptr_t)value; }
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void makeKey(void) {
  usleep(1000);
  pthread_key_create(&key, destroy);
}
static pthread_t handles[COUNT];

static void *beOneself(void *argument) {
  intptr_t number = (intptr_t)argument;
  pthread_once(&once, makeKey);
  CHECK(local == 5 && address == &total && buffer[0] == 0 && errno == 0);
  CHECK(pthread_getspecific(key) == NULL);
  local = errno = (int)number + 10;
  buffer[0] = (char)number;
  pthread_setspecific(key, (void *)(number + 1));
  handles[number] = pthread_self();
  for (int i = 0; i < 5; ++i) {
    sched_yield();
    CHECK(errno == number + 10 && local == number + 10 && buffer[0] == number);
    CHECK(pthread_getspecific(key) == (void *)(number + 1));
    CHECK(pthread_equal(handles[number], pthread_self()));
  }
  return NULL;
}

static void checkOwn(void) {
  pthread_t threads[COUNT];
  const pthread_t self = pthread_self();
  local = 1;
  destroyed = 0;
  start(threads, COUNT, beOneself);
  join(threads, COUNT);
  CHECK(local == 1 && pthread_equal(self, pthread_self()));
  CHECK(destroyed == 1 + 2 + 3 + 4);
  for (int i = 0; i < COUNT; ++i)
    CHECK(pthread_equal(handles[i], threads[i]) && !pthread_equal(handles[i], self));
  CHECK(pthread_join(threads[0], NULL) == ESRCH);
  CHECK(pthread_join(self, NULL) == EDEADLK);
}

// How a thread rounds is its own affair; at first it does as its maker.
static volatile double divisor = 3;
static double upwards;
__attribute__((noinline)) static double third(void) { return 1 / divisor; }
static void *roundDown(void *argument) {
  CHECK(third() == upwards);
  fesetround(FE_DOWNWARD);
  for (int i = 0; i < 3; ++i) {
    CHECK(third() < upwards);
    sched_yield();
  }
  return argument;
}

static void checkRounding(void) {
  pthread_t threads[2];
  fesetround(FE_UPWARD);
  upwards = third();
  start(threads, 2, roundDown);
  join(threads, 2);
  CHECK(third() == upwards);
  fesetround(FE_TONEAREST);
  CHECK(third() < upwards);
}

// A destructor that sets its key again is called again, so often; a key may have none.
static pthread_key_t stubborn, silent;
static int tries;
static void setAgain(void *value) {
  ++tries;
  pthread_setspecific(stubborn, value);
}
static void *leaveValues(void *argument) {
  pthread_setspecific(stubborn, &tries);
  pthread_setspecific(silent, &tries);
  return argument;
}

static void checkDestructors(void) {
  pthread_t thread;
  CHECK(pthread_key_create(&stubborn, setAgain) == 0 && pthread_key_create(&silent, NULL) == 0);
  start(&thread, 1, leaveValues);
  join(&thread, 1);
  CHECK(tries == PTHREAD_DESTRUCTOR_ITERATIONS);
}

static int woken;
static void *waitOnce(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &mutex);
  pthread_cond_wait(&condition, &mutex);
  ++woken;
  pthread_cleanup_pop(1);
  return argument;
}
static void *signalSoon(void *argument) {
  usleep(1000000);
  pthread_cond_signal(&condition);
  return argument;
}
static struct timespec in(time_t seconds) {
  struct timespec then;
  clock_gettime(CLOCK_REALTIME, &then);
  then.tv_sec += seconds;
  return then;
}

// A signal wakes one, a cancellation the one that is meant. The limit of a wait that a signal has
// ended does not end the next one; one that has passed ends at once.
static void checkWakes(void) {
  pthread_t threads[3], thread;
  void *result;
  start(threads, 3, waitOnce);
  usleep(1000);
  pthread_cond_signal(&condition);
  usleep(1000);
  CHECK(woken == 1);
  CHECK(pthread_cancel(threads[2]) == 0 && pthread_join(threads[2], &result) == 0);
  CHECK(result == PTHREAD_CANCELED && woken == 1);
  pthread_cond_broadcast(&condition);
  join(threads, 2);
  CHECK(woken == 2);
  pthread_mutex_lock(&mutex);
  struct timespec limits[3] = {in(3), in(11), in(-1)};
  start(&thread, 1, signalSoon);
  double before = MPI_Wtime();
  CHECK(pthread_cond_timedwait(&condition, &mutex, &limits[0]) == 0);
  CHECK(MPI_Wtime() - before < 1.1);
  CHECK(pthread_cond_timedwait(&condition, &mutex, &limits[1]) == ETIMEDOUT);
  CHECK(MPI_Wtime() - before > 10.9);
  CHECK(pthread_cond_timedwait(&condition, &mutex, &limits[2]) == ETIMEDOUT);
  CHECK(MPI_Wtime() - before < 11.1);
  pthread_mutex_unlock(&mutex);
  join(&thread, 1);
}

static int cleaned;
static void clean(void *amount) { cleaned += (int)(intptr_t)amount; }
static void *endEarly(void *argument) {
  pthread_cleanup_push(clean, (void *)1);
  pthread_cleanup_push(clean, (void *)10);
  if (argument)
    pthread_exit((void *)77);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex); // nobody signals
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return NULL;
}
static void *unlockAtEnd(void *argument) {
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &mutex);
  endEarly(argument);
  pthread_cleanup_pop(0);
  return NULL;
}

static int detachedRan;
static void *runDetached(void *argument) {
  usleep(2000);
  detachedRan = 1;
  return argument;
}

static void checkEnds(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  void *result;
  cleaned = 0;
  CHECK(pthread_create(&thread, NULL, endEarly, (void *)1) == 0);
  CHECK(pthread_join(thread, &result) == 0 && result == (void *)77 && cleaned == 11);
  CHECK(pthread_create(&thread, NULL, unlockAtEnd, NULL) == 0);
  usleep(1000);
  CHECK(pthread_cancel(thread) == 0);
  CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && cleaned == 22);
  CHECK(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  CHECK(pthread_create(&thread, &attributes, runDetached, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == EINVAL);
  usleep(5000);
  CHECK(detachedRan);
}

// Each thread talks to the thread of the same number of the next rank, in a communicator of its own
// and in MPI_COMM_WORLD.
static MPI_Comm comms[COUNT];
static void *talk(void *argument) {
  int number = (int)(intptr_t)argument, rank = worldRank(), size = worldSize(),
      mine = 100 * rank + number, got, sum, isMain;
  int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Is_thread_main(&isMain);
  CHECK(!isMain);
  for (int round = 0; round < 3; ++round) {
    MPI_Irecv(&got, 1, MPI_INT, previous, number, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, next, number, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == 100 * previous + number);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comms[number]);
    CHECK(sum == 100 * size * (size - 1) / 2 + number * size);
  }
  return NULL;
}

static void checkMpi(void) {
  pthread_t threads[COUNT];
  int isMain = 0;
  MPI_Is_thread_main(&isMain);
  CHECK(isMain);
  for (int i = 0; i < COUNT; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  start(threads, COUNT, talk);
  join(threads, COUNT);
  for (int i = 0; i < COUNT; ++i)
    MPI_Comm_free(&comms[i]);
}

// A pool: threads take numbers from a queue until it is closed.
static int queue[8], first, last, closed, sum, done[COUNT];
static void *serve(void *argument) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (first == last && !closed)
      pthread_cond_wait(&condition, &mutex);
    if (first == last) {
      pthread_mutex_unlock(&mutex);
      return NULL;
    }
    int item = queue[first++ % 8];
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    usleep(1000);
    ++done[(intptr_t)argument];
    pthread_mutex_lock(&mutex);
    sum += item;
    pthread_mutex_unlock(&mutex);
  }
}

static void checkPool(void) {
  pthread_t threads[COUNT];
  first = last = closed = sum = 0;
  start(threads, COUNT, serve);
  for (int i = 1; i <= 100; ++i) {
    pthread_mutex_lock(&mutex);
    while (last - first == 8)
      pthread_cond_wait(&condition, &mutex);
    queue[last++ % 8] = i;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  closed = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  join(threads, COUNT);
  CHECK(sum == 5050);
  for (int i = 0; i < COUNT; ++i)
    CHECK(done[i] > 10);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  checkMutexes();
  checkKindsOfMutexes();
  checkConditions();
  checkOthers();
  checkOwn();
  checkRounding();
  checkDestructors();
  checkWakes();
  checkEnds();
  checkMpi();
  checkPool();
  others();
  CHECK(total == COUNT);
  passed("threads");
  MPI_Finalize();
  return 0;
}
