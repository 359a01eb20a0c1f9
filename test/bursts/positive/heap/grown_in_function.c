// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a list is made anew in a burst when it is full, and freed at the end, unless it never came to be.
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

struct List {
  double *item;
  int room, used;
};

__attribute__((noinline)) static void add(struct List *list, double item) {
  if (list->used == list->room) {
    double *before = list->item;
    list->room = 2 * list->room + 16;
    list->item = malloc((size_t)list->room * sizeof *list->item);
    if (before)
      memcpy(list->item, before, (size_t)list->used * sizeof *before);
    free(before);
  }
  list->item[list->used++] = item;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct List list = {NULL, 0, 0};
  double total = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.4)
        add(&list, total + i);
    double mine = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      mine += i < list.used ? list.item[i] : 0;
    list.used = 0;
    MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround(20);
  }
  if (list.room > 0)
    free(list.item);
  MPI_Finalize();
}
