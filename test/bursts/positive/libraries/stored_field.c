// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a field is written by HDF5 and read by nobody.
// NATIVE: stored_field_part.c
#include "../../ring.h"

#include <stdint.h>

int64_t H5Fcreate(const char *name, unsigned flags, int64_t create, int64_t access);
int64_t H5Screate_simple(int rank, const uint64_t *sizes, const uint64_t *most);
int64_t H5Dcreate2(int64_t file, const char *name, int64_t type, int64_t space, int64_t link,
                   int64_t create, int64_t access);
int H5Dwrite(int64_t set, int64_t type, int64_t memory, int64_t file, int64_t list,
             const void *data);
int H5Dclose(int64_t set);
int H5Fclose(int64_t file);

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const uint64_t size = N;
  int64_t file = H5Fcreate("fields.h5", 2, 0, 0), space = H5Screate_simple(1, &size, 0);
  int64_t set = H5Dcreate2(file, "field", 1, space, 0, 0, 0);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      field[i] += noise(i, step, rank);
    if (H5Dwrite(set, 1, 0, 0, 0, field) < 0)
      MPI_Abort(MPI_COMM_WORLD, 3);
    sendAround(step);
  }
  H5Dclose(set);
  H5Fclose(file);
  MPI_Finalize();
}
