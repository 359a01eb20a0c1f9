// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a field is written by HDF5 and read again; a number of it decides a message's size.
// NATIVE: stored_field_read_part.c
#include "../../ring.h"

#include <stdint.h>

int64_t H5Fcreate(const char *name, unsigned flags, int64_t create, int64_t access);
int64_t H5Screate_simple(int rank, const uint64_t *sizes, const uint64_t *most);
int64_t H5Dcreate2(int64_t file, const char *name, int64_t type, int64_t space, int64_t link,
                   int64_t create, int64_t access);
int H5Dwrite(int64_t set, int64_t type, int64_t memory, int64_t file, int64_t list,
             const void *data);
int H5Dread(int64_t set, int64_t type, int64_t memory, int64_t file, int64_t list, void *data);

static double field[N], again[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const uint64_t size = N;
  int64_t file = H5Fcreate("fields.h5", 2, 0, 0), space = H5Screate_simple(1, &size, 0);
  int64_t set = H5Dcreate2(file, "field", 1, space, 0, 0, 0);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      field[i] = noise(i, step, rank);
    H5Dwrite(set, 1, 0, 0, 0, field);
    H5Dread(set, 1, 0, 0, 0, again);
    sendAround(1 + (int)(1000 * again[step]));
  }
  MPI_Finalize();
}
