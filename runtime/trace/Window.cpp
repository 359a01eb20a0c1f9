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

/// Of the polynomial; odd, so that no power of it is 0 modulo 2^64.
constexpr uint64_t Base = 0xd1342543de82ef95u;

constexpr auto Powers = [] {
  std::array<uint64_t, Window::MostBody + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * Base;
  return powers;
}();

uint64_t hashOfRecord(uint32_t function, std::span<const int64_t> values) {
  uint64_t hash = spread(function + 1);
  for (const int64_t value : values)
    hash = (std::rotl(hash, 29) ^ static_cast<uint64_t>(value)) * 0xbf58476d1ce4e5b9u;
  return mixed(hash, values.size());
}

/// Appends without more room than \p most, unless that is not enough: vectors double their room
/// otherwise.
template <class T> void reserve(std::vector<T> &vector, size_t size, size_t most) {
  if (size > vector.capacity())
    vector.reserve(std::max(size, std::min(most, std::max<size_t>(8, 2 * vector.capacity()))));
}

} // namespace

Window::Limits Window::limits(uint32_t ranks) {
  constexpr size_t All = size_t{224} << 20, Least = size_t{2} << 10, Most = size_t{256} << 10;
  // Of each record: its node, its item, its row of places; and as much for its values.
  constexpr size_t NodeBytes = sizeof(Node) + sizeof(Item) + 2 * sizeof(uint32_t);
  const size_t bytes = std::clamp(All / std::max<size_t>(ranks, 1), Least, Most);
  return {.nodes = static_cast<uint32_t>(bytes / 2 / NodeBytes),
          .values = static_cast<uint32_t>(bytes / 2 / sizeof(int64_t))};
}

uint64_t Window::hashOfItems(uint32_t first, uint32_t count) const {
  const uint64_t end = first + count == items_.size() ? prefix_ : items_[first + count].prefix;
  return end - items_[first].prefix * Powers[count];
}

uint32_t Window::nodeOf(uint32_t item) const {
  return item == items_.size() ? static_cast<uint32_t>(nodes_.size()) : items_[item].node;
}

/// Whether \p count nodes from \p left on and from \p right on say the same; their values stand one
/// after another.
bool Window::sameNodes(uint32_t left, uint32_t right, uint32_t count) const {
  uint32_t values = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Node &a = nodes_[left + i], &b = nodes_[right + i];
    if (a.function != b.function || a.length != b.length || a.count != b.count ||
        a.items != b.items)
      return false;
    values += a.isLoop() ? 0 : a.length;
  }
  return std::equal(values_.begin() + nodes_[left].values,
                    values_.begin() + nodes_[left].values + values,
                    values_.begin() + nodes_[right].values);
}

void Window::growPlaces() {
  places_.assign(std::max<size_t>(16, 2 * places_.size()), None);
  for (uint32_t i = 0; i < items_.size(); ++i) {
    uint32_t &place = places_[items_[i].hash & (places_.size() - 1)];
    items_[i].previous = std::exchange(place, i);
  }
}

void Window::pushItem(uint64_t hash, uint32_t node) {
  if (items_.size() >= places_.size())
    growPlaces();
  const auto item = static_cast<uint32_t>(items_.size());
  const uint32_t previous = std::exchange(places_[hash & (places_.size() - 1)], item);
  items_.push_back({.hash = hash, .prefix = prefix_, .node = node, .previous = previous});
  prefix_ = prefix_ * Base + hash;
}

void Window::popItem() {
  const Item &item = items_.back();
  places_[item.hash & (places_.size() - 1)] = item.previous;
  prefix_ = item.prefix;
  items_.pop_back();
}

/// Keeps so many items, and no loop behind them; nodes and values are the caller's to remove.
void Window::truncate(uint32_t items) {
  while (items_.size() > items)
    popItem();
  while (!repeats_.empty() && repeats_.back().item >= items)
    repeats_.pop_back();
}

void Window::append(uint32_t function, std::span<const int64_t> values, const Limits &limits) {
  const uint64_t hash = hashOfRecord(function, values);
  closeLoops(hash);
  reserve(values_, values_.size() + values.size(), limits.values + size_t{64});
  reserve(nodes_, nodes_.size() + 2, limits.nodes + size_t{2}); // a record, and a loop around it
  reserve(items_, items_.size() + 1, limits.nodes + size_t{2});
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.function = function,
                    .length = static_cast<uint32_t>(values.size()),
                    .values = static_cast<uint32_t>(values_.size())});
  values_.insert(values_.end(), values.begin(), values.end());
  pushItem(hash, node);
  ++records_;
  if (!countUp())
    fold();
}

/// Before an item whose hash is \p next: loops at the end that it does not continue are as they
/// will stay.
void Window::closeLoops(uint64_t next) {
  while (!repeats_.empty() && repeats_.back().item + 1 == items_.size() &&
         repeats_.back().first != next && (countUp() || fold())) {
  }
}

bool Window::countUp() {
  const auto size = static_cast<uint32_t>(items_.size());
  const size_t last = repeats_.size() > MostRepeats ? repeats_.size() - MostRepeats : 0;
  for (size_t i = repeats_.size(); i-- > last;) {
    const Repeat repeat = repeats_[i];
    const uint32_t next = repeat.item + 1;
    if (next + repeat.bodyItems != size || hashOfItems(next, repeat.bodyItems) != repeat.body)
      continue;
    const uint32_t loop = items_[repeat.item].node, behind = items_[next].node;
    if (nodes_.size() - behind != nodes_[loop].length ||
        !sameNodes(loop + 1, behind, nodes_[loop].length))
      continue;
    values_.resize(nodes_[behind].values);
    nodes_.resize(behind);
    truncate(next);
    raise(repeat, 1);
    return true;
  }
  return false;
}

/// Adds to the count of the loop that is the last item; its hash changes.
void Window::raise(const Repeat &repeat, uint64_t by) {
  const uint32_t node = items_[repeat.item].node;
  nodes_[node].count += by;
  popItem();
  pushItem(mixed(repeat.body, nodes_[node].count), node);
}

bool Window::fold() {
  const auto last = static_cast<uint32_t>(items_.size() - 1);
  const uint64_t hash = items_[last].hash;
  unsigned left = MostCandidates;
  for (uint32_t at = items_[last].previous; at != None && left > 0; at = items_[at].previous) {
    const uint32_t distance = last - at;
    if (distance > MostBody || 2 * distance > items_.size())
      return false;
    --left;
    if (items_[at].hash == hash && foldAt(distance))
      return true;
  }
  return false;
}

/// Makes a loop of the last \p distance items and the equal ones before them, if they are equal.
bool Window::foldAt(uint32_t distance) {
  const auto size = static_cast<uint32_t>(items_.size());
  const uint32_t right = size - distance, left = right - distance;
  if (hashOfItems(left, distance) != hashOfItems(right, distance))
    return false;
  const uint32_t leftNode = items_[left].node, rightNode = items_[right].node;
  const uint32_t count = rightNode - leftNode;
  if (nodes_.size() - rightNode != count || !sameNodes(leftNode, rightNode, count))
    return false;
  uint32_t depth = 0;
  for (uint32_t item = left; item < right; ++item)
    depth = std::max<uint32_t>(depth, nodes_[items_[item].node].depth);
  if (depth == MostDepth)
    return false;
  values_.resize(nodes_[rightNode].values);
  nodes_.resize(rightNode);
  if (distance == 1 && nodes_[leftNode].isLoop()) {
    truncate(right);
    raise(Repeat(repeats_.back()), nodes_[leftNode].count);
    return true;
  }
  makeLoop(left, distance);
  nodes_[leftNode].depth = static_cast<uint8_t>(depth + 1);
  return true;
}

/// Puts a loop around the items from \p first on, whose repetition has been removed from nodes and
/// values.
void Window::makeLoop(uint32_t first, uint32_t bodyItems) {
  const Repeat repeat{.item = first,
                      .bodyItems = bodyItems,
                      .body = hashOfItems(first, bodyItems),
                      .first = items_[first].hash};
  const uint32_t node = items_[first].node;
  const Node loop{.count = 2,
                  .function = Node::Loop,
                  .length = static_cast<uint32_t>(nodes_.size() - node),
                  .values = nodes_[node].values,
                  .items = bodyItems};
  nodes_.insert(nodes_.begin() + node, loop);
  truncate(first);
  pushItem(mixed(repeat.body, loop.count), node);
  repeats_.push_back(repeat);
}

void Window::clear(const Limits &limits) {
  nodes_.clear();
  values_.clear();
  items_.clear();
  repeats_.clear();
  std::ranges::fill(places_, None);
  prefix_ = records_ = 0;
  if (values_.capacity() > limits.values + size_t{64})
    values_.shrink_to_fit();
}

size_t Window::memory() const {
  return nodes_.capacity() * sizeof(Node) + values_.capacity() * sizeof(int64_t) +
         items_.capacity() * sizeof(Item) + places_.capacity() * sizeof(uint32_t) +
         repeats_.capacity() * sizeof(Repeat);
}

} // namespace gnomon::trace
