// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a datatype is built from block lengths and displacements that a loop computed.
#include "../../ring.h"

enum { BLOCKS = 50 };

int main(int argc, char **argv) {
  static double out[MOST], in[MOST];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int lengths[BLOCKS], places[BLOCKS], end = 0;
    // EXPECT-RUN
    for (int i = 0; i < BLOCKS; ++i) {
      places[i] = end + (int)(noise(i, step, rank) * 10);
      lengths[i] = 1 + (int)(noise(i, step + 100, rank) * 10);
      end = places[i] + lengths[i];
    }
    MPI_Datatype type;
    MPI_Type_indexed(BLOCKS, lengths, places, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(out, 1, type, (rank + 1) % ranks, 1, in, MOST, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
  }
  MPI_Finalize();
}
