/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes a file in a data representation of its own. */
#include <mpi.h>

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *state) {
  int size;
  (void)state;
  MPI_Type_size(type, &size);
  *bytes = 2 * size;
  return MPI_SUCCESS;
}

static int write_twice(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset position,
                       void *state) {
  (void)state, (void)type;
  for (int i = 0; i < 2 * count; ++i)
    ((int *)file)[2 * position + i] = ((int *)memory)[i / 2];
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Register_datarep("twice", MPI_CONVERSION_FN_NULL, write_twice, extent, 0);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "twice.dat",
                MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "twice", MPI_INFO_NULL);
  int mine = 1;
  MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
