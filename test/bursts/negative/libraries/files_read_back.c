// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number that a burst computes goes through a temporary file, written by one descriptor and read by another,
// and says what is sent.
#define _GNU_SOURCE
#include "../../ring.h"
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char *__fgets_chk(char *line, size_t room, int most, FILE *stream);

struct Run {
  double sums[STEPS];
  char path[64], line[64];
  struct stat status;
};

static double field[N];

/// Writes a line and reads it again.
__attribute__((noinline)) static int countOf(struct Run *run, int written) {
  strcpy(run->path, "/tmp/gnomon-files-XXXXXX");
  const int file = mkstemp(run->path), second = dup(file);
  if (dprintf(second, "count=%d\n", written) < 0 || fcntl(second, F_GETFD) < 0 ||
      fstatat(AT_FDCWD, run->path, &run->status, 0) != 0)
    return -1;
  close(second);
  unlinkat(AT_FDCWD, run->path, 0);
  struct pollfd ready = {file, POLLIN, 0};
  poll(&ready, 1, 0);
  lseek(file, 0, SEEK_SET);
  FILE *stream = fdopen(file, "r");
  const char *line = __fgets_chk(run->line, sizeof run->line, sizeof run->line, stream);
  const int count = line && !fnmatch("count=*", line, 0) ? atoi(line + 6) : -1;
  fclose(stream);
  return run->status.st_size > 0 ? count : -1;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Run *run = malloc(sizeof *run);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    run->sums[step] = sum;
    MPI_Bcast(run->sums, STEPS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(countOf(run, (int)(sum * 0.01) + 1));
  }
  free(run);
  MPI_Finalize();
}
