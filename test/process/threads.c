// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank may use threads between its MPI calls: they see its globals, and a warning names
// the limits.
#include "Check.h"
#include <pthread.h>

static int answer;
static void *work(void *argument) {
  answer = *(int *)argument + 1;
  return NULL;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, work, &rank) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  others();
  CHECK(answer == rank + 1);
  passed("threads");
  MPI_Finalize();
  return 0;
}
