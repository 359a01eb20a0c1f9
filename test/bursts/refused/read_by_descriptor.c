// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank writes a count, which its neighbour reads after the file has got another name.
// REFUSED: rank [0-3] reads count\.[0-3], which rank [0-3] has written.*read at read_by_descriptor\.c
#include "../ring.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char outName[40], final[40], inName[40];
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, theirs = 0;
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    snprintf(outName, sizeof outName, "count.%d", rank);
    snprintf(final, sizeof final, "moved.%d", rank);
    snprintf(inName, sizeof inName, "moved.%d", (rank + 1) % ranks);
    int file = open(outName, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(file, &count, sizeof count) != sizeof count)
      MPI_Abort(MPI_COMM_WORLD, 4);
    close(file);
    rename(outName, final);
    MPI_Barrier(MPI_COMM_WORLD);
    file = open(inName, O_RDONLY);
    if (read(file, &theirs, sizeof theirs) != sizeof theirs)
      MPI_Abort(MPI_COMM_WORLD, 4);
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
    sendAround(theirs);
  }
  MPI_Finalize();
}
