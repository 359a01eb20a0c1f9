// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a datatype reaches, by its distance from the buffer, a count in another variable.
#include "../../ring.h"
#include <stdlib.h>

static MPI_Datatype both(double *field, int *count) {
  int lengths[2] = {8, 1};
  MPI_Aint places[2];
  MPI_Datatype type, members[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Get_address(field, &places[0]);
  MPI_Get_address(count, &places[1]);
  places[1] = MPI_Aint_diff(places[1], places[0]);
  places[0] = 0;
  MPI_Type_create_struct(2, lengths, places, members, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, *mine = malloc(sizeof(int)),
      *theirs = malloc(sizeof(int));
  double *out = calloc(8, sizeof(double)), *in = calloc(8, sizeof(double));
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Datatype sent = both(out, mine), received = both(in, theirs);
  for (int step = 0; step < STEPS; ++step) {
    *mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      *mine += noise(i, step, rank) < 0.4;
    MPI_Sendrecv(out, 1, sent, (rank + 1) % ranks, 5, in, 1, received, (rank + ranks - 1) % ranks,
                 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(*theirs);
  }
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
  MPI_Finalize();
}
