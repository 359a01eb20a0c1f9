// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The flows of one bottleneck, by the amount at which each ends (FlowModel.h), equal ones in the
/// order of their coming.
///
/// An indexed 4-ary heap in an array. While flows come in the order in which they will end, as
/// flows of one size do that begin together, the array is sorted, and both ends cost O(1); the
/// first that comes out of order makes the rest of it a heap, which a sorted array is already.
///
/// An entry's order is an integer of 128 bits, as in kernel/EventQueue.h: the bits of the amount (those
/// of doubles from 0 on are in the order of the numbers), then the number of its coming. What goes
/// leaves a hole, which moves to the bottom without a look at the entry that is to fill it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::models {

class FinishHeap {
public:
  struct Entry {
    uint32_t flow;
    uint32_t sequence; ///< of its coming
    double finish;     ///< not negative

    unsigned __int128 order() const {
      const uint64_t place = (uint64_t{sequence} << 32) | flow;
      return (static_cast<unsigned __int128>(std::bit_cast<uint64_t>(finish)) << 64) | place;
    }
    bool before(const Entry &other) const { return order() < other.order(); }
  };
  /// Where the entry of each flow stands: one table for all heaps, at least as long as the greatest
  /// flow's index.
  using Positions = std::vector<uint32_t>;

  /// \p firstSequence is for tests of what happens when sequence numbers are used up.
  explicit FinishHeap(uint32_t firstSequence = 0) : nextSequence_(firstSequence) {}

  bool empty() const { return entries_.size() == head_; }
  const Entry &first() const { return entries_[head_]; }
  const Entry &at(uint32_t position) const { return entries_[position]; }

  [[gnu::always_inline]] void push(double finish, uint32_t flow, Positions &positions) {
    if (nextSequence_ == UINT32_MAX) [[unlikely]]
      renumber(positions);
    // To add 0 makes -0 of it 0, whose bits are in order.
    const Entry entry{flow, nextSequence_++, finish + 0.0};
    sorted_ &= empty() || finish >= entries_.back().finish;
    if (entries_.size() == entries_.capacity()) [[unlikely]]
      makeRoom();
    entries_.push_back(entry);
    positions[flow] = static_cast<uint32_t>(entries_.size() - 1);
    if (!sorted_)
      siftUp(entries_.size() - 1, entry, positions);
  }
  void popFirst(Positions &positions) {
    if (sorted_) {
      ++head_;
      clearIfEmpty();
    } else {
      remove(entries_[head_].flow, positions);
    }
  }
  void remove(uint32_t flow, Positions &positions) {
    const size_t position = positions[flow];
    if (position + 1 < entries_.size())
      sorted_ = false;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (position < entries_.size())
      siftUp(holeAtBottom(position, positions), last, positions);
    clearIfEmpty();
  }

private:
  static constexpr size_t Arity = 4;
  size_t parent(size_t position) const { return head_ + (position - head_ - 1) / Arity; }

  /// For half as many again, and two at first: of many ranks each has a few flows at its bottleneck.
  [[gnu::noinline]] void makeRoom() {
    entries_.reserve(std::max<size_t>(2, entries_.size() + entries_.size() / 2));
  }
  /// Numbers the entries from 0 on, in their order.
  [[gnu::noinline]] void renumber(Positions &positions) {
    std::sort(entries_.begin() + head_, entries_.end(),
              [](const Entry &one, const Entry &other) { return one.before(other); });
    nextSequence_ = 0;
    for (size_t i = head_; i < entries_.size(); ++i) {
      entries_[i].sequence = nextSequence_++;
      positions[entries_[i].flow] = static_cast<uint32_t>(i);
    }
    sorted_ = true;
  }
  void clearIfEmpty() {
    if (!empty())
      return;
    entries_.clear();
    head_ = 0;
    sorted_ = true;
  }
  [[gnu::always_inline]] void place(size_t position, const Entry &entry, Positions &positions) {
    entries_[position] = entry;
    positions[entry.flow] = static_cast<uint32_t>(position);
  }
  void siftUp(size_t position, const Entry &entry, Positions &positions) {
    while (position > head_ && entry.before(entries_[parent(position)])) {
      place(position, entries_[parent(position)], positions);
      position = parent(position);
    }
    place(position, entry, positions);
  }
  /// The least of the up to four children that begin at \p first.
  size_t leastChild(size_t first) const {
    static_assert(Arity == 4);
    const Entry *const heap = entries_.data();
    if (first + Arity <= entries_.size()) [[likely]] {
      // No branch: which one it is cannot be foreseen.
      const size_t left = first + size_t{heap[first + 1].before(heap[first])};
      const size_t right = first + 2 + size_t{heap[first + 3].before(heap[first + 2])};
      return heap[right].before(heap[left]) ? right : left;
    }
    size_t least = first;
    for (size_t child = first + 1; child < entries_.size(); ++child)
      least = heap[child].before(heap[least]) ? child : least;
    return least;
  }
  /// Moves a hole to where it has no children. The last entry belongs there, or near.
  size_t holeAtBottom(size_t hole, Positions &positions) {
    for (;;) {
      const size_t first = head_ + (hole - head_) * Arity + 1;
      if (first >= entries_.size())
        return hole;
      const size_t least = leastChild(first);
      place(hole, entries_[least], positions);
      hole = least;
    }
  }

  std::vector<Entry> entries_;
  uint32_t head_ = 0; ///< entries before it are gone
  uint32_t nextSequence_;
  bool sorted_ = true;
};

} // namespace gnomon::models
