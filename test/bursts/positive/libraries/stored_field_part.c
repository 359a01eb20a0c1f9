// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of HDF5 as stored_field.c calls: one dataset, in memory.
#include <stdint.h>

static double stored[4096];
static uint64_t size;

int64_t H5Fcreate(const char *name, unsigned flags, int64_t create, int64_t access) { return 1; }
int64_t H5Screate_simple(int rank, const uint64_t *sizes, const uint64_t *most) {
  size = sizes[0];
  return 2;
}
int64_t H5Dcreate2(int64_t file, const char *name, int64_t type, int64_t space, int64_t link,
                   int64_t create, int64_t access) {
  return 3;
}
int H5Dwrite(int64_t set, int64_t type, int64_t memory, int64_t file, int64_t list,
             const void *data) {
  for (uint64_t i = 0; i < size; ++i)
    stored[i] = ((const double *)data)[i];
  return 0;
}
int H5Dread(int64_t set, int64_t type, int64_t memory, int64_t file, int64_t list, void *data) {
  for (uint64_t i = 0; i < size; ++i)
    ((double *)data)[i] = stored[i];
  return 0;
}
int H5Dclose(int64_t set) { return 0; }
int H5Fclose(int64_t file) { return 0; }
