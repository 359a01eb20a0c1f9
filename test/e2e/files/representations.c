// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: external32 files have big-endian bytes of the standard's sizes, and registered
// representations are what the program's functions make of them.
#include "check.h"

#include <stdint.h>

static MPI_File file;

static void view(MPI_Offset at, MPI_Datatype etype, const char *representation) {
  OK(MPI_File_set_view(file, at, etype, etype, representation, MPI_INFO_NULL));
}

/* One element of each type, one after the other, as the standard's table has them. */
static void external32(void) {
  file = new_file("external32.dat");
  int16_t half = 0x0102;
  int number = 0x01020304, in = 0;
  long wide = -2, wide_in = 0;
  double real = 1.0, real_in = 0;
  MPI_Aint extent;
  if (rank == 0) {
    view(0, MPI_INT16_T, "external32");
    MPI_File_get_type_extent(file, MPI_LONG, &extent);
    CHECK(extent == 4);
    OK(MPI_File_write(file, &half, 1, MPI_INT16_T, MPI_STATUS_IGNORE));
    view(2, MPI_INT, "external32");
    OK(MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    view(6, MPI_LONG, "external32");
    OK(MPI_File_write(file, &wide, 1, MPI_LONG, MPI_STATUS_IGNORE));
    view(10, MPI_DOUBLE, "external32");
    OK(MPI_File_write(file, &real, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
  } else {
    view(0, MPI_INT16_T, "external32");
    view(2, MPI_INT, "external32");
    view(6, MPI_LONG, "external32");
    view(10, MPI_DOUBLE, "external32");
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  const unsigned char expected[18] = {1,    2,    1,    2, 3, 4, 0xff, 0xff, 0xff,
                                      0xfe, 0x3f, 0xf0, 0, 0, 0, 0,    0,    0};
  unsigned char bytes[18];
  CHECK(content("external32.dat", bytes, sizeof bytes) == 18 && !memcmp(bytes, expected, 18));
  MPI_Status status;
  view(10, MPI_DOUBLE, "external32");
  OK(MPI_File_read(file, &real_in, 1, MPI_DOUBLE, &status));
  CHECK(real_in == 1.0 && count_of(&status, MPI_DOUBLE) == 1);
  view(6, MPI_LONG, "external32");
  OK(MPI_File_read(file, &wide_in, 1, MPI_LONG, &status));
  CHECK(wide_in == -2 && count_of(&status, MPI_LONG) == 1);
  view(2, MPI_INT, "external32");
  OK(MPI_File_read(file, &in, 1, MPI_INT, &status));
  CHECK(in == number);
  OK(MPI_File_close(&file));
}

/* Every second long: distances between elements shrink with the elements. */
static void external_vectors(void) {
  file = new_file("vectors.dat");
  MPI_Datatype every_other, tile;
  MPI_Aint extent;
  long out[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, in[3] = {0};
  MPI_Type_vector(1, 1, size, MPI_LONG, &every_other);
  MPI_Type_create_resized(every_other, 0, 4 * size, &tile);
  MPI_Type_commit(&tile);
  OK(MPI_File_set_view(file, 4 * rank, MPI_LONG, tile, "external32", MPI_INFO_NULL));
  OK(MPI_File_get_type_extent(file, tile, &extent));
  CHECK(extent == 4 * size);
  OK(MPI_File_write_all(file, out, 3, MPI_LONG, MPI_STATUS_IGNORE));
  OK(MPI_File_read_at_all(file, 0, in, 3, MPI_LONG, MPI_STATUS_IGNORE));
  CHECK(!memcmp(in, out, sizeof in));
  unsigned char *bytes = malloc(12 * size);
  CHECK(content("vectors.dat", bytes, 12 * size) == 12 * size);
  for (int i = 0; i < 3 * size; ++i)
    CHECK(bytes[4 * i + 3] == 10 * (i % size) + i / size);
  free(bytes);
  MPI_Type_free(&every_other);
  MPI_Type_free(&tile);
  OK(MPI_File_close(&file));
}

/* A representation of the program's: an int is two bytes, its negative. */
static int state;
static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *extra) {
  CHECK(extra == &state);
  *extent = type == MPI_INT ? 2 : 1;
  return MPI_SUCCESS;
}
static int reads(void *user, MPI_Datatype type, int count, void *bytes, MPI_Offset position,
                 void *extra) {
  CHECK(extra == &state && type == MPI_INT);
  for (int i = 0; i < count; ++i) {
    int16_t there;
    memcpy(&there, (char *)bytes + 2 * i, 2);
    ((int *)user)[position + i] = -there;
  }
  return MPI_SUCCESS;
}
static int writes(void *user, MPI_Datatype type, int count, void *bytes, MPI_Offset position,
                  void *extra) {
  CHECK(extra == &state && type == MPI_INT);
  for (int i = 0; i < count; ++i) {
    int16_t there = (int16_t)-((int *)user)[position + i];
    memcpy((char *)bytes + 2 * i, &there, 2);
  }
  return MPI_SUCCESS;
}
static int refuses(void *user, MPI_Datatype type, int count, void *bytes, MPI_Offset position,
                   void *extra) {
  return MPI_ERR_OTHER;
}

static void registered(void) {
  OK(MPI_Register_datarep("negatives", reads, writes, extent_of, &state));
  CHECK_CLASS(MPI_Register_datarep("negatives", reads, writes, extent_of, &state),
              MPI_ERR_DUP_DATAREP);
  CHECK_CLASS(MPI_Register_datarep("native", reads, writes, extent_of, &state),
              MPI_ERR_DUP_DATAREP);
  OK(MPI_Register_datarep("broken", refuses, refuses, extent_of, &state));
  file = new_file("registered.dat");
  view(0, MPI_INT, "negatives");
  int out[2] = {rank + 1, 100 + rank}, in[2] = {0};
  MPI_Status status;
  OK(MPI_File_write_ordered(file, out, 2, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 2);
  int16_t there[2];
  char *bytes = malloc(4 * size);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(content("registered.dat", bytes, 4 * size) == 4 * size);
  memcpy(there, bytes + 4 * rank, 4);
  CHECK(there[0] == -(rank + 1) && there[1] == -(100 + rank));
  free(bytes);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_read_ordered_begin(file, in, 2, MPI_INT));
  OK(MPI_File_read_ordered_end(file, in, &status));
  CHECK(!memcmp(in, out, sizeof in) && count_of(&status, MPI_INT) == 2);
  view(0, MPI_INT, "broken");
  CHECK_CLASS(MPI_File_read(file, in, 2, MPI_INT, &status), MPI_ERR_CONVERSION);
  CHECK_CLASS(MPI_File_write(file, in, 2, MPI_INT, &status), MPI_ERR_CONVERSION);
  OK(MPI_File_close(&file));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  external32();
  external_vectors();
  registered();
  if (rank == 0)
    printf("representations: PASSED\n");
  MPI_Finalize();
}
