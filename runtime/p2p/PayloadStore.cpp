// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recycled memory for kept payloads.
#include "p2p/PayloadStore.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace gnomon::p2p {

namespace {

/// malloc, for a program may have an operator new of its own; without memory it ends as that does.
void *allocateOrThrow(size_t bytes) {
  void *block = std::malloc(bytes);
  if (!block) {
    if (std::new_handler handler = std::get_new_handler())
      handler();
    throw std::bad_alloc();
  }
  return block;
}

} // namespace

PayloadStore::~PayloadStore() {
  for (void *slab : slabs_)
    std::free(slab);
}

uint32_t PayloadStore::classOf(uint64_t bytes) {
  auto bits = static_cast<uint32_t>(std::bit_width(bytes - 1));
  return std::max(bits, SmallestBits) - SmallestBits;
}

void *PayloadStore::allocate(uint64_t bytes) {
  uint32_t index = classOf(bytes);
  if (index >= Classes)
    return allocateOrThrow(bytes);
  if (!free_[index]) {
    // Small classes are cut from slabs of 16 KiB; larger blocks are slabs of their own.
    size_t size = size_t{1} << (index + SmallestBits), slab = std::max<size_t>(size, 16384);
    auto *memory = static_cast<char *>(allocateOrThrow(slab));
    slabs_.push_back(memory);
    for (size_t offset = 0; offset < slab; offset += size)
      free_[index] = new (memory + offset) Free{free_[index]};
  }
  Free *block = free_[index];
  free_[index] = block->next;
  return block;
}

void PayloadStore::free(void *block, uint64_t bytes) {
  uint32_t index = classOf(bytes);
  if (index >= Classes)
    std::free(block);
  else
    free_[index] = new (block) Free{free_[index]};
}

} // namespace gnomon::p2p
