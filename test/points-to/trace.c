/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who wrote each byte last, and which load saw it: the run-time half of gnomon-trace-points-to.
 * Pairs of numbers (store, load) go to the file that POINTS_TO_PAIRS names, each once. A program that touches more than
 * Budget bytes ends there: random programs may run for ever, and a count is the same on every machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PageBits = 12, Pages = 1 << 16, Pairs = 1 << 22 };

struct page {
  uintptr_t number;
  uint32_t writer[1 << PageBits];
};

static struct page *pages[Pages];
static uint64_t pairs[Pairs];
static const uint64_t Budget = 100000000;
static uint64_t touched;

static void save(void);

static void touch(uint64_t bytes) {
  touched += bytes;
  if (touched > Budget) {
    save();
    _exit(0);
  }
}

static uint32_t *writerOf(uintptr_t address) {
  uintptr_t number = address >> PageBits;
  size_t slot = (number * 0x9E3779B97F4A7C15u) >> 48;
  while (pages[slot] && pages[slot]->number != number)
    slot = (slot + 1) % Pages;
  if (!pages[slot]) {
    pages[slot] = calloc(1, sizeof(struct page));
    pages[slot]->number = number;
  }
  return &pages[slot]->writer[address & ((1 << PageBits) - 1)];
}

void points_to_wrote(void *memory, uint64_t bytes, uint64_t id) {
  touch(bytes);
  for (uint64_t i = 0; i < bytes; ++i)
    *writerOf((uintptr_t)memory + i) = (uint32_t)id;
}

void points_to_forget(void *memory, uint64_t bytes) {
  if (memory)
    points_to_wrote(memory, bytes, 0);
}

void points_to_read(void *memory, uint64_t bytes, uint64_t id) {
  touch(bytes);
  for (uint64_t i = 0; i < bytes; ++i) {
    uint64_t pair = (uint64_t)*writerOf((uintptr_t)memory + i) << 32 | id;
    size_t slot = (pair * 0x9E3779B97F4A7C15u) >> 42;
    while (pairs[slot] && pairs[slot] != pair)
      slot = (slot + 1) % Pairs;
    pairs[slot] = pair;
  }
}

__attribute__((destructor)) static void save(void) {
  FILE *file = fopen(getenv("POINTS_TO_PAIRS"), "w");
  for (size_t slot = 0; slot < Pairs; ++slot)
    if (pairs[slot] >> 32)
      fprintf(file, "%u %u\n", (unsigned)(pairs[slot] >> 32), (unsigned)pairs[slot]);
  fclose(file);
}
