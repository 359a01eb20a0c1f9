// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a stream is written, rewound and read; and a descriptor.
#include "../../ring.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40], other[40];
  snprintf(name, sizeof name, "stream.%d", rank);
  snprintf(other, sizeof other, "descriptor.%d", rank);
  FILE *stream = fopen(name, "w+");
  int descriptor = open(other, O_RDWR | O_CREAT, 0666);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, more = 0, read1 = 0, read2 = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      more += noise(i, step, rank) > 0.7;
    rewind(stream);
    fprintf(stream, "%d\n", count);
    rewind(stream);
    if (fscanf(stream, "%d", &read1) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    if (pwrite(descriptor, &more, sizeof more, 0) != sizeof more ||
        pread(descriptor, &read2, sizeof read2, 0) != sizeof read2)
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround(read1 + read2);
  }
  MPI_Finalize();
}
