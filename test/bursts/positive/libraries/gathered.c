// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: numbers that are written from two places at once, and read into two, say what is sent; sums that lie in the
// same structure do not.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct Run {
  double sums[STEPS];
  char path[64], first[4], second[4];
};

static double field[N];

static int countOf(struct Run *run) {
  strcpy(run->path, "/tmp/gnomon-gathered-XXXXXX");
  const int file = mkstemp(run->path);
  unlink(run->path);
  struct iovec out[2] = {{"1", 2}, {"23", 3}}, in[2] = {{run->first, 2}, {run->second, 3}};
  if (writev(file, out, 2) != 5 || pwritev(file, out, 1, 8) != 2 || preadv(file, in, 2, 0) != 5)
    return 9;
  lseek(file, 0, SEEK_SET);
  if (readv(file, in, 2) != 5)
    return 9;
  close(file);
  return atoi(run->first) + atoi(run->second);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Run *run = malloc(sizeof *run);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    run->sums[step] = sum;
    MPI_Bcast(run->sums, STEPS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(countOf(run));
  }
  free(run);
  MPI_Finalize();
}
