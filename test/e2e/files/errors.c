// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: wrong calls on files return the error class that the standard names, and the program goes
// on.
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

static MPI_File file;
static int number;

static int open_as(const char *name, int mode) {
  return MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
}

static void opening(void) {
  CHECK_CLASS(open_as("missing.dat", MPI_MODE_RDONLY), MPI_ERR_NO_SUCH_FILE);
  CHECK(file == MPI_FILE_NULL);
  CHECK_CLASS(open_as("missing/file.dat", MPI_MODE_RDWR | MPI_MODE_CREATE), MPI_ERR_NO_SUCH_FILE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL),
              MPI_ERR_FILE_EXISTS);
  CHECK_CLASS(open_as(".", MPI_MODE_RDWR), MPI_ERR_BAD_FILE);
  CHECK_CLASS(open_as(".", MPI_MODE_RDONLY), MPI_ERR_BAD_FILE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_CREATE), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDONLY | MPI_MODE_WRONLY), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDONLY | MPI_MODE_CREATE), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDONLY | MPI_MODE_EXCL), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", MPI_MODE_RDWR | 1 << 20), MPI_ERR_AMODE);
  CHECK_CLASS(open_as("errors.dat", rank ? MPI_MODE_RDWR : MPI_MODE_RDONLY),
              size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  if (size == 1)
    MPI_File_close(&file);
  CHECK_CLASS(MPI_File_delete("missing.dat", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
  if (geteuid() != 0) {
    if (rank == 0) {
      FILE *locked = fopen("locked.dat", "w");
      fclose(locked);
      chmod("locked.dat", 0400);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_CLASS(open_as("locked.dat", MPI_MODE_WRONLY), MPI_ERR_ACCESS);
  }
}

static void data_access(void) {
  OK(open_as("errors.dat", MPI_MODE_RDONLY));
  CHECK_CLASS(MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK_CLASS(MPI_File_set_size(file, 0), MPI_ERR_READ_ONLY);
  CHECK_CLASS(MPI_File_preallocate(file, 10), MPI_ERR_READ_ONLY);
  CHECK_CLASS(MPI_File_read(file, &number, -1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_File_read_at(file, -1, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_read(file, &number, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_File_seek(file, 0, 4711), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_get_byte_offset(file, -1, &(MPI_Offset){0}), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_read_all_end(file, &number, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  OK(MPI_File_read_all_begin(file, &number, 1, MPI_INT));
  CHECK_CLASS(MPI_File_read_all_begin(file, &number, 1, MPI_INT), MPI_ERR_OTHER);
  CHECK_CLASS(MPI_File_read_ordered_end(file, &number, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  MPI_File handle = file;
  CHECK_CLASS(MPI_File_close(&handle), MPI_ERR_OTHER);
  OK(MPI_File_read_all_end(file, &number, MPI_STATUS_IGNORE));
  OK(MPI_File_close(&file));

  MPI_Request request;
  OK(open_as("errors.dat", MPI_MODE_WRONLY));
  CHECK_CLASS(MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
  CHECK_CLASS(MPI_File_iread(file, &number, 1, MPI_INT, &request), MPI_ERR_ACCESS);
  CHECK(request == MPI_REQUEST_NULL);
  OK(MPI_File_close(&file));

  OK(open_as("errors.dat", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL));
  CHECK_CLASS(MPI_File_read_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
              MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_CLASS(MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
              MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_CLASS(MPI_File_seek(file, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
  OK(MPI_File_close(&file));
}

static int view(MPI_Offset at, MPI_Datatype etype, MPI_Datatype filetype,
                const char *representation) {
  return MPI_File_set_view(file, at, etype, filetype, representation, MPI_INFO_NULL);
}

static void views(void) {
  MPI_Datatype descending, overlapping, pair;
  const int lengths[2] = {1, 2}, down[2] = {3, 0}, over[2] = {1, 1};
  MPI_Type_indexed(2, lengths, down, MPI_INT, &descending);
  MPI_Type_indexed(2, lengths, over, MPI_INT, &overlapping);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&descending);
  MPI_Type_commit(&overlapping);
  MPI_Type_commit(&pair);
  OK(open_as("errors.dat", MPI_MODE_RDWR));
  CHECK_CLASS(view(0, MPI_INT, MPI_INT, "no_such_representation"), MPI_ERR_UNSUPPORTED_DATAREP);
  CHECK_CLASS(view(-5, MPI_INT, MPI_INT, "native"), MPI_ERR_ARG);
  CHECK_CLASS(view(MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native"), MPI_ERR_ARG);
  CHECK_CLASS(view(0, MPI_DOUBLE, MPI_INT, "native"), MPI_ERR_ARG);
  CHECK_CLASS(view(0, MPI_INT, descending, "native"), MPI_ERR_IO);
  CHECK_CLASS(view(0, MPI_INT, overlapping, "native"), MPI_ERR_IO);
  CHECK_CLASS(view(0, rank ? MPI_INT : MPI_SHORT, MPI_INT, "native"),
              size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  OK(view(0, pair, pair, "native"));
  CHECK_CLASS(MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_IO);
  CHECK_CLASS(MPI_File_set_size(file, -1), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_size(file, 4 + rank), size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  CHECK_CLASS(MPI_File_set_atomicity(file, rank == 0), size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  CHECK_CLASS(MPI_File_seek_shared(file, rank, MPI_SEEK_SET),
              size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  OK(MPI_File_close(&file));
  OK(open_as("errors.dat", MPI_MODE_RDONLY));
  OK(view(0, MPI_INT, overlapping, "native"));
  OK(MPI_File_close(&file));
  MPI_Type_free(&descending);
  MPI_Type_free(&overlapping);
  MPI_Type_free(&pair);
}

static void handles(void) {
  MPI_Offset at;
  file = MPI_FILE_NULL;
  CHECK_CLASS(MPI_File_get_size(file, &at), MPI_ERR_FILE);
  CHECK_CLASS(MPI_File_close(&file), MPI_ERR_FILE);
  OK(open_as("errors.dat", MPI_MODE_RDWR));
  MPI_File closed = file;
  OK(MPI_File_close(&file));
  CHECK_CLASS(MPI_File_write(closed, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_FILE);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("errors.dat");
  OK(MPI_File_set_size(file, 64));
  OK(MPI_File_close(&file));
  opening();
  data_access();
  views();
  handles();
  if (rank == 0)
    printf("errors: PASSED\n");
  MPI_Finalize();
}
