// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a list is built by one loop and followed by another; its length is how many messages
// there are.
#include "../../ring.h"
#include <stdlib.h>

struct node {
  struct node *next;
  double value;
};

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    struct node *head = NULL;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, 0) < 0.01) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        node->value = i;
        head = node;
      }
    while (head) {
      struct node *node = head;
      sendAround(10);
      head = node->next;
      free(node);
    }
  }
  MPI_Finalize();
}
