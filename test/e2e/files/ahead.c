// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that is far ahead of the others in collective calls on files reads what was there
// at its call: types, communicators and views that it gives up at once, and files that it closes,
// stay as long as its part needs them; a rank far behind finds what the others left for it.
#include "check.h"

#define COUNT 64

static MPI_Comm world;
static int numbers[COUNT], back[COUNT];

/* Rank 0 goes on at once, the others only when it says so. */
static void hold(void) {
  if (rank != 0)
    MPI_Recv(NULL, 0, MPI_INT, 0, 7, world, MPI_STATUS_IGNORE);
}
static void let_go(void) {
  for (int r = 1; rank == 0 && r < size; ++r)
    MPI_Send(NULL, 0, MPI_INT, r, 7, world);
}

static MPI_Datatype every_second(void) {
  MPI_Datatype type;
  MPI_Type_vector(COUNT / 2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

static void fill(int plus) {
  for (int i = 0; i < COUNT; ++i)
    numbers[i] = 1000 * rank + i + plus;
}

static MPI_File open_own(const char *name, int mode) {
  MPI_Comm own;
  MPI_File file;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  OK(MPI_File_open(own, name, MPI_MODE_CREATE | MPI_MODE_RDWR | mode, MPI_INFO_NULL, &file));
  MPI_Comm_free(&own);
  return file;
}

/* Half of each rank's numbers, one after the other. */
static void expect(MPI_File file, int plus) {
  OK(MPI_File_read_at_all(file, rank * COUNT / 2 * 4, back, COUNT / 2, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < COUNT / 2; ++i)
    CHECK(back[i] == 1000 * rank + 2 * i + plus);
}

static void nonblocking(MPI_File file) {
  fill(1);
  hold();
  MPI_Datatype type = every_second();
  MPI_Request request;
  OK(MPI_File_iwrite_at_all(file, rank * COUNT / 2 * 4, numbers, 1, type, &request));
  MPI_Type_free(&type);
  int flag = 0;
  for (int i = 0; i < 5 && rank == 0 && size > 1; ++i) {
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag); // a collective write ends when all take part in it
  }
  let_go();
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  expect(file, 1);
}

static void split(MPI_File file) {
  fill(2);
  hold();
  MPI_Datatype type = every_second();
  OK(MPI_File_write_at_all_begin(file, rank * COUNT / 2 * 4, numbers, 1, type));
  MPI_Type_free(&type);
  let_go();
  OK(MPI_File_write_at_all_end(file, numbers, MPI_STATUS_IGNORE));
  expect(file, 2);
}

/* Two at a time, of which the first ranks may have begun both before the last begins one. */
static void several(MPI_File file) {
  MPI_Request requests[2];
  fill(3);
  OK(MPI_File_seek(file, rank * COUNT * 4, MPI_SEEK_SET));
  hold();
  for (int i = 0; i < 2; ++i)
    OK(MPI_File_iwrite_all(file, numbers + i * COUNT / 2, COUNT / 2, MPI_INT, &requests[i]));
  MPI_Offset position;
  MPI_File_get_position(file, &position);
  CHECK(position == (rank + 1) * COUNT * 4);
  let_go();
  OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  OK(MPI_File_read_at(file, rank * COUNT * 4, back, COUNT, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(memcmp(numbers, back, sizeof back) == 0);
}

/* The last use of a file that is closed, and gone, before it ends. */
static void closed(void) {
  MPI_File file = open_own("ahead-gone.dat", MPI_MODE_DELETE_ON_CLOSE);
  MPI_Request request;
  MPI_Datatype type = every_second();
  fill(4);
  OK(MPI_File_iwrite_at_all(file, rank * COUNT * 4, numbers, 1, type, &request));
  MPI_Type_free(&type);
  OK(MPI_File_close(&file));
  CHECK(file == MPI_FILE_NULL);
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(content("ahead-gone.dat", back, sizeof back) == -1);
}

/* One rank has begun on all files before the others begin on one; all end in another order. */
static void many_files(void) {
  MPI_File files[4];
  MPI_Request requests[4];
  char name[32];
  for (int i = 0; i < 4; ++i) {
    snprintf(name, sizeof name, "ahead-%d.dat", i);
    files[i] = open_own(name, MPI_MODE_DELETE_ON_CLOSE);
  }
  fill(5);
  hold();
  for (int i = 0; i < 4; ++i)
    OK(MPI_File_iwrite_at_all(files[i], rank * 4, numbers + i, 1, MPI_INT, &requests[i]));
  let_go();
  for (int i = 3; i >= 0; --i)
    OK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
  for (int i = 3; i >= 0; --i) {
    OK(MPI_File_read_at_all(files[i], 0, back, size, MPI_INT, MPI_STATUS_IGNORE));
    for (int r = 0; r < size; ++r)
      CHECK(back[r] == 1000 * r + i + 5);
    OK(MPI_File_close(&files[i]));
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_File file = open_own("ahead.dat", 0);
  nonblocking(file);
  split(file);
  several(file);
  OK(MPI_File_close(&file));
  closed();
  many_files();
  MPI_Comm_free(&world);
  if (rank == 0)
    printf("ahead: PASSED\n");
  MPI_Finalize();
}
