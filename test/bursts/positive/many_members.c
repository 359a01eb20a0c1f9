// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a structure with more members than fit on a page of source: what is computed in one leaves the others alone.
#include "../ring.h"
#include <stdlib.h>

struct Model {
  int members[800];
};

#define ONE(n) model->members[n] += model->members[(n) + 1] ^ step;
#define FOUR(n) ONE(n) ONE((n) + 1) ONE((n) + 2) ONE((n) + 3)
#define SOME(n) FOUR(n) FOUR((n) + 4) FOUR((n) + 8) FOUR((n) + 12)
#define MANY(n) SOME(n) SOME((n) + 16) SOME((n) + 32) SOME((n) + 48)

__attribute__((noinline)) static void turn(struct Model *model, int step) {
  MANY(0) MANY(64) MANY(128) MANY(192) MANY(256) MANY(320) MANY(384) MANY(448) MANY(512) MANY(576)
}

__attribute__((noinline)) static void compute(struct Model *model, int step, int rank) {
  int sum = 0;
  // EXPECT-SKIP
  for (int i = 0; i < N; ++i)
    sum += (int)(100 * noise(i, step, rank));
  model->members[700] = sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Model *model = calloc(1, sizeof *model);
  model->members[710] = 3 + argc;
  for (int step = 0; step < STEPS; ++step) {
    turn(model, step);
    compute(model, step, rank);
    sendAround(model->members[710] + (model->members[3] & 7));
  }
  free(model);
  MPI_Finalize();
}
