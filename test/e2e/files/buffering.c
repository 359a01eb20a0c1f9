// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: prints how long collective accesses take whose parts interleave (1 MB a rank, in blocks
// of 1000 bytes that the ranks take in turns), with the hints of the command line, for
// buffering.py, which knows what aggregators should give. The bytes must arrive however they
// travel.
#include "check.h"

#define BLOCKS 1000
#define BLOCK 1000
#define BYTES (BLOCKS * BLOCK)

static char buffer[BYTES], back[BYTES];

int main(int argc, char **argv) {
  start(&argc, &argv);
  MPI_Info info;
  MPI_Info_create(&info);
  int contiguous = 0;
  for (int i = 1; i < argc; ++i) {
    char *value = strchr(argv[i], '=');
    if (!value) {
      contiguous = 1;
      continue;
    }
    *value = '\0';
    MPI_Info_set(info, argv[i], value + 1);
  }
  MPI_File file = new_file("buffering.dat");
  MPI_Datatype turns;
  MPI_Type_vector(BLOCKS, BLOCK, BLOCK * size, MPI_BYTE, &turns);
  MPI_Type_commit(&turns);
  const MPI_Offset mine = (MPI_Offset)rank * (contiguous ? BYTES : BLOCK);
  OK(MPI_File_set_view(file, mine, MPI_BYTE, contiguous ? MPI_BYTE : turns, "native", info));
  for (int i = 0; i < BYTES; ++i)
    buffer[i] = (char)(rank + i % 101);

  MPI_Barrier(MPI_COMM_WORLD);
  double date = MPI_Wtime();
  OK(MPI_File_write_at_all(file, 0, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  report("write", MPI_Wtime() - date);
  date = MPI_Wtime();
  OK(MPI_File_read_at_all(file, 0, back, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  report("read", MPI_Wtime() - date);
  CHECK(memcmp(buffer, back, BYTES) == 0);
  date = MPI_Wtime();
  MPI_Request request;
  MPI_Status status;
  OK(MPI_File_iwrite_at_all(file, 0, buffer, rank == 0 ? 0 : BYTES, MPI_BYTE, &request));
  OK(MPI_Wait(&request, &status));
  CHECK(count_of(&status, MPI_BYTE) == (rank == 0 ? 0 : BYTES));
  report("iwrite", MPI_Wtime() - date);
  date = MPI_Wtime();
  OK(MPI_File_write_at(file, 0, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  report("alone", MPI_Wtime() - date);
  MPI_File_close(&file);
  MPI_Type_free(&turns);
  MPI_Info_free(&info);
  MPI_Finalize();
}
