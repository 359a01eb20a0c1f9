// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a file is asked about is what it was opened and set to: size, modes, group, hints,
// view, places, atomicity, error handler.
#include "check.h"

static MPI_Offset bytes(MPI_File file) {
  MPI_Offset size;
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_get_size(file, &size));
  MPI_Barrier(MPI_COMM_WORLD);
  return size;
}

static void sizes(void) {
  MPI_File file = new_file("size.dat");
  char byte = 'x';
  CHECK(bytes(file) == 0);
  OK(MPI_File_preallocate(file, 100));
  CHECK(bytes(file) == 100);
  OK(MPI_File_preallocate(file, 10));
  CHECK(bytes(file) == 100);
  OK(MPI_File_set_size(file, 10));
  CHECK(bytes(file) == 10);
  OK(MPI_File_write_at(file, 49, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK(bytes(file) == 50);
  OK(MPI_File_read_at(file, 30, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK(byte == 0);
  OK(MPI_File_close(&file));
}

static void modes(void) {
  MPI_File file = new_file("modes.dat");
  OK(MPI_File_set_size(file, 12));
  int mode, flag, compared;
  OK(MPI_File_get_amode(file, &mode));
  CHECK(mode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
  OK(MPI_File_get_atomicity(file, &flag));
  CHECK(!flag);
  OK(MPI_File_set_atomicity(file, 1));
  OK(MPI_File_get_atomicity(file, &flag));
  CHECK(flag);
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  OK(MPI_File_get_group(file, &group));
  MPI_Group_compare(world, group, &compared);
  CHECK(compared == MPI_IDENT);
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  CHECK(MPI_File_f2c(MPI_File_c2f(file)) == file);
  OK(MPI_File_close(&file));

  /* Both pointers begin at the end with MPI_MODE_APPEND; the file is gone afterwards. */
  MPI_Offset at;
  OK(MPI_File_open(MPI_COMM_WORLD, "modes.dat",
                   MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                   &file));
  OK(MPI_File_get_position(file, &at));
  CHECK(at == 12);
  OK(MPI_File_get_position_shared(file, &at));
  CHECK(at == 12);
  OK(MPI_File_close(&file));
  char byte;
  CHECK(content("modes.dat", &byte, 1) == -1);

  /* A sequential file has a shared pointer only, and its view may begin where that is. */
  int number = rank;
  OK(MPI_File_open(MPI_COMM_WORLD, "modes.dat",
                   MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_CREATE | MPI_MODE_UNIQUE_OPEN,
                   MPI_INFO_NULL, &file));
  OK(MPI_File_write_ordered(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  OK(MPI_File_write_ordered(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(bytes(file) == 8 * size);
  OK(MPI_File_close(&file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    OK(MPI_File_delete("modes.dat", MPI_INFO_NULL));
}

static void hints(void) {
  MPI_Info given, used;
  char value[MPI_MAX_INFO_VAL];
  int flag;
  MPI_Info_create(&given);
  MPI_Info_set(given, "access_style", "write_once");
  MPI_Info_set(given, "no_such_hint", "1");
  MPI_File file;
  OK(MPI_File_open(MPI_COMM_WORLD, "hints.dat",
                   MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, given, &file));
  MPI_Info_set(given, "access_style", "read_once");
  OK(MPI_File_get_info(file, &used));
  MPI_Info_get(used, "access_style", sizeof value - 1, value, &flag);
  CHECK(flag && !strcmp(value, "write_once"));
  MPI_Info_get(used, "filename", sizeof value - 1, value, &flag);
  CHECK(flag && !strcmp(value, "hints.dat"));
  MPI_Info_get(used, "no_such_hint", sizeof value - 1, value, &flag);
  CHECK(!flag);
  MPI_Info_free(&used);
  OK(MPI_File_set_info(file, given));
  OK(MPI_File_get_info(file, &used));
  MPI_Info_get(used, "access_style", sizeof value - 1, value, &flag);
  CHECK(flag && !strcmp(value, "read_once"));
  MPI_Info_free(&used);
  MPI_Info_free(&given);
  OK(MPI_File_close(&file));
}

/* Two blocks of ints, 3 and 1 long, in a tile of 8 ints: view element 4 is the first of the second
 * tile. */
static void places(void) {
  MPI_File file = new_file("places.dat");
  MPI_Datatype blocks, tile, etype, filetype;
  MPI_Offset at;
  MPI_Aint extent;
  char name[MPI_MAX_DATAREP_STRING];
  const int lengths[2] = {3, 1}, displacements[2] = {1, 6};
  MPI_Type_indexed(2, lengths, displacements, MPI_INT, &blocks);
  MPI_Type_create_resized(blocks, 0, 32, &tile);
  MPI_Type_commit(&tile);
  OK(MPI_File_set_view(file, 100, MPI_INT, tile, "internal", MPI_INFO_NULL));
  const MPI_Offset expected[9] = {104, 108, 112, 124, 136, 140, 144, 156, 168};
  for (int i = 0; i < 9; ++i) {
    OK(MPI_File_get_byte_offset(file, i, &at));
    CHECK(at == expected[i]);
  }
  OK(MPI_File_get_type_extent(file, tile, &extent));
  CHECK(extent == 32);
  int numbers, addresses, types, combiner;
  OK(MPI_File_get_view(file, &at, &etype, &filetype, name));
  CHECK(at == 100 && etype == MPI_INT && !strcmp(name, "internal"));
  MPI_Type_get_envelope(filetype, &numbers, &addresses, &types, &combiner);
  CHECK(combiner != MPI_COMBINER_NAMED);
  MPI_Type_get_extent(filetype, &at, &extent);
  CHECK(at == 0 && extent == 32);
  MPI_Type_free(&filetype);

  /* The end of the file in the view: 104, 108, 112, 124 and part of 136 lie before byte 138. */
  OK(MPI_File_set_size(file, 138));
  OK(MPI_File_seek(file, 0, MPI_SEEK_END));
  OK(MPI_File_get_position(file, &at));
  CHECK(at == 5);
  OK(MPI_File_seek_shared(file, -2, MPI_SEEK_END));
  OK(MPI_File_get_position_shared(file, &at));
  CHECK(at == 3);
  MPI_Type_free(&blocks);
  MPI_Type_free(&tile);
  OK(MPI_File_close(&file));
}

static int calls;
static MPI_File called_with;
static void handler(MPI_File *file, int *code, ...) {
  ++calls;
  called_with = *file;
  CHECK(class_of(*code) == MPI_ERR_ARG);
}

static void error_handlers(void) {
  MPI_Errhandler own, got, of_comm;
  OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
  CHECK(got == MPI_ERRORS_RETURN);
  MPI_File file = new_file("handlers.dat");
  OK(MPI_File_get_errhandler(file, &got));
  CHECK(got == MPI_ERRORS_RETURN);
  OK(MPI_File_create_errhandler(handler, &own));
  OK(MPI_File_set_errhandler(file, own));
  CHECK_CLASS(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
  CHECK(calls == 1 && called_with == file);
  OK(MPI_File_call_errhandler(file, MPI_ERR_ARG));
  CHECK(calls == 2);
  OK(MPI_File_get_errhandler(file, &got));
  CHECK(got == own);
  MPI_Errhandler_free(&got);
  /* Files that are opened later begin with that of MPI_FILE_NULL. */
  OK(MPI_File_set_errhandler(MPI_FILE_NULL, own));
  MPI_Errhandler_free(&own);
  OK(MPI_File_close(&file));
  file = new_file("handlers.dat");
  CHECK_CLASS(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
  CHECK(calls == 3);
  OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
  OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
  CHECK_CLASS(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
  CHECK(calls == 3);
  /* A communicator's handler is none for files. */
  MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)handler, &of_comm);
  CHECK_CLASS(MPI_File_set_errhandler(file, of_comm), MPI_ERR_ARG);
  MPI_Errhandler_free(&of_comm);
  OK(MPI_File_close(&file));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  sizes();
  modes();
  hints();
  places();
  error_handlers();
  if (rank == 0)
    printf("properties: PASSED\n");
  MPI_Finalize();
}
