// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: messages from and to MPI_BOTTOM: the datatype holds the addresses.
#include "../../ring.h"

static MPI_Datatype at(int *count) {
  MPI_Datatype type, member = MPI_INT;
  MPI_Aint place;
  int length = 1;
  MPI_Get_address(count, &place);
  MPI_Type_create_struct(1, &length, &place, &member, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char **argv) {
  static int mine, theirs;
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Datatype out = at(&mine), in = at(&theirs);
  for (int step = 0; step < STEPS; ++step) {
    mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Sendrecv(MPI_BOTTOM, 1, out, (rank + 1) % ranks, 5, MPI_BOTTOM, 1, in,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(theirs);
  }
  MPI_Type_free(&out);
  MPI_Type_free(&in);
  MPI_Finalize();
}
