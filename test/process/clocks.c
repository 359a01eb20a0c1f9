// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every clock reads simulated time, every way of waiting takes simulated time only, and
// polling a clock ends.
#include "Check.h"
#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

extern double omp_get_wtime(void);

static double wall(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static double clockSeconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int about(double value, double expected) {
  return value >= expected - 1e-3 && value < expected + 60;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double wall0 = wall(), mono0 = clockSeconds(CLOCK_MONOTONIC),
         real0 = clockSeconds(CLOCK_REALTIME), mpi0 = MPI_Wtime(), omp0 = omp_get_wtime();
  time_t time0 = time(NULL);
  clock_t clock0 = clock(), times0 = times(&(struct tms){0});
  // 6000 s and a bit.
  CHECK(sleep(1000) == 0);
  CHECK(usleep(999999) == 0);
  CHECK(nanosleep(&(struct timespec){1999, 500000000}, NULL) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){1000, 0}, NULL) == 0);
  CHECK(select(0, NULL, NULL, NULL, &(struct timeval){1000, 0}) == 0);
  CHECK(poll(NULL, 0, 1000000) == 0);
  CHECK(about(wall() - wall0, 6000.49));
  CHECK(about(clockSeconds(CLOCK_MONOTONIC) - mono0, 6000.49));
  CHECK(about(clockSeconds(CLOCK_REALTIME) - real0, 6000.49));
  CHECK(about(MPI_Wtime() - mpi0, 6000.49));
  CHECK(about(omp_get_wtime() - omp0, 6000.49));
  CHECK(about((double)(time(NULL) - time0), 6000));
  CHECK(about((double)(times(&(struct tms){0}) - times0) / (double)sysconf(_SC_CLK_TCK), 6000.4));
  // Sleeping is not computing.
  CHECK((double)(clock() - clock0) / CLOCKS_PER_SEC < 60);
  struct rusage usage;
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec < 60);
  // An absolute date.
  struct timespec date;
  clock_gettime(CLOCK_MONOTONIC, &date);
  date.tv_sec += 100;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &date, NULL);
  CHECK(about(clockSeconds(CLOCK_MONOTONIC), (double)date.tv_sec));
  // Polling ends, and no clock ever goes back.
  double end = wall() + 1e-3, last = 0;
  for (double now = wall(); now < end; now = wall()) {
    CHECK(now >= last);
    last = now;
  }
  clock_t stop = clock() + CLOCKS_PER_SEC / 1000;
  while (clock() < stop)
    continue;
  passed("clocks");
  MPI_Finalize();
  return 0;
}
