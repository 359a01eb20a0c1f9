// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The last items of a rank, before they become blocks. An item is a record or a loop: so many
/// times the same items.
///
/// After each item that is appended, two rules are tried: items that follow a loop and are its body
/// once more raise its count; and when the last m items equal the m before them (m <= MostBody),
/// they become a loop of two. Loops are items, so that loops nest. A loop that is the last item may
/// still grow, and would be taken for a shorter one: the rules are tried on it when the next item
/// is not the first of its body. Nothing is lost: unrolled, the items are the records in their
/// order.
///
/// A loop that is the last item is *followed*, with the loops in it: records that come are compared
/// with its body, and are no items until one differs; a whole turn of them raises its count. That
/// is what the rules would come to, at the cost of a comparison for each record. Where one differs,
/// those of the turn that was begun become items after all; so loops in loops are followed only if
/// a turn has few records.
///
/// Items that stood in the window before are *followed*, too: where the last four have their like, the
/// records behind it are expected. Those that come become items together, when one differs, or where a
/// rule may hold: a loop may have another turn, or the records since the like are there twice. In
/// between, what the rules look for is what they did not find the first time, but for equal items
/// that begin before the likes do; those are found at the end, if they go on so long.
///
/// Ranges of items are compared by polynomial hashes of prefixes (Karp and Rabin 1987), in O(1),
/// and by content when the hashes are equal, after which they fold: each record is compared and
/// moved O(depth) times. Candidates for m from 4 on come from a table of the places where items stand,
/// by the hash of an item and the three before it: few other places have the same. An append takes
/// O(candidates).
#pragma once

#include "trace/RecordPool.h"

#include <vector>

namespace gnomon::trace {

/// A loop or a record, of the items in prefix order: a loop's body follows it.
struct Node {
  static constexpr uint32_t LoopBit = uint32_t{1} << 31;
  uint32_t number; ///< of a record in the pool; or LoopBit and the loop's place in Window::loops()

  bool isLoop() const { return number & LoopBit; }
  uint32_t loop() const { return number & ~LoopBit; }
};

struct Loop {
  uint64_t count = 0;   ///< how many times
  uint64_t records = 0; ///< of its body, unrolled
  uint32_t nodes = 0;   ///< of its body, however deep
  uint32_t items = 0;   ///< of its body
  uint32_t depth = 0;   ///< 1: its body has no loop
};

class Window {
public:
  static constexpr uint32_t MostBody = 1024;
  /// Nodes that a window of few ranks has, for two bodies and what is around them.
  static constexpr uint32_t MostNodes = 2 * MostBody + 256;

  /// Nodes that each of so many windows may have, so that they have 128 MiB together at most.
  static uint32_t limit(uint32_t ranks);

  /// Appends a record, and folds. \p most nodes are expected at most, to make room for.
  void append(RecordPool &pool, uint32_t function, std::span<const int64_t> values, uint32_t most);
  /// The record in the pool that comes next if what is followed goes on; None: nothing is, or the rules
  /// are to be tried first.
  uint32_t expected() const { return expected_; }
  /// It has come.
  [[gnu::always_inline]] void follow() {
    ++followed_;
    if (++at_ == end_ || nodes_[at_].isLoop()) [[unlikely]]
      turn();
    else
      expected_ = nodes_[at_].number;
  }
  /// Makes items of what follows the last loop. Before the window is looked at: what append() has
  /// taken since counts in nothing below.
  void settle(RecordPool &pool);
  /// Removes all.
  void clear(RecordPool &pool);

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node> &nodes() const { return nodes_; }
  const std::vector<Loop> &loops() const { return loops_; }
  /// Of its records, loops not unrolled.
  uint64_t values() const { return values_; }
  uint32_t items() const { return static_cast<uint32_t>(items_.size()); }
  /// The node where an item begins; behind the last item, the end of all.
  uint32_t nodeOf(uint32_t item) const;
  /// Of all items, unrolled.
  uint64_t records() const;
  /// Records of the item that begins at \p node, unrolled.
  uint64_t recordsOf(uint32_t node) const;
  /// Whether two nodes are the same record, or loops with as many turns, nodes and items: the bodies
  /// are not looked at.
  bool same(uint32_t left, uint32_t right) const {
    const Node a = nodes_[left], b = nodes_[right];
    return a.number == b.number || (a.isLoop() && b.isLoop() && sameLoop(a.loop(), b.loop()));
  }
  /// Bytes of memory that are taken.
  size_t memory() const;

  static constexpr uint32_t None = ~uint32_t{0};

private:
  /// An item that is in no loop. Its hash is what makes the polynomial before it the one behind it.
  struct Item {
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

  uint64_t prefixOf(uint32_t item) const {
    return item == items_.size() ? prefix_ : items_[item].prefix;
  }
  uint64_t hashOfItem(uint32_t item) const;
  uint64_t hashOfItems(uint32_t first, uint32_t count) const;
  uint64_t hashOfTail(uint32_t item, uint64_t behind) const;
  bool endsInLoop() const { return !repeats_.empty() && repeats_.back().item + 1 == items_.size(); }
  bool sameLoop(uint32_t left, uint32_t right) const;
  bool sameNodes(uint32_t left, uint32_t right, uint32_t count) const;
  /// A loop in the one that is followed, whose body comes now.
  struct Turn {
    uint32_t begin, end; ///< nodes of its body
    uint64_t left;       ///< turns, the present one included
  };

  void appendRecord(RecordPool &pool, uint32_t function, std::span<const int64_t> values,
                    uint32_t most);
  void appendItem(RecordPool &pool, uint64_t hash, uint32_t record);
  void pushRecord(const RecordPool &pool, uint64_t hash, uint32_t record);
  void lookForLoop();
  void startTurn();
  void turn();
  bool isAtEnd() const { return bodyEnd_ > 0 && at_ == bodyEnd_; }
  bool goesOn(const RecordPool &pool, uint32_t function, std::span<const int64_t> values) const;
  void endTurn();
  void lookForLike(uint32_t most);
  bool isAmongLikes() const { return bodyEnd_ == 0; }
  void endLikes(RecordPool &pool);
  void pushAgain(RecordPool &pool, uint32_t node, uint32_t count);
  void stopFollowing();
  std::vector<uint32_t> recordsOfTurn();
  bool hasRoom() const {
    return items_.size() < places_.size() && items_.size() != items_.capacity() &&
           nodes_.size() != nodes_.capacity();
  }
  /// For an item and a node, and for what is followed. Leaves its caller's registers alone: nothing is saved for it where it is not called.
  [[gnu::noinline, clang::preserve_most]] void makeRoom();
  void pushItem(uint64_t hash, uint32_t node);
  void popItem();
  void truncate(RecordPool &pool, uint32_t items);
  void growPlaces();
  void closeLoops(RecordPool &pool, uint64_t next);
  bool countUp(RecordPool &pool) { return items_.size() >= due_ && countUpDue(pool); }
  bool countUpDue(RecordPool &pool);
  bool fold(RecordPool &pool);
  bool isSquare(uint32_t distance) const;
  bool foldAt(RecordPool &pool, uint32_t distance);
  void raise(const Repeat &repeat, uint64_t by);
  void makeLoop(uint32_t first, uint32_t bodyItems, uint32_t depth);

  std::vector<Node> nodes_;
  std::vector<Loop> loops_; ///< as they were made: those of the last nodes come last
  std::vector<Item> items_;
  std::vector<uint32_t> places_; ///< by hashOfTail, the last item of that row
  std::vector<Repeat> repeats_;
  uint32_t most_ = 0;   ///< nodes that are expected at most
  size_t due_ = 0;      ///< with fewer items no loop has another turn behind it
  uint64_t prefix_ = 0; ///< of all items
  uint64_t values_ = 0;
  // Of the loop that is followed, or of items that stood before.
  uint32_t body_ = 0, bodyEnd_ = 0; ///< nodes of its body; 0, 0: no loop is followed
  uint32_t at_ = 0;                 ///< node of the record that is expected, and
  uint32_t end_ = 0; ///< the end of the innermost body that it is in, or of all likes
  uint32_t expected_ = None;
  std::vector<Turn> inside_;
  uint64_t followed_ = 0; ///< records of the turn that was begun, or that had their likes
  uint64_t turns_ = 0;    ///< whole ones before it
};

} // namespace gnomon::trace
