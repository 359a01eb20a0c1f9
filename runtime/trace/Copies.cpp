// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Copies.h"

#include "support/Hash.h"

#include <algorithm>
#include <utility>

namespace gnomon::trace {

void Copies::start(const Window &window, uint32_t begin, uint32_t end) {
  window_ = &window;
  begin_ = begin;
  base_ = nextBase_;
  nextBase_ += end - begin;
  hashes_.resize(end - begin);
  for (uint32_t at = begin; at < end; ++at) {
    const Node node = window.nodes()[at];
    hashes_[at - begin] =
        node.isLoop() ? mixed(window.loops()[node.loop()].count, 0) : pool_.hash(node.number);
  }
}

/// How many nodes from \p at on, whole items before \p end, say the same as those from \p like on,
/// which end before \p at.
uint32_t Copies::equalNodes(uint32_t like, uint32_t at, uint32_t end) const {
  const Node *const nodes = window_->nodes().data();
  const uint32_t most = std::min(end - at, at - like);
  uint32_t length = 0, whole = 0, loopEnd = 0;
  while (true) {
    while (length < most && nodes[like + length].number == nodes[at + length].number)
      ++length; // the same record: loops have each a number of their own
    if (length >= loopEnd)
      whole = length;
    if (length == most || !window_->same(like + length, at + length))
      return whole;
    if (length >= loopEnd)
      loopEnd = length + 1 + window_->loops()[nodes[at + length].loop()].nodes;
    ++length;
  }
}

Copies::Copy Copies::find(uint32_t at, uint32_t end) {
  if (end - at < Together)
    return {};
  const uint64_t *const hash = hashes_.data() + (at - begin_);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < Together; ++i)
    sum = sum * 0xd1342543de82ef95u + hash[i];
  uint64_t &row = rows_[sum >> (64 - RowBits)];
  const uint64_t before = std::exchange(row, base_ + (at - begin_));
  if (before < base_)
    return {};
  const auto like = static_cast<uint32_t>(begin_ + (before - base_));
  const uint32_t nodes = equalNodes(like, at, end);
  return nodes < Least ? Copy{} : Copy{.distance = at - like, .nodes = nodes};
}

} // namespace gnomon::trace
