// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result goes through a file, out of two places and into two.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char name[] = "/tmp/gnomon-scattered-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    char text[8], first[8], second[8];
    snprintf(text, sizeof text, "%d", count);
    struct iovec out[2] = {{"ab", 2}, {text, sizeof text}},
                 in[2] = {{first, 2}, {second, sizeof second}};
    lseek(file, 0, SEEK_SET);
    if (writev(file, out, 2) != 10 || preadv(file, in, 2, 0) != 10)
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround(atoi(second));
  }
  close(file);
  MPI_Finalize();
}
