// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a long-running program blocks and watches signals, limits its time, reads its options, asks what machine it runs
// on and draws from a generator of its own. None of these functions sees the field, whose address MPI keeps.
#define _GNU_SOURCE
#include "../../ring.h"
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static void noteEnd(int number) { stop = number; }

struct Options {
  int count, quiet;
};

static struct Options readOptions(int argc, char **argv) {
  static int quiet;
  static const struct option known[] = {{"count", required_argument, NULL, 'c'},
                                        {"quiet", no_argument, &quiet, 1},
                                        {NULL, 0, NULL, 0}};
  struct Options options = {5, 0};
  for (int found; (found = getopt_long(argc, argv, "c:", known, NULL)) != -1;)
    if (found == 'c')
      options.count = atoi(optarg);
  options.quiet = quiet;
  return options;
}

static void watchSignals(sigset_t *mask) {
  sigemptyset(mask);
  sigaddset(mask, SIGTERM);
  sigaddset(mask, SIGINT);
  sigdelset(mask, SIGINT);
  signal(SIGTERM, noteEnd);
}

static int isEnding(const sigset_t *mask) {
  sigset_t before;
  sigprocmask(SIG_BLOCK, mask, &before);
  const int ending = stop || sigismember(&before, SIGTERM);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return ending;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  const struct Options options = readOptions(argc, argv);
  double *field = calloc(N, sizeof *field);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, field);
  sigset_t mask;
  watchSignals(&mask);
  alarm(3600);
  struct itimerval timer;
  getitimer(ITIMER_REAL, &timer);
  struct sysinfo machine;
  sysinfo(&machine);
  struct statvfs folder;
  statvfs(".", &folder);
  umask(umask(022));
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, NULL);
  struct drand48_data generator;
  srand48_r(rank, &generator);
  for (int step = 0; step < STEPS && !isEnding(&mask); ++step) {
    double start;
    drand48_r(&generator, &start);
    pthread_rwlock_wrlock(&lock);
    double sum = start;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    pthread_rwlock_unlock(&lock);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(options.quiet ? 3 : options.count);
  }
  alarm(0);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  free(field);
  MPI_Finalize();
}
