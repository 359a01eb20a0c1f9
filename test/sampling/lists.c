/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Walks over lists, of which one in eight is a hundred times as long as the others: nobody knows in front how long a walk
 * takes. The call of MPI behind each makes a burst of it. */
#include <mpi.h>
#include <stdlib.h>

enum { LISTS = 64, STEPS = 2000, SHORT = 4, LONG = 400 };

struct Item {
  struct Item *next;
  double value;
};

static struct Item *listOf(int count) {
  struct Item *first = NULL;
  for (; count > 0; --count) {
    struct Item *item = malloc(sizeof *item);
    *item = (struct Item){first, count};
    first = item;
  }
  return first;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct Item *lists[LISTS];
  double *sums = calloc(LISTS, sizeof *sums);
  for (int i = 0; i < LISTS; ++i)
    lists[i] = listOf(i % 8 == 7 ? LONG : SHORT);
  for (int step = 0; step < STEPS; ++step)
    for (int i = 0; i < LISTS; ++i) {
      for (const struct Item *item = lists[i]; item; item = item->next)
        sums[i] = 0.5 * sums[i] + item->value;
      MPI_Barrier(MPI_COMM_SELF);
    }
  MPI_Finalize();
}
