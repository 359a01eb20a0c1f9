// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks one behind the other, the size of each in the 64 bytes before it: in a reserve that is
/// there from the start, then in mappings. Few threads ask (the reporting one, the watchdog), none
/// of them often.
#include "process/ranks/Emergency.h"

#include <cstdint>
#include <sys/mman.h>

namespace gnomon::process {
namespace {

constexpr size_t Alignment = 64;
constexpr size_t ReserveBytes = size_t{1} << 20, ChunkBytes = size_t{4} << 20;
constexpr size_t MostBytes = size_t{1} << 40;
/// Marks a block, so that one of libc's is not taken for it.
constexpr uint64_t Mark = 0x676e6f6d6f6e2121;

struct Header {
  uint64_t mark;
  size_t bytes;
};

alignas(Alignment) constinit char reserve[ReserveBytes] = {};
constinit std::atomic<bool> busy{false};
constinit char *next = reserve;
constinit char *end = reserve + ReserveBytes;

bool mapMore(size_t bytes) {
  const size_t wanted = bytes > ChunkBytes ? bytes : ChunkBytes;
  void *chunk = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (chunk == MAP_FAILED)
    return false;
  next = static_cast<char *>(chunk);
  end = next + wanted;
  return true;
}

} // namespace

void enterEmergency() { inEmergency.store(true); }

void *emergencyBlock(size_t bytes) {
  if (bytes > MostBytes)
    return nullptr;
  const size_t needed = (bytes + 2 * Alignment - 1) / Alignment * Alignment;
  while (busy.exchange(true, std::memory_order_acquire))
    continue;
  char *block = nullptr;
  if (static_cast<size_t>(end - next) >= needed || mapMore(needed)) {
    block = next + Alignment;
    *reinterpret_cast<Header *>(next) = {Mark, bytes};
    next += needed;
  }
  busy.store(false, std::memory_order_release);
  return block;
}

size_t emergencyCapacity(const void *block) {
  if (!block || reinterpret_cast<uintptr_t>(block) % Alignment != 0)
    return 0;
  const auto *header =
      reinterpret_cast<const Header *>(static_cast<const char *>(block) - Alignment);
  return header->mark == Mark ? header->bytes : 0;
}

} // namespace gnomon::process
