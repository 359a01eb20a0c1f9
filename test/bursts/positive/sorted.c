// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: arrays are sorted, by numbers in them and through indices; nothing asks for the order.
#include "../ring.h"
#include <stdlib.h>

struct particle {
  double place, speed;
  int number;
};

static struct particle particles[N];
static double halo[N];

static int byPlace(const void *left, const void *right) {
  const struct particle *a = left, *b = right;
  return a->place < b->place ? -1 : a->place > b->place;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < N; ++i)
    particles[i].number = i;
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      particles[i].speed = 0.5 * particles[i].speed + noise(i, step, rank);
      particles[i].place += particles[i].speed;
    }
    qsort(particles, N, sizeof particles[0], byPlace);
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      halo[i] = particles[i].place + particles[i].number;
    MPI_Allreduce(MPI_IN_PLACE, halo, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround(1);
  }
  MPI_Finalize();
}
