// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The last items of a rank, before they become a block. An item is a record or a loop: so many
/// times the same items.
///
/// After each item that is appended, two rules are tried: items that follow a loop and are its body
/// once more raise its count; and when the last m items equal the m before them (m <= MostBody),
/// they become a loop of two. Loops are items, so that loops nest. A loop that is the last item may
/// still grow, and would be taken for a shorter one: the rules are tried on it when the next item
/// is not the first of its body. Nothing is lost: unrolled, the items are the records in their
/// order.
///
/// Ranges of items are compared by polynomial hashes of prefixes (Karp and Rabin 1987), in O(1),
/// and by content when the hashes are equal, after which they fold: each record is compared and
/// moved O(depth) times. Candidates for m come from a table of the places of items by hash. An
/// append takes O(candidates), which are few.
#pragma once

#include "trace/Record.h"

#include <vector>

namespace gnomon::trace {

/// A loop or a record, of the items in prefix order: a loop's body follows it.
struct Node {
  static constexpr uint32_t Loop = ~uint32_t{0};

  uint64_t count = 0;      ///< of a loop: how many times
  uint32_t function = 0;   ///< or Loop
  uint32_t length = 0;     ///< of a record: values; of a loop: nodes of its body, however deep
  uint32_t values = 0;     ///< place of the first value
  uint32_t items : 24 = 0; ///< of a loop's body
  uint32_t depth : 8 = 0;  ///< 0: a record

  bool isLoop() const { return function == Loop; }
  /// Nodes from here to the next item.
  uint32_t nodes() const { return isLoop() ? length + 1 : 1; }
};

class Window {
public:
  static constexpr uint32_t MostBody = 1024;

  /// A window is full when it has so many of either.
  struct Limits {
    uint32_t nodes = 0, values = 0;
  };
  /// Of each window, so that those of all ranks have some 256 MiB at most; a window of few ranks
  /// holds two bodies of MostBody records.
  static Limits limits(uint32_t ranks);

  /// Appends a record, and folds.
  void append(uint32_t function, std::span<const int64_t> values, const Limits &limits);
  bool isFull(const Limits &limits) const {
    return nodes_.size() >= limits.nodes || values_.size() >= limits.values;
  }
  /// Removes all; gives back memory beyond the limits.
  void clear(const Limits &limits);

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node> &nodes() const { return nodes_; }
  const std::vector<int64_t> &values() const { return values_; }
  uint32_t items() const { return static_cast<uint32_t>(items_.size()); }
  /// Records, loops unrolled.
  uint64_t records() const { return records_; }
  /// Bytes of memory that are taken.
  size_t memory() const;

private:
  static constexpr uint32_t None = ~uint32_t{0};
  /// An item that is in no loop.
  struct Item {
    uint64_t hash = 0;
    uint64_t prefix = 0; ///< polynomial of the hashes of all items before
    uint32_t node = 0;
    uint32_t previous = None; ///< the item before it in the same row of places_
  };
  /// A loop among the items.
  struct Repeat {
    uint32_t item = 0, bodyItems = 0;
    uint64_t body = 0;  ///< polynomial of the hashes of its items
    uint64_t first = 0; ///< hash of the first one
  };

  uint64_t hashOfItems(uint32_t first, uint32_t count) const;
  uint32_t nodeOf(uint32_t item) const;
  bool sameNodes(uint32_t left, uint32_t right, uint32_t count) const;
  void pushItem(uint64_t hash, uint32_t node);
  void popItem();
  void truncate(uint32_t items);
  void growPlaces();
  void closeLoops(uint64_t next);
  bool countUp();
  bool fold();
  bool foldAt(uint32_t distance);
  void raise(const Repeat &repeat, uint64_t by);
  void makeLoop(uint32_t first, uint32_t bodyItems);

  std::vector<Node> nodes_;
  std::vector<int64_t> values_;
  std::vector<Item> items_;
  std::vector<uint32_t> places_; ///< by hash, the last item of that row
  std::vector<Repeat> repeats_;
  uint64_t prefix_ = 0; ///< of all items
  uint64_t records_ = 0;
};

} // namespace gnomon::trace
