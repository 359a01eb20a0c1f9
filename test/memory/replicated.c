// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank computes the same table of 1 MiB, in its heap, another one among its globals, and an array of its own; then
// ranks wait for each other many times, and write now and then. Every rank checks what it reads. The first argument is
// what a rank does in the end beside: nothing, or something that concerns the pages of its table.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LENGTH = 1 << 18, OWN = 1 << 15, ROUNDS = 400, PAGE = 4096 };

static int global_table[LENGTH / 4];

static int value(int i) { return i * 2654435761u >> 7; }

static int is_right(const int *table, int length, int written) {
  for (int i = 0; i < length; ++i)
    if (table[i] != value(i) + (i < written ? i : 0))
      return 0;
  return 1;
}

/// The page that begins inside the table.
static char *page_of(int *table) { return (char *)(((uintptr_t)table + 4 * PAGE) / PAGE * PAGE); }

static int finish(const char *what, int *table, int rank) {
  char *page = page_of(table);
  if (strcmp(what, "discard") == 0) { // anonymous memory is zero afterwards
    if (madvise(page, PAGE, MADV_DONTNEED) != 0)
      return 1;
    return page[0] || page[PAGE - 1];
  }
  if (strcmp(what, "protect") == 0) { // and stays so, however often pages are looked at
    if (mprotect(page, PAGE, PROT_READ) != 0)
      return 1;
    for (int round = 0; round < ROUNDS; ++round)
      MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
      page[8] = 1;
  }
  if (strcmp(what, "crash") == 0 && rank == 2)
    *(volatile int *)0 = 1;
  if (strcmp(what, "grow") == 0) {
    table = realloc(table, 3 * LENGTH * sizeof *table);
    const int right = is_right(table, LENGTH, 100);
    table = realloc(table, LENGTH / 2 * sizeof *table);
    return !right || !is_right(table, LENGTH / 2, 100);
  }
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *table = malloc(LENGTH * sizeof *table), *own = malloc(OWN * sizeof *own);
  for (int i = 0; i < LENGTH; ++i)
    table[i] = value(i);
  for (int i = 0; i < LENGTH / 4; ++i)
    global_table[i] = value(i);
  for (int i = 0; i < OWN; ++i)
    own[i] = value(i * 32 + rank);
  for (int round = 0; round < ROUNDS; ++round)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 100; ++i)
    table[i] += i;
  global_table[0] = rank;
  for (int round = 0; round < ROUNDS; ++round)
    MPI_Barrier(MPI_COMM_WORLD);
  long wrong = !is_right(table, LENGTH, 100) + (global_table[0] != rank);
  for (int i = 0; i < OWN; ++i)
    wrong += own[i] != value(i * 32 + rank);
  if (argc > 1)
    wrong += finish(argv[1], table, rank);
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("replicated: %s\n", all ? "FAILED" : "PASSED");
  MPI_Finalize();
  return 0;
}
