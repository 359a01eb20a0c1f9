// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reserving, guarding and recycling of fiber stacks.
#include "kernel/StackPool.h"

#include "gnomon/Stack.h"
#include "support/Check.h"
#include "support/Error.h"
#include "support/Prefetch.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gnomon::kernel {

namespace {

/// The kernel's limit on mappings a process; a cautious figure when it cannot be read.
size_t mapLimit() {
  size_t limit = 65530;
  if (FILE *file = fopen("/proc/sys/vm/max_map_count", "re")) {
    if (fscanf(file, "%zu", &limit) != 1)
      limit = 65530;
    fclose(file);
  }
  return limit;
}

/// How many stacks may have a guard page: two mappings each, with three eighths of the limit left
/// for the ranks' copies of the globals (one mapping each), folded arrays and the program's own
/// mappings.
size_t guardBudget() {
  size_t limit = mapLimit();
  return (limit - limit * 3 / 8) / 2;
}

/// Distance by which the tops of neighbouring stacks are moved: 29 cache lines modulo 24, so that 24
/// neighbours use 24 different places.
constexpr size_t ColourStepLines = 29;
constexpr size_t Colours = 24;
/// The tops of more stacks stay where they are: so many ranks are in no near cache when their turn
/// comes, and what they keep and the frames of most of them fill one page, not two.
constexpr size_t MostColoured = ManyAtOnce;
constexpr size_t LineBytes = 64;

} // namespace

StackPool::StackPool(StackOptions options)
    : options_(options), pageBytes_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
  size_t stackPages = (options_.bytes + Colours * LineBytes + pageBytes_ - 1) / pageBytes_;
  size_t pages = stackPages + GNOMON_STACK_GUARD_BYTES / pageBytes_;
  slotBytes_ = nearBytes_ = (pages | 1) * pageBytes_;
  if (options_.apartBytes <= nearBytes_)
    options_.apartBytes = 0;
  if (options_.guardPages)
    guardsLeft_ = guardBudget();
  lightGuards_ = options_.lightGuards;
}

StackPool::~StackPool() {
  for (const Region &region : regions_)
    munmap(region.begin, region.bytes);
}

StackRange StackPool::allocate() {
  if (!free_.empty()) {
    StackRange stack = free_.back();
    free_.pop_back();
    return stack;
  }
  if (next_ == end_)
    reserveRegion();
  return carve();
}

void StackPool::release(const StackRange &stack) { free_.push_back(stack); }

bool StackPool::reserve(size_t bytes) {
  void *begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (begin == MAP_FAILED)
    return false;
  // A huge page per stack would cost 2 MiB a rank where 8 KiB are used.
  madvise(begin, bytes, MADV_NOHUGEPAGE);
  regions_.push_back({static_cast<char *>(begin), bytes});
  next_ = static_cast<char *>(begin);
  end_ = next_ + bytes;
  return true;
}

/// Slots that end at multiples of the distance. A stack and its guard are the end of its slot.
bool StackPool::reserveApart() {
  if (options_.apartBytes == 0)
    return false;
  constexpr size_t Slots = 64;
  if (!reserve((Slots + 1) * options_.apartBytes)) {
    options_.apartBytes = 0;
    return false;
  }
  const uintptr_t mask = options_.apartBytes - 1;
  next_ += (options_.apartBytes - (reinterpret_cast<uintptr_t>(next_) & mask)) & mask;
  end_ = next_ + Slots * options_.apartBytes;
  return true;
}

void StackPool::reserveRegion() {
  slotBytes_ = options_.apartBytes;
  if (reserveApart())
    return;
  slotBytes_ = nearBytes_;
  size_t bytes = nextRegionSlots_ * slotBytes_;
  // A limit on address space (ulimit -v) may leave room for a few stacks only: try smaller pieces.
  for (;; bytes /= 2) {
    bytes -= bytes % slotBytes_;
    if (bytes == 0)
      throw InputError("", 0,
                       fmt::format("cannot reserve a stack of {} bytes for another rank: {}; use "
                                   "a smaller --stack-size or fewer ranks",
                                   slotBytes_, strerror(errno)));
    if (reserve(bytes))
      break;
  }
  nextRegionSlots_ *= 2;
}

StackRange StackPool::carve() {
  char *slot = next_ + slotBytes_ - nearBytes_;
  next_ += slotBytes_;
  const bool moves = slotBytes_ == nearBytes_ && carved_ < MostColoured;
  const size_t colour = moves ? carved_ * ColourStepLines % Colours : 0;
  StackRange stack;
  stack.low = slot + GNOMON_STACK_GUARD_BYTES;
  stack.high = slot + nearBytes_ - colour * LineBytes;
  stack.guarded = options_.guardPages && guard(slot);
  ++carved_;
  return stack;
}

/// Makes accesses to the guard at \p slot fault. Linux 6.13 and later can mark pages so without
/// splitting the mapping, four times as fast and without a limit; before, it takes two mappings of
/// the budget.
bool StackPool::guard(char *slot) {
  constexpr int InstallGuard = 102; // MADV_GUARD_INSTALL, which Debian 12's headers do not know
  if (lightGuards_ && madvise(slot, GNOMON_STACK_GUARD_BYTES, InstallGuard) == 0)
    return true;
  lightGuards_ = false;
  if (guardsLeft_ == 0 || mprotect(slot, GNOMON_STACK_GUARD_BYTES, PROT_NONE) != 0) {
    guardsLeft_ = 0;
    return false;
  }
  --guardsLeft_;
  return true;
}

} // namespace gnomon::kernel
