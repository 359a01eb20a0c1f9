// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank allocates, fills, overwrites, resizes and frees blocks at random, with few different contents, so that many
// pages are equal from time to time; after each step all ranks wait for each other, and each checks one of its blocks whole.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 12, STEPS = 500, CONTENTS = 3, LEAST = 8 << 10, WORD = sizeof(long) };

/// Words [0, changed) hold what is expected of content + 1, the others of content.
struct block {
  long *words;
  size_t count, changed;
  int content;
};
static struct block blocks[BLOCKS];
static unsigned long state;

static size_t draw(size_t below) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (state >> 33) % below;
}

/// Content 0 is all zeros.
static long expected(int content, size_t i) {
  return content ? (long)(i * 2654435761UL) + content : 0;
}

static void fill(struct block *block, size_t from, size_t to, int content) {
  for (size_t i = from; i < to; ++i)
    block->words[i] = expected(content, i);
}

static int is_right(const struct block *block) {
  for (size_t i = 0; i < block->count; ++i)
    if (block->words[i] != expected(block->content + (i < block->changed), i))
      return 0;
  return 1;
}

static void allocate(struct block *block) {
  block->count = (LEAST << draw(6)) / WORD + draw(2) * 77;
  block->content = (int)draw(CONTENTS);
  block->changed = 0;
  block->words = block->content ? malloc(block->count * WORD) : calloc(block->count, WORD);
  fill(block, 0, block->content ? block->count : 0, block->content);
}

static void resize(struct block *block) {
  const size_t count = block->count / 2 + draw(block->count);
  block->words = realloc(block->words, count * WORD);
  fill(block, block->count < count ? block->count : count, count, block->content);
  block->count = count;
  block->changed = block->changed < count ? block->changed : count;
}

static void step(struct block *block) {
  switch (block->words ? draw(5) : 0) {
  case 0:
    free(block->words);
    return allocate(block);
  case 1:
    return resize(block);
  case 2:
    block->changed = draw(block->count);
    fill(block, 0, block->changed, block->content + 1);
    return fill(block, block->changed, block->count, block->content);
  case 3:
    free(block->words);
    memset(block, 0, sizeof *block);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state = (unsigned long)(rank / 2) * 12345; // two ranks do the same
  long wrong = 0, all = 0;
  for (int i = 0; i < STEPS; ++i) {
    step(&blocks[draw(BLOCKS)]);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong += !is_right(&blocks[i % BLOCKS]);
  }
  for (int i = 0; i < BLOCKS; ++i)
    wrong += !is_right(&blocks[i]);
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("blocks: %s\n", all ? "FAILED" : "PASSED");
  MPI_Finalize();
  return 0;
}
