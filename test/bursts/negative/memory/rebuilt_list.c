// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one loop builds a list, one walks it and one frees it: skipping any of them must not
// break the others.
#include "../../ring.h"
#include <stdlib.h>

struct node {
  struct node *next;
  double value;
};

static struct node *head;
static double total;

__attribute__((noinline)) static void build(int step, int rank) {
  for (int i = 0; i < N; ++i) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = noise(i, step, rank);
    head = node;
  }
}

__attribute__((noinline)) static void walk(void) {
  for (struct node *node = head; node; node = node->next)
    total += node->value;
}

__attribute__((noinline)) static void destroy(void) {
  while (head) {
    struct node *node = head;
    head = node->next;
    free(node);
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    build(step, rank);
    walk();
    destroy();
    sendAround(40);
  }
  MPI_Finalize();
}
