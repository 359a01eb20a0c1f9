// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memory of every size and alignment can be had, keeps its content, is zero where calloc
// says so, and goes back, also from several threads; large blocks are Gnomon's own (aligned to a
// cache line, which libc's are not).
#define _GNU_SOURCE
#include "Check.h"
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 9 };
static const size_t sizes[SIZES] = {1, 1000, 131071, 131072, 262144, 1 << 20, 3000000, 40 << 20, 3};

static int all(const char *block, size_t bytes, char value) {
  for (size_t i = 0; i < bytes; ++i)
    if (block[i] != value)
      return 0;
  return 1;
}

static void grow(void) {
  char *block = malloc(1000);
  memset(block, 7, 1000);
  size_t held = 1000;
  for (size_t i = 0; i < SIZES; ++i) {
    block = i % 2 ? realloc(block, sizes[i]) : reallocarray(block, sizes[i], 1);
    CHECK(malloc_usable_size(block) >= sizes[i]);
    held = held < sizes[i] ? held : sizes[i];
    CHECK(all(block, held, 7));
    memset(block, 7, sizes[i]);
    held = sizes[i];
  }
  // As glibc: a block of no bytes is freed. The compiler must not know how many.
  volatile size_t none = 0;
  char *volatile rest = realloc(block, none);
  CHECK(rest == NULL);
  rest = malloc(1 << 20);
  rest = realloc(rest, none);
  CHECK(rest == NULL);
}

static void zeros(void) {
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < SIZES; ++i) {
      char *block = calloc(1, sizes[i]);
      CHECK(all(block, sizes[i], 0));
      memset(block, 1, sizes[i]);
      free(block);
    }
  volatile size_t half = SIZE_MAX / 2;
  void *volatile none = calloc(half, 4);
  CHECK(none == NULL);
  none = malloc(half);
  CHECK(none == NULL);
}

static void alignments(void) {
  for (size_t alignment = 8; alignment <= 1 << 22; alignment *= 2)
    for (size_t bytes = 4096; bytes <= 1 << 22; bytes *= 32) {
      void *block = NULL, *second = aligned_alloc(alignment, bytes < alignment ? alignment : bytes);
      void *third = memalign(alignment, bytes);
      CHECK(posix_memalign(&block, alignment, bytes) == 0);
      CHECK((uintptr_t)block % alignment == 0 && (uintptr_t)second % alignment == 0 &&
            (uintptr_t)third % alignment == 0);
      memset(block, 1, bytes), memset(second, 2, bytes), memset(third, 3, bytes);
      CHECK(all(block, bytes, 1) && all(second, bytes, 2));
      free(block), free(second), free(third);
    }
  void *block = NULL;
  volatile size_t bad = 3;
  CHECK(posix_memalign(&block, bad, 1 << 20) != 0);
}

static void *churn(void *argument) {
  char *held[8] = {NULL};
  for (int step = 0; step < 400; ++step) {
    int slot = step * 5 % 8;
    if (held[slot])
      CHECK(all(held[slot], 200000, (char)slot));
    free(held[slot]);
    held[slot] = malloc(200000);
    memset(held[slot], slot, 200000);
  }
  for (int slot = 0; slot < 8; ++slot)
    free(held[slot]);
  return argument;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  char *large = malloc(200000);
  CHECK((uintptr_t)large % 64 == 0 && (uintptr_t)large % 4096 != 16);
  free(large);
  grow();
  zeros();
  alignments();
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    CHECK(pthread_create(&threads[i], NULL, churn, NULL) == 0);
  for (int i = 0; i < 3; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  others();
  passed("memory");
  MPI_Finalize();
  return 0;
}
