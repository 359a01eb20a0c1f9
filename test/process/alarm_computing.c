// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an alarm reaches a rank that computes and calls nothing, once, not before its time; its handler may jump out of
// the computation; and one that prints meanwhile gets it too.
#include "Check.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static sigjmp_buf back;
static void ring(int number) { alarms += number == SIGALRM; }
static void leave(int number) { siglongjmp(back, number); }

static void ringAfter(int milliseconds) {
  struct itimerval timer = {{0, 0}, {0, milliseconds * 1000}};
  CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  volatile long work = 0;
  signal(SIGALRM, ring);

  double begin = MPI_Wtime();
  ringAfter(100);
  while (!alarms)
    ++work;
  CHECK(alarms == 1 && MPI_Wtime() - begin >= 0.1);
  CHECK(sleep(1) == 0 && alarms == 1);

  ringAfter(100);
  while (alarms < 2)
    if (++work % 1000000 == 0)
      printf("at work\n");
  others();
  CHECK(alarms == 2);

  // Taken back: it never comes.
  ringAfter(20);
  ringAfter(0);
  for (begin = MPI_Wtime(); MPI_Wtime() - begin < 0.05;)
    ++work;
  CHECK(alarms == 2);

  signal(SIGALRM, leave);
  if (sigsetjmp(back, 1) == 0) {
    ringAfter(50);
    for (;;)
      ++work;
  }
  others();
  passed("alarm_computing");
  MPI_Finalize();
  return 0;
}
