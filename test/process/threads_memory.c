// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: threads whose first large blocks are asked for at once all get one.
#include "Check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { Threads = 4, Bytes = 3 << 20 };

static void *allocate(void *argument) {
  volatile double work = 1;
  for (int i = 0; i < 20000; ++i)
    work = work * 1.000001; // what is computed is charged, and others come, when a lock is taken
  char *block = calloc(1, Bytes);
  CHECK(block && block[0] == 0 && block[Bytes - 1] == 0);
  memset(block, (int)(long)argument + 1, Bytes);
  return block;
}

int main(int argc, char **argv) {
  pthread_t threads[Threads];
  MPI_Init(&argc, &argv);
  for (long i = 0; i < Threads; ++i)
    CHECK(pthread_create(&threads[i], NULL, allocate, (void *)i) == 0);
  for (int i = 0; i < Threads; ++i) {
    char *block;
    pthread_join(threads[i], (void **)&block);
    CHECK(block[0] == i + 1 && block[Bytes - 1] == i + 1);
    free(block);
  }
  passed("threads_memory");
  MPI_Finalize();
  return 0;
}
