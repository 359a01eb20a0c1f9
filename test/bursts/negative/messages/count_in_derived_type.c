// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is the integer member of a derived datatype; the rest is floating-point data.
#include "../../ring.h"
#include <stddef.h>

struct particle {
  double place[3];
  int neighbours;
};

int main(int argc, char **argv) {
  static struct particle out[N], in[N];
  int rank = startRank(&argc, &argv), ranks, lengths[] = {3, 1};
  MPI_Aint places[] = {offsetof(struct particle, place), offsetof(struct particle, neighbours)};
  MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT}, packed, type;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Type_create_struct(2, lengths, places, members, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(struct particle), &type);
  MPI_Type_commit(&type);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      out[i].neighbours = (int)(noise(i, step, rank) * MOST);
    MPI_Sendrecv(out, N, type, (rank + 1) % ranks, 5, in, N, type, (rank + ranks - 1) % ranks, 5,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(in[step].neighbours);
  }
  MPI_Type_free(&type);
  MPI_Type_free(&packed);
  MPI_Finalize();
}
