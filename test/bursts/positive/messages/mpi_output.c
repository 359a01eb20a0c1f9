// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: results are written by MPI-IO while a parameter is read by C's library.
// BURSTS: # 3
#include "../../ring.h"
#include <math.h>
#include <stdio.h>

static double values[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      values[i] = sqrt(values[i] + noise(i, step, rank));
    MPI_File_write_at(file, rank * sizeof values, values, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    FILE *in = fopen("../bursts", "r");
    if (!in || fscanf(in, "# %d", &count) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(in);
    sendAround(count);
  }
  MPI_File_close(&file);
  MPI_Finalize();
}
