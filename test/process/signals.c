// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: signal handlers are a rank's own; raise, kill, alarm and a fault reach the rank's
// handler.
#include "Check.h"
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t got, alarms;
static sigjmp_buf back;
static void count(int number) { got += number == SIGUSR1 ? 1 : 1000; }
static void countTwice(int number) { got += number == SIGUSR1 ? 2 : 1000; }
static void ring(int number) { alarms += number == SIGALRM; }
static void recover(int number) {
  (void)number;
  siglongjmp(back, 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  CHECK(signal(SIGUSR1, rank == 0 ? count : countTwice) == SIG_DFL);
  others();
  CHECK(raise(SIGUSR1) == 0);
  CHECK(got == (rank == 0 ? 1 : 2));
  others();
  CHECK(kill(getpid(), SIGUSR1) == 0);
  CHECK(got == (rank == 0 ? 2 : 4));

  signal(SIGALRM, ring);
  double begin = MPI_Wtime();
  alarm(5);
  pause();
  CHECK(alarms == 1 && MPI_Wtime() - begin > 4.9 && MPI_Wtime() - begin < 6);
  // An alarm ends a sleep, which tells what was left of it.
  begin = MPI_Wtime();
  alarm(1);
  CHECK(sleep(10) == 9);
  CHECK(alarms == 2 && MPI_Wtime() - begin > 0.9 && MPI_Wtime() - begin < 1.5);

  struct sigaction action = {0};
  action.sa_handler = recover;
  sigaction(SIGSEGV, &action, NULL);
  others();
  if (sigsetjmp(back, 1) == 0) {
    *(volatile int *)8 = 1;
    CHECK(0);
  }
  passed("signals");
  MPI_Finalize();
  return 0;
}
