// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a datatype spans variables of their own, by differences of addresses: the buffer's
// address names the first only.
#include "../../ring.h"

static double energy, arrivedEnergy;
static int mine, theirs;

static MPI_Datatype both(void *number, void *count) {
  MPI_Datatype type, members[] = {MPI_DOUBLE, MPI_INT};
  MPI_Aint places[2];
  int lengths[] = {1, 1};
  MPI_Get_address(number, &places[0]);
  MPI_Get_address(count, &places[1]);
  places[1] = MPI_Aint_diff(places[1], places[0]);
  places[0] = 0;
  MPI_Type_create_struct(2, lengths, places, members, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Datatype out = both(&energy, &mine), in = both(&arrivedEnergy, &theirs);
  for (int step = 0; step < STEPS; ++step) {
    mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Sendrecv(&energy, 1, out, (rank + 1) % ranks, 5, &arrivedEnergy, 1, in,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(theirs);
  }
  MPI_Type_free(&out);
  MPI_Type_free(&in);
  MPI_Finalize();
}
