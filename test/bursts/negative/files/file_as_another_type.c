// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: doubles are written to a file by MPI-IO, and what is read back as integers decides how
// much is sent.
#include "../../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  static double values[N];
  int halves[2] = {0, 0};
  MPI_File file;
  char name[40];
  snprintf(name, sizeof name, "values.%d", rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank);
    MPI_Request request;
    MPI_File_iwrite_at(file, 0, values, N, MPI_DOUBLE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 8 * (N / 2), halves, 2, MPI_INT, MPI_STATUS_IGNORE);
    sendAround((halves[1] >> 4 & 0x7ff) + (step + 1) % 2);
  }
  MPI_File_close(&file);
  MPI_Finalize();
}
