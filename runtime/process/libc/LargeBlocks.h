// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Large blocks of the program's memory, packed into one range of addresses that is backed by huge
/// pages. A rank's arrays of some 100 KiB to some MiB cost more to touch for the first time than a
/// simulated collective costs to run: a page fault takes about 1.5 us for each 4 KiB, and 180 us
/// for 2 MiB. libc puts each such block into a mapping of its own, which is too small or not
/// aligned for a huge page; here the blocks of all ranks lie side by side. Knows no libc function
/// of the program; Allocation.cpp makes malloc of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace gnomon::process {

constexpr size_t HugePageBytes = size_t{2} << 20;
constexpr size_t PageBytes = 4096;

/// Whether huge pages are still worth having. The kernel may have to move memory about (or a
/// hypervisor to find some) before it hands one out; then small pages are cheaper.
class HugePagePolicy {
public:
  /// One page was touched for the first time in \p seconds of processor time.
  void touched(double seconds) { excess_ = std::max(0.0, excess_ + seconds - SmallPagesSeconds); }
  bool worthwhile() const { return excess_ < ToleratedSeconds; }

  /// What 2 MiB cost in pages of 4 KiB, in seconds (docs/performance/messages.md).
  static constexpr double SmallPagesSeconds = 0.8e-3;
  /// What may be lost before small pages are taken for the rest of the run, in seconds.
  static constexpr double ToleratedSeconds = 10e-3;

private:
  double excess_ = 0;
};

/// Best-fit allocation in one range of addresses. Not safe for use by two threads at a time.
class LargeBlocks {
public:
  /// What the owner does to the memory behind the addresses.
  struct Memory {
    /// Addresses [begin, end) are used from now on; a block has at least the first of them.
    virtual void grow(char *begin, char *end) = 0;
    /// The content of [begin, end) is not wanted any more: it reads as zero, or as before.
    virtual void discard(char *begin, char *end) = 0;
    /// Of what is discarded, both ends lie at a multiple of this from the range's beginning.
    virtual size_t discardUnit() const { return PageBytes; }
    virtual ~Memory() = default;
  };

  /// \p begin: aligned to HugePageBytes; [begin, begin + bytes) reads as zero where it was never
  /// written.
  LargeBlocks(char *begin, size_t bytes, Memory &memory);

  /// From now on blocks begin 64 bytes behind a page's beginning, and share no page with others: 64
  /// bytes and up to a page more for each.
  void alignToPages() { unit_ = PageBytes; }
  /// A block of at least \p bytes, aligned to 64 bytes; null when the range is full. \p dirtyBytes
  /// gets the number of its first bytes that may have been written before; the rest is zero.
  void *allocate(size_t bytes, size_t &dirtyBytes);
  /// What becomes of the pages of a block that is released.
  enum class Pages : uint8_t { Kept, Discarded };
  /// \p block came from allocate and is no longer used. Pages::Discarded: nor will another of its
  /// size be soon. No more bytes are discarded so than the range has grown by: who is wrong about
  /// that pays for each page once more at the most.
  void release(void *block, Pages pages = Pages::Kept);
  /// Makes \p block hold \p bytes without moving it: false when what follows it is in use.
  bool resize(void *block, size_t bytes);
  /// Bytes that \p block can hold; 0 when no block in use starts at that address of the range.
  static size_t capacity(const void *block);

  /// Free ranges of more than twice this keep this much and give the rest back to the kernel.
  static constexpr size_t KeptBytes = size_t{32} << 20;

private:
  /// In front of each block in use.
  struct alignas(64) Header {
    size_t bytes; ///< with the header
    uint64_t mark;
  };
  struct FreeRange {
    size_t bytes;
    size_t dirty; ///< of the first bytes: the rest was never written
  };
  using Ranges = std::map<char *, FreeRange>;

  void insert(char *begin, FreeRange range);
  FreeRange erase(Ranges::iterator range);
  bool growFor(size_t bytes);
  void giveBack(Ranges::iterator range);
  void discard(char *begin, size_t bytes);
  static Header *headerOf(const void *block);
  static void mark(char *begin, size_t bytes);

  /// Takes \p need bytes out of the free range \p begin. Returns how many of them may have been
  /// written before.
  size_t take(char *begin, size_t need);
  char *findFree(size_t need);
  size_t roomFor(size_t bytes) const;

  char *begin_;
  size_t bytes_;
  size_t unit_ = 64;     ///< of a block's beginning, with its header, and of its size
  char *end_;            ///< of what was used up to now
  size_t discarded_ = 0; ///< by Pages::Discarded
  Memory &memory_;
  Ranges free_;
  std::set<std::pair<size_t, char *>> bySize_;
};

} // namespace gnomon::process
