// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library's thread, of which the link knows nothing.
#include <pthread.h>

static void *nothing(void *argument) { return argument; }

void startThread(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
}
