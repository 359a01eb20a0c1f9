// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count in a struct is written through a pointer to its member that another struct holds.
#include "../../ring.h"

struct plan {
  double weight[8];
  int count;
};
struct view {
  int *target;
  double scale;
};

static struct plan plan;

__attribute__((noinline)) static void fill(const struct view *view, int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    *view->target = (*view->target * 31 + (int)(noise(i, step, rank) * view->scale)) % MOST;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct view view = {&plan.count, 1000};
  for (int step = 0; step < STEPS; ++step) {
    fill(&view, step, rank);
    sendAround(plan.count);
  }
  MPI_Finalize();
}
