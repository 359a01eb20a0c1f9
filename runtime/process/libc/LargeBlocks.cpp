// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/libc/LargeBlocks.h"

#include <algorithm>
#include <iterator>

namespace gnomon::process {

namespace {

constexpr uint64_t InUse = 0x676e6f6d6f6e0b1c;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

char *alignUp(char *address, char *origin, size_t unit) {
  return origin + roundUp(static_cast<size_t>(address - origin), unit);
}

} // namespace

LargeBlocks::LargeBlocks(char *begin, size_t bytes, Memory &memory)
    : begin_(begin), bytes_(bytes), end_(begin), memory_(memory) {}

LargeBlocks::Header *LargeBlocks::headerOf(const void *block) {
  return reinterpret_cast<Header *>(reinterpret_cast<uintptr_t>(block) - sizeof(Header));
}

void LargeBlocks::mark(char *begin, size_t bytes) {
  *reinterpret_cast<Header *>(begin) = {bytes, InUse};
}

size_t LargeBlocks::capacity(const void *block) {
  if (reinterpret_cast<uintptr_t>(block) % 64 != 0)
    return 0;
  const Header *header = headerOf(block);
  return header->mark == InUse ? header->bytes - sizeof(Header) : 0;
}

void LargeBlocks::insert(char *begin, FreeRange range) {
  auto next = free_.lower_bound(begin);
  if (next != free_.end() && next->first == begin + range.bytes) {
    FreeRange after = erase(next);
    if (after.dirty)
      range.dirty = range.bytes + after.dirty;
    range.bytes += after.bytes;
  }
  next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second.bytes == begin) {
      char *first = before->first;
      FreeRange left = erase(before);
      range = {left.bytes + range.bytes, range.dirty ? left.bytes + range.dirty : left.dirty};
      begin = first;
    }
  }
  free_.emplace(begin, range);
  bySize_.emplace(range.bytes, begin);
}

LargeBlocks::FreeRange LargeBlocks::erase(Ranges::iterator range) {
  FreeRange found = range->second;
  bySize_.erase({found.bytes, range->first});
  free_.erase(range);
  return found;
}

bool LargeBlocks::growFor(size_t bytes) {
  size_t have = 0;
  if (!free_.empty())
    if (auto last = std::prev(free_.end()); last->first + last->second.bytes == end_)
      have = last->second.bytes;
  size_t more = roundUp(bytes - have, HugePageBytes);
  if (more > bytes_ - static_cast<size_t>(end_ - begin_))
    return false;
  memory_.grow(end_, end_ + more);
  char *begin = end_;
  end_ += more;
  insert(begin, {more, 0});
  return true;
}

size_t LargeBlocks::roomFor(size_t bytes) const { return roundUp(bytes + sizeof(Header), unit_); }

/// Where a block of \p need bytes with its header can begin; null: the range is full.
char *LargeBlocks::findFree(size_t need) {
  for (;;) {
    // Ranges between blocks of another unit may begin anywhere: one that is longer by a unit will do.
    for (const size_t most : {need, need + unit_ - sizeof(Header)}) {
      const auto fit = bySize_.lower_bound({most, nullptr});
      if (fit == bySize_.end())
        continue;
      char *begin = alignUp(fit->second, begin_, unit_);
      if (begin + need <= fit->second + fit->first)
        return begin;
    }
    if (!growFor(need + unit_ - sizeof(Header)))
      return nullptr;
  }
}

size_t LargeBlocks::take(char *begin, size_t need) {
  const auto at = std::prev(free_.upper_bound(begin));
  char *first = at->first;
  const FreeRange range = erase(at);
  const auto before = static_cast<size_t>(begin - first), taken = before + need;
  if (before > 0)
    insert(first, {before, std::min(range.dirty, before)});
  if (range.bytes > taken)
    insert(begin + need, {range.bytes - taken, range.dirty > taken ? range.dirty - taken : 0});
  return range.dirty > before ? std::min(range.dirty - before, need) : 0;
}

void *LargeBlocks::allocate(size_t bytes, size_t &dirtyBytes) {
  if (bytes > bytes_ - sizeof(Header) - unit_)
    return nullptr;
  const size_t need = roomFor(bytes);
  char *begin = findFree(need);
  if (!begin)
    return nullptr;
  const size_t dirty = take(begin, need);
  dirtyBytes = dirty > sizeof(Header) ? dirty - sizeof(Header) : 0;
  mark(begin, need);
  return begin + sizeof(Header);
}

void LargeBlocks::giveBack(Ranges::iterator range) {
  char *begin = alignUp(range->first + KeptBytes, begin_, HugePageBytes);
  char *end = begin_ + static_cast<size_t>(range->first + range->second.bytes - begin_) /
                           HugePageBytes * HugePageBytes;
  if (begin < end)
    memory_.discard(begin, end);
}

/// The whole pages of what was a block.
void LargeBlocks::discard(char *begin, size_t bytes) {
  if (bytes > static_cast<size_t>(end_ - begin_) - discarded_)
    return;
  const size_t unit = memory_.discardUnit();
  char *first = alignUp(begin, begin_, unit);
  char *end = begin_ + static_cast<size_t>(begin + bytes - begin_) / unit * unit;
  if (first >= end)
    return;
  discarded_ += bytes;
  memory_.discard(first, end);
}

void LargeBlocks::release(void *block, Pages pages) {
  Header *header = headerOf(block);
  char *begin = reinterpret_cast<char *>(header);
  size_t bytes = header->bytes;
  header->mark = 0;
  insert(begin, {bytes, bytes});
  auto range = std::prev(free_.upper_bound(begin));
  if (range->second.bytes > 2 * KeptBytes)
    giveBack(range);
  else if (pages == Pages::Discarded)
    discard(begin, bytes);
}

bool LargeBlocks::resize(void *block, size_t bytes) {
  if (bytes > bytes_ - sizeof(Header) - unit_)
    return false;
  char *begin = reinterpret_cast<char *>(headerOf(block));
  size_t have = headerOf(block)->bytes, need = roomFor(bytes);
  if (need > have) {
    auto next = free_.find(begin + have);
    bool atEnd =
        begin + have == end_ || (next != free_.end() && next->first + next->second.bytes == end_);
    size_t room = next == free_.end() ? 0 : next->second.bytes;
    if (have + room < need && !(atEnd && growFor(need - have)))
      return false;
    FreeRange taken = erase(free_.find(begin + have));
    have += taken.bytes;
    if (have > need) {
      size_t used = taken.bytes - (have - need);
      insert(begin + need, {have - need, taken.dirty > used ? taken.dirty - used : 0});
    }
  } else if (need < have) {
    insert(begin + need, {have - need, have - need});
  }
  mark(begin, need);
  return true;
}

} // namespace gnomon::process
