// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The flows of one bottleneck, by the amount at which each ends (FlowModel.h), equal ones in the
/// order of their coming.
///
/// An indexed 4-ary heap in an array. While flows come in the order in which they will end, as
/// flows of one size do that begin together, the array is sorted, and both ends cost O(1); the
/// first that comes out of order makes the rest of it a heap, which a sorted array is already.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::models {

class FinishHeap {
public:
  struct Entry {
    double finish;
    uint32_t sequence;
    uint32_t flow;
    bool before(const Entry &other) const {
      return (finish < other.finish) |
             ((finish == other.finish) & (static_cast<int32_t>(sequence - other.sequence) < 0));
    }
  };
  /// Where the entry of each flow stands: one table for all heaps, at least as long as the greatest
  /// flow's index.
  using Positions = std::vector<uint32_t>;

  bool empty() const { return entries_.size() == head_; }
  const Entry &first() const { return entries_[head_]; }
  const Entry &at(uint32_t position) const { return entries_[position]; }

  [[gnu::always_inline]] void push(double finish, uint32_t flow, Positions &positions) {
    Entry entry{finish, nextSequence_++, flow};
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
    Entry last = entries_.back();
    entries_.pop_back();
    if (position < entries_.size()) {
      if (position > head_ && last.before(entries_[parent(position)]))
        siftUp(position, last, positions);
      else
        siftDown(position, last, positions);
    }
    clearIfEmpty();
  }

private:
  static constexpr size_t Arity = 4;
  size_t parent(size_t position) const { return head_ + (position - head_ - 1) / Arity; }

  /// For half as many again, and two at first: of many ranks each has a few flows at its bottleneck.
  [[gnu::noinline]] void makeRoom() {
    entries_.reserve(std::max<size_t>(2, entries_.size() + entries_.size() / 2));
  }
  void clearIfEmpty() {
    if (!empty())
      return;
    entries_.clear();
    head_ = 0;
    sorted_ = true;
  }
  void place(size_t position, const Entry &entry, Positions &positions) {
    entries_[position] = entry;
    positions[entry.flow] = static_cast<uint32_t>(position);
  }
  void siftUp(size_t position, Entry entry, Positions &positions) {
    while (position > head_ && entry.before(entries_[parent(position)])) {
      place(position, entries_[parent(position)], positions);
      position = parent(position);
    }
    place(position, entry, positions);
  }
  void siftDown(size_t position, Entry entry, Positions &positions) {
    for (;;) {
      size_t least = head_ + (position - head_) * Arity + 1;
      if (least >= entries_.size())
        break;
      size_t end = least + Arity < entries_.size() ? least + Arity : entries_.size();
      for (size_t child = least + 1; child < end; ++child)
        least = entries_[child].before(entries_[least]) ? child : least;
      if (!entries_[least].before(entry))
        break;
      place(position, entries_[least], positions);
      position = least;
    }
    place(position, entry, positions);
  }

  std::vector<Entry> entries_;
  uint32_t head_ = 0; ///< entries before it are gone
  uint32_t nextSequence_ = 0;
  bool sorted_ = true;
};

} // namespace gnomon::models
