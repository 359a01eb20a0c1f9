// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: C11's threads are a rank's, as POSIX's are.
#include "Check.h"
#include <stdint.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t condition;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int next, begun, ended;
static _Thread_local int local = 3;

static void begin(void) { ++begun; }
static void end(void *value) { ended += (int)(intptr_t)value; }

static int work(void *argument) {
  const int number = (int)(intptr_t)argument;
  const struct timespec moment = {0, 1000000};
  call_once(&once, begin);
  CHECK(local == 3 && begun == 1 && tss_get(key) == NULL);
  local = number;
  tss_set(key, (void *)(intptr_t)(number + 1));
  CHECK(mtx_lock(&mutex) == thrd_success);
  while (next != number)
    cnd_wait(&condition, &mutex);
  thrd_sleep(&moment, NULL);
  ++next;
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  thrd_yield();
  CHECK(local == number && (intptr_t)tss_get(key) == number + 1);
  return 10 * number;
}

int main(int argc, char **argv) {
  thrd_t threads[3];
  int provided, result;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&condition) == thrd_success);
  CHECK(tss_create(&key, end) == thrd_success);
  for (intptr_t i = 0; i < 3; ++i)
    CHECK(thrd_create(&threads[i], work, (void *)(2 - i)) == thrd_success);
  for (int i = 0; i < 3; ++i)
    CHECK(thrd_join(threads[i], &result) == thrd_success && result == 10 * (2 - i));
  CHECK(next == 3 && ended == 1 + 2 + 3 && local == 3);
  passed("threads_c11");
  MPI_Finalize();
  return 0;
}
