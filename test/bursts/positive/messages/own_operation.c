// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an operation of the program's own compares what it reduces, and puts it together; it does the same work whatever
// that is, and writes nothing else.
#include "../../ring.h"
#include <math.h>

struct Extreme {
  double least, most;
  int place;
};

static double field[N];

static void extremes(void *in, void *inout, int *length, MPI_Datatype *type) {
  const struct Extreme *left = in;
  struct Extreme *right = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    if (left[i].least < right[i].least ||
        (left[i].least == right[i].least && left[i].place < right[i].place)) {
      right[i].least = left[i].least;
      right[i].place = left[i].place;
    }
    right[i].most = fmax(left[i].most, sqrt(fabs(right[i].most)));
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  MPI_Op op;
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(struct Extreme), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(extremes, 1, &op);
  double total = 0;
  for (int step = 0; step < STEPS; ++step) {
    struct Extreme mine = {1e30, -1e30, 0}, all;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      if (field[i] < mine.least) {
        mine.least = field[i];
        mine.place = i;
      }
      mine.most = fmax(mine.most, field[i]);
    }
    MPI_Allreduce(&mine, &all, 1, type, op, MPI_COMM_WORLD);
    total += all.least + all.most;
    sendAround(1 + step % 3);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Finalize();
  return total < -1e300;
}
