// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Window.h"

#include "support/Hash.h"
#include "trace/Schema.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace gnomon::trace {
namespace {

/// How many places of equal items, and how many loops, are looked at for each item.
constexpr unsigned MostCandidates = 8, MostRepeats = 32;
/// Items that places are found by: the bodies of fewer ones are looked at without.
constexpr uint32_t Tail = 4;
/// Records of a turn of a loop with loops in it, if it is followed: where the last one differs, all
/// are looked at again.
constexpr uint64_t MostFollowed = 1 << 14;
/// Of a turn that breaks off, so few are all looked at for loops again.
constexpr size_t FewRecords = 32;

/// Of the polynomial; odd, so that no power of it is 0 modulo 2^64.
constexpr uint64_t Base = 0xd1342543de82ef95u;

constexpr auto Powers = [] {
  std::array<uint64_t, Window::MostBody + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * Base;
  return powers;
}();

/// Makes room for \p size elements, and not for more than \p most without need: vectors double
/// theirs otherwise.
template <class T>
[[gnu::always_inline]] void reserve(std::vector<T> &vector, size_t size, size_t most) {
  if (size > vector.capacity()) [[unlikely]]
    vector.reserve(std::max(size, std::min(most, std::max<size_t>(8, 2 * vector.capacity()))));
}

} // namespace

uint32_t Window::limit(uint32_t ranks) {
  constexpr size_t All = size_t{128} << 20, Least = 64;
  // Of each record: its node, its item, its row of places.
  constexpr size_t Bytes = sizeof(Node) + sizeof(Item) + 2 * sizeof(uint32_t);
  const size_t nodes = (All / std::max<size_t>(ranks, 1)) / Bytes;
  return static_cast<uint32_t>(std::clamp<size_t>(nodes, Least, MostNodes));
}

uint64_t Window::hashOfItem(uint32_t item) const {
  return prefixOf(item + 1) - items_[item].prefix * Base;
}

uint64_t Window::hashOfItems(uint32_t first, uint32_t count) const {
  return prefixOf(first + count) - items_[first].prefix * Powers[count];
}

/// Of the item and those before it, Tail of them or as many as there are; \p behind is the polynomial up to it.
uint64_t Window::hashOfTail(uint32_t item, uint64_t behind) const {
  return item < Tail - 1 ? behind : behind - items_[item - (Tail - 1)].prefix * Powers[Tail];
}

uint32_t Window::nodeOf(uint32_t item) const {
  return item == items_.size() ? static_cast<uint32_t>(nodes_.size()) : items_[item].node;
}

uint64_t Window::recordsOf(uint32_t node) const {
  if (!nodes_[node].isLoop())
    return 1;
  const Loop &loop = loops_[nodes_[node].loop()];
  return loop.count * loop.records;
}

uint64_t Window::records() const {
  uint64_t records = items_.size() - repeats_.size();
  for (const Repeat &repeat : repeats_)
    records += recordsOf(items_[repeat.item].node);
  return records;
}

bool Window::sameLoop(uint32_t left, uint32_t right) const {
  const Loop &one = loops_[left], &other = loops_[right];
  return one.count == other.count && one.nodes == other.nodes && one.items == other.items;
}

/// Whether \p count nodes from \p left on and from \p right on say the same.
bool Window::sameNodes(uint32_t left, uint32_t right, uint32_t count) const {
  for (uint32_t i = 0; i < count; ++i)
    if (!same(left + i, right + i))
      return false;
  return true;
}

/// As places are found anew for all items: rarely.
void Window::growPlaces() {
  const size_t some =
      places_.empty() ? 16 : std::min(16 * places_.size(), std::bit_ceil(size_t{most_}));
  places_.assign(std::max(some, 2 * places_.size()), None);
  for (uint32_t i = 0; i < items_.size(); ++i)
    items_[i].previous =
        std::exchange(places_[hashOfTail(i, prefixOf(i + 1)) & (places_.size() - 1)], i);
}

void Window::makeRoom() {
  while (items_.size() + followed_ >= places_.size())
    growPlaces();
  reserve(items_, items_.size() + followed_ + 1, most_ + size_t{2});
  reserve(nodes_, nodes_.size() + followed_ + 1, most_ + size_t{2});
}

[[gnu::always_inline]] inline void Window::pushItem(uint64_t hash, uint32_t node) {
  if (!hasRoom()) [[unlikely]]
    makeRoom();
  if (items_.size() == items_.capacity())
    __builtin_unreachable();
  const auto item = static_cast<uint32_t>(items_.size());
  const uint64_t before = prefix_;
  prefix_ = before * Base + hash;
  uint32_t &place = places_[hashOfTail(item, prefix_) & (places_.size() - 1)];
  items_.push_back({.prefix = before, .node = node, .previous = std::exchange(place, item)});
}

void Window::popItem() {
  const auto last = static_cast<uint32_t>(items_.size() - 1);
  places_[hashOfTail(last, prefix_) & (places_.size() - 1)] = items_[last].previous;
  prefix_ = items_[last].prefix;
  items_.pop_back();
}

/// Keeps so many items, and only their nodes and loops.
void Window::truncate(RecordPool &pool, uint32_t items) {
  due_ = 0;
  const uint32_t nodes = nodeOf(items);
  while (nodes_.size() > nodes) {
    const Node node = nodes_.back();
    nodes_.pop_back();
    if (node.isLoop()) {
      loops_.pop_back();
      continue;
    }
    values_ -= pool.values(node.number).size();
    pool.drop(node.number);
  }
  while (items_.size() > items)
    popItem();
  while (!repeats_.empty() && repeats_.back().item >= items)
    repeats_.pop_back();
}

void Window::append(RecordPool &pool, uint32_t function, std::span<const int64_t> values,
                    uint32_t most) {
  if (const uint32_t next = expected(); next != None && pool.is(next, function, values))
    return follow();
  most_ = most;
  if (!endsInLoop() && followed_ == 0)
    return appendRecord(pool, function, values, most);
  if (isAtEnd() && !goesOn(pool, function, values))
    endTurn();
  reserve(nodes_, nodes_.size() + followed_ + 2, most + size_t{2});
  reserve(items_, items_.size() + followed_ + 1, most + size_t{2});
  settle(pool);
  if (endsInLoop())
    closeLoops(pool, RecordPool::hashOf(function, values));
  lookForLoop();
  if (const uint32_t next = expected(); next != None && pool.is(next, function, values))
    return follow();
  stopFollowing();
  appendRecord(pool, function, values, most);
}

/// As an item.
void Window::appendRecord(RecordPool &pool, uint32_t function, std::span<const int64_t> values,
                          uint32_t most) {
  reserve(nodes_, nodes_.size() + 2, most + size_t{2}); // a record, a loop around it
  reserve(items_, items_.size() + 1, most + size_t{2});
  const uint64_t hash = RecordPool::hashOf(function, values);
  appendItem(pool, hash, pool.take(hash, function, values));
  if (endsInLoop())
    lookForLoop();
  else
    lookForLike(most);
}

void Window::settle(RecordPool &pool) {
  if (turns_ > 0)
    raise(Repeat(repeats_.back()), std::exchange(turns_, 0));
  if (followed_ == 0)
    return stopFollowing();
  if (isAmongLikes())
    return endLikes(pool);
  const bool isFlat = loops_[nodes_[body_ - 1].loop()].depth == 1;
  const uint32_t first = body_;
  std::vector<uint32_t> records;
  records.reserve(isFlat ? followed_ : 0);
  if (isFlat)
    for (uint64_t i = 0; i < followed_; ++i)
      records.push_back(nodes_[first + i].number);
  else
    records = recordsOfTurn();
  stopFollowing();
  // They are the loop's, which stays where it is: the body may fold into another copy of it
  // meanwhile, which has the same records. Of many records the rules find those loops again that the
  // body has.
  const bool areFew = records.size() < FewRecords;
  for (size_t i = 0; i < records.size(); ++i) {
    const uint32_t record = records[i] & ~Node::LoopBit;
    const uint64_t hash = pool.hash(record);
    closeLoops(pool, hash);
    pool.takeAgain(record);
    pushRecord(pool, hash, record);
    if (countUp(pool))
      continue;
    if (areFew || (records[i] & Node::LoopBit) || i + 1 == records.size())
      fold(pool);
    else if (isFlat && i == 0) {
      // Before the last one nothing is tried until a loop may have another turn: the loop has them where it had them.
      followed_ = std::min<size_t>(records.size() - 2, due_ - 1 - items_.size());
      pushAgain(pool, first + 1, static_cast<uint32_t>(followed_));
      i += std::exchange(followed_, 0);
    }
  }
}

/// A loop that is the last item is followed.
void Window::lookForLoop() {
  if (!endsInLoop()) [[likely]]
    return;
  const uint32_t node = items_.back().node;
  const Loop &loop = loops_[nodes_[node].loop()];
  if (loop.depth > 1 && loop.records > MostFollowed)
    return;
  body_ = node + 1;
  bodyEnd_ = body_ + loop.nodes;
  startTurn();
}

void Window::startTurn() {
  followed_ = 0;
  inside_.clear();
  at_ = body_;
  end_ = bodyEnd_;
  if (nodes_[at_].isLoop())
    turn();
  else
    expected_ = nodes_[at_].number;
}

/// To the next record where it is not the next node: into a loop, to its begin once more, or behind
/// it.
void Window::turn() {
  if (isAmongLikes()) {
    expected_ = None;
    return;
  }
  bool behindLoop = false;
  while (at_ == end_ || nodes_[at_].isLoop()) {
    if (at_ != end_) {
      const Loop &loop = loops_[nodes_[at_].loop()];
      ++at_;
      end_ = at_ + loop.nodes;
      inside_.push_back({.begin = at_, .end = end_, .left = loop.count});
    } else if (inside_.empty()) {
      if (!behindLoop)
        endTurn();
      else
        expected_ = None; // the loop at the body's end may go on: the next record tells
      return;
    } else if (--inside_.back().left > 0) {
      at_ = inside_.back().begin;
    } else {
      inside_.pop_back();
      end_ = inside_.empty() ? bodyEnd_ : inside_.back().end;
      behindLoop = true;
    }
  }
  expected_ = nodes_[at_].number;
}

void Window::endTurn() {
  ++turns_;
  followed_ = 0;
  at_ = body_;
  end_ = bodyEnd_;
  // No record is the first item of a body that begins with a loop: the rules are tried
  // (closeLoops).
  expected_ = nodes_[at_].isLoop() ? None : nodes_[at_].number;
}

/// Behind an item that is in no loop: the last items may have stood before, in a window of \p most nodes.
void Window::lookForLike(uint32_t most) {
  expected_ = None;
  const auto size = static_cast<uint32_t>(items_.size());
  uint32_t last = size - 1, like = items_[last].previous;
  if (like == None || hashOfTail(like, prefixOf(like + 1)) != hashOfTail(last, prefix_))
    return;
  const uint32_t distance = last - like;
  at_ = items_[like + 1].node;
  size_t records = std::min<size_t>(distance, due_ - size);
  // The records since the like are there twice when so many more have come.
  for (size_t equal = 0; equal < distance && hashOfItem(like) == hashOfItem(last); --like, --last) {
    records = std::min<size_t>(records, distance - ++equal);
    if (like == 0)
      break;
  }
  const size_t nodes = nodes_.size() + 1; // that of a record that differs makes the window full
  records = std::min<size_t>(records, most > nodes ? most - nodes : 0);
  end_ = at_ + static_cast<uint32_t>(records);
  if (at_ != end_ && !nodes_[at_].isLoop())
    expected_ = nodes_[at_].number;
}

/// Makes items of the records that had their likes.
void Window::endLikes(RecordPool &pool) {
  const auto count = static_cast<uint32_t>(followed_);
  pushAgain(pool, at_ - count, count);
  stopFollowing();
  if (!countUp(pool))
    fold(pool);
}

/// pushRecord of so many records, which are nodes from \p node on: what changes with each is kept in
/// registers.
void Window::pushAgain(RecordPool &pool, uint32_t node, uint32_t count) {
  const size_t firstItem = items_.size(), firstNode = nodes_.size();
  makeRoom();
  items_.resize(firstItem + count);
  nodes_.resize(firstNode + count);
  Item *const items = items_.data();
  Node *const nodes = nodes_.data();
  uint32_t *const places = places_.data();
  const uint64_t mask = places_.size() - 1;
  uint64_t prefix = prefix_, values = values_;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t record = nodes[node + i].number, item = static_cast<uint32_t>(firstItem) + i;
    const uint32_t newNode = static_cast<uint32_t>(firstNode) + i;
    pool.takeAgain(record);
    nodes[newNode].number = record;
    items[item].prefix = prefix;
    items[item].node = newNode;
    prefix = prefix * Base + pool.hash(record);
    items[item].previous = std::exchange(places[hashOfTail(item, prefix) & mask], item);
    values += pool.length(record);
  }
  prefix_ = prefix;
  values_ = values;
}

/// Whether the record is the first one of a loop at the end of the body, which then has another
/// turn.
bool Window::goesOn(const RecordPool &pool, uint32_t function,
                    std::span<const int64_t> values) const {
  for (uint32_t at = body_; at < bodyEnd_; ++at) {
    if (!nodes_[at].isLoop())
      continue;
    const uint32_t nodes = loops_[nodes_[at].loop()].nodes;
    if (at + 1 + nodes < bodyEnd_)
      at += nodes;
    else if (const Node first = nodes_[at + 1];
             !first.isLoop() && pool.is(first.number, function, values))
      return true;
  }
  return false;
}

void Window::stopFollowing() {
  body_ = bodyEnd_ = 0;
  followed_ = 0;
  expected_ = None;
}

/// Those that have come of the turn that was begun; with LoopBit if they are in a loop of the body.
std::vector<uint32_t> Window::recordsOfTurn() {
  std::vector<uint32_t> records;
  records.reserve(followed_);
  const uint64_t count = followed_;
  for (startTurn(); followed_ < count; follow())
    records.push_back(expected_ | (inside_.empty() ? 0 : Node::LoopBit));
  return records;
}

/// A record that has been taken from the pool.
void Window::appendItem(RecordPool &pool, uint64_t hash, uint32_t record) {
  pushRecord(pool, hash, record);
  if (!countUp(pool))
    fold(pool);
}

[[gnu::always_inline]] inline void Window::pushRecord(const RecordPool &pool, uint64_t hash,
                                                      uint32_t record) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  pushItem(hash, node);
  if (nodes_.size() == nodes_.capacity())
    __builtin_unreachable();
  nodes_.push_back({.number = record});
  values_ += pool.length(record);
}

/// Before an item whose hash is \p next: loops at the end that it does not continue are as they
/// will stay.
void Window::closeLoops(RecordPool &pool, uint64_t next) {
  while (endsInLoop() && repeats_.back().first != next && (countUp(pool) || fold(pool))) {
  }
}

/// Finds when the next loop may have another turn, too.
bool Window::countUpDue(RecordPool &pool) {
  due_ = ~size_t{0};
  const auto size = static_cast<uint32_t>(items_.size());
  const size_t last = repeats_.size() > MostRepeats ? repeats_.size() - MostRepeats : 0;
  for (size_t i = repeats_.size(); i-- > last;) {
    const Repeat repeat = repeats_[i];
    const uint32_t next = repeat.item + 1;
    if (next + repeat.bodyItems > size)
      due_ = std::min<size_t>(due_, next + repeat.bodyItems);
    if (next + repeat.bodyItems != size || hashOfItems(next, repeat.bodyItems) != repeat.body)
      continue;
    const uint32_t loop = items_[repeat.item].node, behind = items_[next].node;
    const uint32_t count = loops_[nodes_[loop].loop()].nodes;
    if (nodes_.size() - behind != count || !sameNodes(loop + 1, behind, count))
      continue;
    truncate(pool, next);
    raise(repeat, 1);
    return true;
  }
  return false;
}

/// Adds to the count of the loop that is the last item; its hash changes.
void Window::raise(const Repeat &repeat, uint64_t by) {
  const uint32_t node = items_[repeat.item].node;
  Loop &loop = loops_[nodes_[node].loop()];
  loop.count += by;
  popItem();
  pushItem(mixed(repeat.body, loop.count), node);
  due_ = 0;
}

/// Whether the last \p distance items, half of all at most, and as many before them have the same hash: each is a
/// difference of prefixes, P(end) - P(middle) x power = P(middle) - P(begin) x power.
inline bool Window::isSquare(uint32_t distance) const {
  const Item *const end = items_.data() + items_.size();
  const uint64_t middle = end[-ptrdiff_t{distance}].prefix;
  const uint64_t begin = end[-2 * ptrdiff_t{distance}].prefix;
  return prefix_ - middle == (middle - begin) * Powers[distance];
}

bool Window::fold(RecordPool &pool) {
  const auto size = static_cast<uint32_t>(items_.size()), last = size - 1;
  const uint32_t most = std::min(size / 2, MostBody);
#pragma clang loop unroll(full)
  for (uint32_t distance = 1; distance < Tail; ++distance)
    if (distance <= most && isSquare(distance) && foldAt(pool, distance))
      return true;
  unsigned left = MostCandidates;
  for (uint32_t at = items_[last].previous; at != None && left > 0; at = items_[at].previous) {
    const uint32_t distance = last - at;
    if (distance > most)
      return false;
    --left;
    if (isSquare(distance) && foldAt(pool, distance))
      return true;
  }
  return false;
}

/// Makes a loop of the last \p distance items and those before them, whose hash is the same, if they are equal.
bool Window::foldAt(RecordPool &pool, uint32_t distance) {
  const auto size = static_cast<uint32_t>(items_.size());
  const uint32_t right = size - distance, left = right - distance;
  const uint32_t leftNode = items_[left].node, rightNode = items_[right].node;
  const uint32_t count = rightNode - leftNode;
  if (nodes_.size() - rightNode != count || !sameNodes(leftNode, rightNode, count))
    return false;
  uint32_t depth = 0;
  for (uint32_t node = leftNode; node < rightNode; ++node)
    if (nodes_[node].isLoop())
      depth = std::max(depth, loops_[nodes_[node].loop()].depth);
  if (depth == MostDepth)
    return false;
  truncate(pool, right);
  if (distance == 1 && nodes_[leftNode].isLoop())
    raise(Repeat(repeats_.back()), loops_[nodes_[leftNode].loop()].count);
  else
    makeLoop(left, distance, depth + 1);
  return true;
}

/// Puts a loop of two turns around the last items, from \p first on.
void Window::makeLoop(uint32_t first, uint32_t bodyItems, uint32_t depth) {
  const Repeat repeat{.item = first,
                      .bodyItems = bodyItems,
                      .body = hashOfItems(first, bodyItems),
                      .first = hashOfItem(first)};
  const uint32_t node = items_[first].node;
  Loop loop{.count = 2,
            .records = 0,
            .nodes = static_cast<uint32_t>(nodes_.size() - node),
            .items = bodyItems,
            .depth = depth};
  for (uint32_t item = first; item < items_.size(); ++item)
    loop.records += recordsOf(items_[item].node);
  nodes_.insert(nodes_.begin() + node,
                {.number = Node::LoopBit | static_cast<uint32_t>(loops_.size())});
  loops_.push_back(loop);
  while (items_.size() > first)
    popItem();
  while (!repeats_.empty() && repeats_.back().item >= first)
    repeats_.pop_back();
  pushItem(mixed(repeat.body, loop.count), node);
  repeats_.push_back(repeat);
  due_ = 0;
}

void Window::clear(RecordPool &pool) {
  for (const Node node : nodes_)
    if (!node.isLoop())
      pool.drop(node.number);
  nodes_.clear();
  loops_.clear();
  items_.clear();
  repeats_.clear();
  std::ranges::fill(places_, None);
  prefix_ = values_ = due_ = 0;
  stopFollowing();
  turns_ = 0;
}

size_t Window::memory() const {
  return nodes_.capacity() * sizeof(Node) + loops_.capacity() * sizeof(Loop) +
         items_.capacity() * sizeof(Item) + places_.capacity() * sizeof(uint32_t) +
         repeats_.capacity() * sizeof(Repeat) + inside_.capacity() * sizeof(Turn);
}

} // namespace gnomon::trace
