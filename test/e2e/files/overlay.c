// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: for options.py: adds 1 to the number in number.dat (0 when there is none) and prints it;
// with an argument, deletes the file, and makes it anew with that number.
#include "check.h"

static MPI_File file;

static int get(void) {
  int number = 0;
  if (MPI_File_open(MPI_COMM_WORLD, "number.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
    return 0;
  OK(MPI_File_read_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  // Who reads sees what is written later in the run.
  MPI_File writer;
  if (MPI_File_open(MPI_COMM_WORLD, "number.dat", MPI_MODE_RDWR, MPI_INFO_NULL, &writer) ==
      MPI_SUCCESS) {
    int other = number + 100, seen = 0;
    OK(MPI_File_write_at_all(writer, 4, &other, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_sync(writer);
    OK(MPI_File_read_at(file, 4, &seen, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(seen == other);
    OK(MPI_File_close(&writer));
  }
  OK(MPI_File_close(&file));
  return number;
}

static void set(int number) {
  OK(MPI_File_open(MPI_COMM_WORLD, "number.dat", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL,
                   &file));
  OK(MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  OK(MPI_File_close(&file));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  set(get() + 1);
  int number = get();
  if (argc > 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      OK(MPI_File_delete("number.dat", MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "number.dat", MPI_MODE_RDWR, MPI_INFO_NULL, &file),
                MPI_ERR_NO_SUCH_FILE);
    if (rank == 0)
      CHECK_CLASS(MPI_File_delete("number.dat", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    MPI_Barrier(MPI_COMM_WORLD);
    set(atoi(argv[1]));
    number = get();
  }
  if (rank == 0)
    printf("number %d\n", number);
  MPI_Finalize();
}
