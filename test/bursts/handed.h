// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A solver that makes all its memory by an allocator that it is handed, behind a pointer.
#pragma once

#include <stdlib.h>

struct Functions {
  void *(*make)(size_t count, size_t bytes);
  void (*end)(void *block);
};
struct Solver {
  const struct Functions *functions;
  int *sizes, *marks;
};

static void *makeZeros(size_t count, size_t bytes) { return calloc(count, bytes); }
static void *makeRoom(size_t count, size_t bytes) { return calloc(1, 64 + count * bytes); }
static void endBlock(void *block) { free(block); }

static const struct Functions plain = {makeZeros, endBlock}, roomy = {makeRoom, endBlock};
