// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// malloc and its like: large blocks come from LargeBlocks, everything else from the next malloc of
/// the process. The runtime itself allocates by these too. A program, or a library loaded before
/// libgnomon, that brings a malloc of its own is never seen here.
#include "process/libc/Allocation.h"

#include "kernel/Sanitizer.h"
#include "process/fold/FoldedMemory.h"
#include "process/libc/Interpose.h"
#include "process/libc/LargeBlocks.h"
#include "process/merge/Merging.h"
#include "process/ranks/Emergency.h"
#include "process/ranks/Memory.h"
#include "process/ranks/PageCost.h"
#include "process/ranks/Simulation.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gnomon::process {

namespace {

/// From here on libc would make a mapping for each block (M_MMAP_THRESHOLD).
constinit size_t largeBytes = size_t{128} << 10;
/// Where blocks are aligned to pages, which takes up to a page for each: too much for smaller ones.
constexpr size_t LargePagesBytes = size_t{64} << 10;
constinit bool isAligned = false;
/// Beyond this the kernel is asked whether it has that much, and a block has huge pages enough of
/// its own size.
constexpr size_t MostBytes = size_t{1} << 30;
constexpr size_t Alignment = 64;
constexpr size_t RangeBytes = size_t{1} << 40;

HugePageUse hugePageUse = HugePageUse::Auto;
bool isUseExpected = false;

double threadSeconds() {
  timespec now{};
  GNOMON_REAL(clock_gettime)(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A program may touch little of what it allocates, and a huge page is in memory whole, as pages are
/// that were made ahead: no more than this part of what memory is free is put at stake for it.
size_t atStakeBytes() {
  const uint64_t machine =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return static_cast<size_t>(std::min(machine, freeMemory().bytes) / 4);
}

/// Whether this machine's hypervisor takes back memory that is free in blocks of 2 MiB (virtio's
/// balloon with free page reporting): each huge page is then backed anew, 4 KiB at a time, which
/// takes some 16 ms.
bool isFreeMemoryTakenBack() {
  std::error_code none;
  for (const auto &device : std::filesystem::directory_iterator("/sys/bus/virtio/devices", none)) {
    constexpr size_t reporting = 5; // VIRTIO_BALLOON_F_REPORTING
    std::string kind, features;
    std::ifstream(device.path() / "device") >> kind;
    std::ifstream(device.path() / "features") >> features;
    if (kind == "0x0005" && features.size() > reporting && features[reporting] == '1')
      return true;
  }
  return false;
}

bool areHugePagesWanted() {
  return hugePageUse == HugePageUse::Always ||
         (hugePageUse == HugePageUse::Auto && !isFreeMemoryTakenBack());
}

/// Makes pages as the range grows, many in one call, where faults are dear.
class PagesAhead {
public:
  /// [begin, end) was never used and will be, but for its first bytes.
  void make(char *begin, char *end) {
    if (!worthwhile_ && end - begin >= 2 * Samples * SampleBytes)
      begin = compare(begin);
    if (worthwhile_.value_or(false))
      makeTogether(begin, end);
  }

private:
  static constexpr ptrdiff_t PageBytes = 4096, SampleBytes = 16 * PageBytes, Samples = 4;

  /// Of memory that no other thread uses yet.
  static void touch(char *begin, const char *end) {
    for (volatile char *page = begin; page < end; page += PageBytes)
      *page = *page;
  }

  /// Both ways in turn, by the best of each: a host that takes its memory back may take long for any
  /// page. Returns the end of what was made so.
  char *compare(char *begin) {
    double byFaults = 0, together = 0;
    for (int i = 0; i < Samples; ++i, begin += 2 * SampleBytes) {
      const double before = threadSeconds();
      touch(begin, begin + SampleBytes);
      const double faults = threadSeconds() - before;
      const double call = makeTogether(begin + SampleBytes, begin + 2 * SampleBytes);
      byFaults = i == 0 ? faults : std::min(byFaults, faults);
      together = i == 0 ? call : std::min(together, call);
    }
    worthwhile_ = areFaultsDear(byFaults, together);
    return begin;
  }

  /// Seconds that the call took; 0 where the kernel is older than 5.14. A hypervisor that keeps page
  /// tables of its own fills them in at the first use of a page, another 3 us. That is done here, too.
  static double makeTogether(char *begin, char *end) {
    const double before = threadSeconds();
    if (GNOMON_REAL(madvise)(begin, static_cast<size_t>(end - begin), MADV_POPULATE_WRITE) != 0)
      return 0;
    const double seconds = threadSeconds() - before;
    touch(begin, end);
    notePagesAhead(static_cast<uint64_t>((end - begin) / PageBytes), threadSeconds() - before);
    return seconds;
  }

  std::optional<bool> worthwhile_; ///< nothing before it was compared
};

class HugePages final : public LargeBlocks::Memory {
public:
  HugePages(char *begin, size_t bytes) : last_(begin + std::min(bytes, atStakeBytes())) {
    active_ = areHugePagesWanted() &&
              GNOMON_REAL(madvise)(begin, static_cast<size_t>(last_ - begin), MADV_HUGEPAGE) == 0;
  }

  void grow(char *begin, char *end) override {
    if (begin >= last_ || hugePageUse == HugePageUse::Always)
      return;
    if (active_)
      tryHuge(begin, end);
    else if (isUseExpected)
      ahead_.make(begin, std::min(end, last_));
  }

  void discard(char *begin, char *end) override {
    GNOMON_REAL(madvise)(begin, static_cast<size_t>(end - begin), MADV_DONTNEED);
  }

  size_t discardUnit() const override { return active_ ? HugePageBytes : PageBytes; }

private:
  // The first page is touched at once: its beginning belongs to a block now.
  void tryHuge(char *begin, char *end) {
    double before = threadSeconds();
    *static_cast<volatile char *>(begin) = 0;
    policy_.touched(threadSeconds() - before);
    active_ = policy_.worthwhile();
    if (!active_ && end < last_)
      GNOMON_REAL(madvise)(end, static_cast<size_t>(last_ - end), MADV_NOHUGEPAGE);
  }

  char *last_; ///< of what may be in huge pages, or made ahead
  bool active_;
  HugePagePolicy policy_;
  PagesAhead ahead_;
};

/// A mutex of libc's would be one of the rank's: its threads are fibers. Only other threads
/// (OpenMP's) ever wait here.
class SpinLock {
public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire))
      GNOMON_REAL(sched_yield)();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> held_{false};
};

/// While it lives no other thread of the calling rank runs: what is done under a lock of ours may
/// call libraries whose locks would give another one its turn, and that one would spin for ever.
class Undisturbed {
public:
  Undisturbed() : rank_(currentRank()) {
    if (rank_)
      rank_->burst.holdStill();
  }
  ~Undisturbed() {
    if (rank_)
      rank_->burst.letGo();
  }
  Undisturbed(const Undisturbed &) = delete;
  Undisturbed &operator=(const Undisturbed &) = delete;

private:
  Rank *rank_;
};

/// The range, its pages and its lock; made when the first large block is wanted, and never unmade:
/// blocks outlive static objects.
struct Arena {
  HugePages pages;
  LargeBlocks blocks;
  SpinLock lock;

  explicit Arena(char *begin) : pages(begin, RangeBytes), blocks(begin, RangeBytes, pages) {
    if (isAligned)
      blocks.alignToPages();
  }
};

alignas(Arena) char arenaStorage[sizeof(Arena)];
Arena *arena() { return std::launder(reinterpret_cast<Arena *>(arenaStorage)); }

/// First address of the range; 0 before there is one, and for ever where there can be none.
constinit std::atomic<uintptr_t> rangeBegin{0};
constinit SpinLock rangeLock;
constinit bool rangeTried = false;

bool inRange(const void *address) {
  uintptr_t begin = rangeBegin.load(std::memory_order_acquire);
  return begin && reinterpret_cast<uintptr_t>(address) - begin < RangeBytes;
}

void makeRange() {
  // A limit on address space (ulimit -v) or strict accounting leaves all to libc.
  void *mapping = mmap(nullptr, RangeBytes + HugePageBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return;
  uintptr_t begin =
      (reinterpret_cast<uintptr_t>(mapping) + HugePageBytes - 1) & ~(HugePageBytes - 1);
  new (arenaStorage) Arena(reinterpret_cast<char *>(begin));
  pthread_atfork([] { arena()->lock.lock(); }, [] { arena()->lock.unlock(); },
                 [] { arena()->lock.unlock(); });
  rangeBegin.store(begin, std::memory_order_release);
}

bool isRangeThere() {
  if (rangeBegin.load(std::memory_order_acquire))
    return true;
  Undisturbed rest;
  std::lock_guard guard(rangeLock);
  // The runtime may be the first to need it, in the midst of a program that looks at its errno.
  const int error = errno;
  if (!std::exchange(rangeTried, true))
    makeRange();
  errno = error;
  return rangeBegin.load(std::memory_order_acquire) != 0;
}

/// A block from the range; null when libc has to give it, as those of less than \p least. \p zeroed asks for zeros.
void *allocateLarge(size_t bytes, bool zeroed, size_t least) {
  if (bytes < least || bytes > MostBytes)
    return nullptr;
  if (!isRangeThere())
    return nullptr;
  size_t dirty = 0;
  void *block;
  {
    std::lock_guard guard(arena()->lock);
    block = arena()->blocks.allocate(bytes, dirty);
  }
  if (block && zeroed)
    std::memset(block, 0, std::min(dirty, bytes));
  if (merge::isOn() && block) [[unlikely]]
    merge::noteBlock(static_cast<char *>(block), LargeBlocks::capacity(block));
  return block;
}

/// Whether a block of the range, in use, starts there. Where none does, libc is asked, which ends
/// the run as it does for any wrong pointer.
bool isBlock(const void *address) {
  return inRange(address) && LargeBlocks::capacity(address) != 0;
}

void *moveBlock(void *block, size_t old, size_t bytes) {
  void *moved = std::malloc(bytes);
  if (!moved)
    return nullptr;
  std::memcpy(moved, block, std::min(old, bytes));
  std::free(block);
  return moved;
}

bool resizeInPlace(void *block, size_t bytes) {
  std::lock_guard guard(arena()->lock);
  return arena()->blocks.resize(block, bytes);
}

void *resizeLarge(void *block, size_t bytes) {
  const size_t old = LargeBlocks::capacity(block);
  const bool fits = bytes >= largeBytes && bytes <= MostBytes;
  // Another thread may get what a smaller block leaves, as soon as it is free.
  if (fits && bytes < old && merge::isOn()) [[unlikely]]
    merge::noteResized(static_cast<char *>(block), bytes);
  if (!fits || !resizeInPlace(block, bytes))
    return moveBlock(block, old, bytes);
  if (bytes > old && merge::isOn()) [[unlikely]]
    merge::noteResized(static_cast<char *>(block), LargeBlocks::capacity(block));
  return block;
}

/// What the program allocates at one of its sites (gnomon/Fold.h) may be folded. Nothing where it is
/// not at one, or the block is small.
class FoldableBlock {
public:
  explicit FoldableBlock(size_t bytes) : site_(fold::pendingSite()), bytes_(bytes) {
    if (!site_) [[likely]]
      return;
    memory_ = fold::memory();
    rank_ = currentRank();
    if (!memory_ || !rank_ || bytes < memory_->leastBytes())
      site_ = nullptr;
    else
      fold::clearPendingSite();
  }
  /// One that is folded at once; null: it has to be allocated.
  void *folded() const {
    return site_ ? memory_->allocate(rank_->number, *site_, bytes_) : nullptr;
  }
  /// Smaller blocks are libc's. Of what may be folded later whole pages should be the block's.
  size_t leastOfRange() const {
    if (!site_ || !memory_->wantsPages(rank_->number, *site_)) [[likely]]
      return largeBytes;
    return std::min(largeBytes, std::max(memory_->leastBytes(), PageBytes));
  }
  /// \p block was allocated; null: it could not be.
  void *note(void *block) const {
    if (!block) [[unlikely]]
      noteRefused(bytes_);
    else if (site_) [[unlikely]]
      memory_->note(rank_->number, *site_, block, bytes_, placeOf(block));
    return block;
  }

private:
  fold::Place placeOf(const void *block) const {
    if (isBlock(block))
      return fold::Place::Movable;
    const bool isOfRange = bytes_ >= leastOfRange() && bytes_ <= MostBytes;
    return isOfRange && !isRangeThere() ? fold::Place::NoAddresses : fold::Place::Fixed;
  }

  gnomon_fold_site *site_;
  size_t bytes_;
  fold::FoldedMemory *memory_ = nullptr;
  Rank *rank_ = nullptr;
};

/// Whether \p block was folded from its beginning, so that there is nothing to be freed.
bool releaseFolded(void *block) {
  fold::FoldedMemory *folded = fold::memory();
  if (!folded || !(folded->isShared(block) || isBlock(block) || folded->poisons())) [[likely]]
    return false;
  const Rank *rank = currentRank();
  return folded->release(rank ? rank->number : 0, block);
}

size_t foldedCapacity(const void *block) {
  fold::FoldedMemory *folded = fold::memory();
  return folded && folded->isShared(block) ? folded->capacity(block) : 0;
}

/// What lies in \p block need not be kept.
void *moveFolded(void *block, size_t bytes) {
  void *moved = std::malloc(bytes);
  if (moved)
    std::free(block);
  return moved;
}

/// Whether the simulation itself calls, not the program: its arrays grow by being copied into others
/// of twice the size, so that what it frees it will not want again. With many ranks that was a tenth
/// of the memory.
bool isOfRuntime() {
  const Rank *rank = currentRank();
  return onSimulationThread() && !(rank && rank->burst.inProgram());
}

bool isEmergency() { return inEmergency.load(std::memory_order_relaxed); }

/// Of the run's last report: the old block stays as it is, wherever it came from.
void *resizeInEmergency(void *block, size_t bytes) {
  size_t old = emergencyCapacity(block);
  if (block && old == 0)
    old = isBlock(block) ? LargeBlocks::capacity(block) : GNOMON_REAL(malloc_usable_size)(block);
  void *moved = emergencyBlock(bytes);
  if (moved && block)
    std::memcpy(moved, block, std::min(old, bytes));
  return moved;
}

/// The block, wherever it came from; null: there was none.
void *given(void *block, size_t bytes) {
  if (!block && bytes > 0) [[unlikely]]
    noteRefused(bytes);
  return block;
}

void *allocateAligned(size_t alignment, size_t bytes) {
  if (isEmergency()) [[unlikely]]
    return alignment <= Alignment ? emergencyBlock(bytes) : nullptr;
  if (alignment > fold::SharedPages::PageBytes)
    return nullptr;
  const FoldableBlock foldable(bytes);
  if (void *folded = foldable.folded())
    return folded;
  void *block =
      alignment <= Alignment ? allocateLarge(bytes, false, foldable.leastOfRange()) : nullptr;
  return block ? foldable.note(block) : nullptr;
}

} // namespace

void useHugePages(HugePageUse use) { hugePageUse = use; }

void expectUse(bool expected) { isUseExpected = expected; }

void alignBlocksToPages() {
  isAligned = true;
  largeBytes = LargePagesBytes;
  if (rangeBegin.load(std::memory_order_acquire)) {
    std::lock_guard guard(arena()->lock);
    arena()->blocks.alignToPages();
  }
}

} // namespace gnomon::process

using namespace gnomon::process;

// A sanitizer has an allocator of its own.
#ifndef GNOMON_ASAN
GNOMON_INTERPOSE void *malloc(size_t bytes) noexcept {
  if (isEmergency()) [[unlikely]]
    return emergencyBlock(bytes);
  const FoldableBlock foldable(bytes);
  if (void *folded = foldable.folded())
    return folded;
  void *block = allocateLarge(bytes, false, foldable.leastOfRange());
  return foldable.note(block ? block : GNOMON_REAL(malloc)(bytes));
}

GNOMON_INTERPOSE void *calloc(size_t count, size_t bytes) noexcept {
  size_t total;
  const bool tooLarge = __builtin_mul_overflow(count, bytes, &total);
  if (isEmergency()) [[unlikely]]
    return tooLarge ? nullptr : emergencyBlock(total);
  const FoldableBlock foldable(tooLarge ? SIZE_MAX : total);
  if (void *folded = foldable.folded())
    return folded;
  void *block = tooLarge ? nullptr : allocateLarge(total, true, foldable.leastOfRange());
  return foldable.note(block ? block : GNOMON_REAL(calloc)(count, bytes));
}

GNOMON_INTERPOSE void free(void *block) noexcept {
  if (isEmergency()) [[unlikely]]
    return;
  if (releaseFolded(block)) [[unlikely]]
    return;
  if (!isBlock(block))
    return GNOMON_REAL(free)(block);
  if (merge::isOn()) [[unlikely]]
    merge::noteFreed(static_cast<char *>(block));
  const auto pages = isOfRuntime() ? LargeBlocks::Pages::Discarded : LargeBlocks::Pages::Kept;
  std::lock_guard guard(arena()->lock);
  arena()->blocks.release(block, pages);
}

GNOMON_INTERPOSE void *realloc(void *block, size_t bytes) noexcept {
  if (isEmergency()) [[unlikely]]
    return resizeInEmergency(block, bytes);
  if (foldedCapacity(block)) [[unlikely]]
    return bytes ? moveFolded(block, bytes) : (free(block), nullptr);
  if (isBlock(block)) {
    if (bytes == 0)
      return free(block), nullptr;
    releaseFolded(block);
    const FoldableBlock foldable(bytes);
    void *resized = resizeLarge(block, bytes);
    return resized ? foldable.note(resized) : nullptr; // malloc has noted that
  }
  releaseFolded(block);
  size_t old = block && bytes >= largeBytes ? malloc_usable_size(block) : 0;
  // What libc has mapped grows there without being copied.
  return old && old < largeBytes ? moveBlock(block, old, bytes)
                                 : given(GNOMON_REAL(realloc)(block, bytes), bytes);
}

GNOMON_INTERPOSE size_t malloc_usable_size(void *block) noexcept {
  if (isEmergency()) [[unlikely]]
    if (const size_t bytes = emergencyCapacity(block))
      return bytes;
  if (const size_t bytes = foldedCapacity(block)) [[unlikely]]
    return bytes;
  return isBlock(block) ? LargeBlocks::capacity(block) : GNOMON_REAL(malloc_usable_size)(block);
}

GNOMON_INTERPOSE void *aligned_alloc(size_t alignment, size_t bytes) noexcept {
  void *block = allocateAligned(alignment, bytes);
  return given(block ? block : GNOMON_REAL(aligned_alloc)(alignment, bytes), bytes);
}

GNOMON_INTERPOSE void *memalign(size_t alignment, size_t bytes) noexcept {
  void *block = allocateAligned(alignment, bytes);
  return given(block ? block : GNOMON_REAL(memalign)(alignment, bytes), bytes);
}

GNOMON_INTERPOSE int posix_memalign(void **result, size_t alignment, size_t bytes) noexcept {
  bool valid = alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0;
  void *block = valid ? allocateAligned(alignment, bytes) : nullptr;
  if (block) {
    *result = block;
    return 0;
  }
  const int error = GNOMON_REAL(posix_memalign)(result, alignment, bytes);
  if (error == ENOMEM) [[unlikely]]
    noteRefused(bytes);
  return error;
}
#endif
