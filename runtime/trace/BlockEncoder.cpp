// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/BlockEncoder.h"

#include "trace/Block.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gnomon::trace {
namespace {

constexpr std::array<int64_t, MostFields> Zeros{};

/// What is expected of a list's element: the one at the same place, or else the one before.
int64_t expectedElement(const int64_t *list, const int64_t *expected, int64_t length, int64_t i) {
  return i < length ? expected[i] : i > 0 ? list[i - 1] : 0;
}

} // namespace

void BlockEncoder::clear() {
  contexts_.clear();
  for (const Shape &shape : shapes_)
    shapesOf_[shape.function].clear();
  shapes_.clear();
  for (const uint32_t stream : fields_) {
    streams_[stream].clear();
    hasStream_[stream] = 0;
  }
  fields_.clear();
  codes_.clear();
  values_ = 0;
  shapesOf_.resize(schema_.functions().size());
  streams_.resize(schema_.streams());
  hasStream_.resize(schema_.streams());
}

/// \p expected is null where nothing predicts the record: zeros are expected, and empty lists.
uint64_t BlockEncoder::maskOf(const Plan &plan, const int64_t *values,
                              const int64_t *expected) const {
  uint64_t mask = 0;
  if (!plan.lists) {
    if (!expected) [[unlikely]]
      expected = Zeros.data();
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t field = 0; field < plan.count; ++field)
      mask |= uint64_t{values[field] != expected[field]} << field;
    return mask;
  }
  static constexpr int64_t Zero = 0;
  for (size_t field = 0; field < plan.fields.size(); ++field) {
    const int64_t *other = expected ? expected : &Zero;
    const int64_t value = *values++, like = *other;
    bool same = value == like;
    if (plan.fields[field].list) {
      same = same && std::equal(values, values + value, other + 1);
      values += value;
    }
    mask |= uint64_t{!same} << field;
    if (expected)
      expected += plan.fields[field].list ? like + 1 : 1;
  }
  return mask;
}

void BlockEncoder::putFields(const Plan &plan, uint64_t mask, const int64_t *values,
                             const int64_t *expected) {
  if (!plan.lists) {
    for (; mask != 0; mask &= mask - 1) {
      const auto field = static_cast<uint32_t>(std::countr_zero(mask));
      const int64_t like = expected ? expected[field] : 0;
      FlatBytes &out = streams_[plan.firstStream + field];
      if (plan.reals >> field & 1)
        putReal(out, values[field], like);
      else
        putInteger(out, values[field], like);
    }
    return;
  }
  static constexpr int64_t Zero = 0;
  for (size_t field = 0; field < plan.fields.size(); ++field) {
    const Field &what = plan.fields[field];
    const int64_t *other = expected ? expected : &Zero;
    const int64_t value = *values++, like = *other;
    FlatBytes &out = streams_[plan.firstStream + field];
    const bool put = mask >> field & 1;
    if (put && !what.list)
      putValue(out, what.kind, value, like);
    if (put && what.list) {
      putInteger(out, value, like);
      for (int64_t i = 0; i < value; ++i)
        putValue(out, what.kind, values[i], expectedElement(values, other + 1, like, i));
    }
    values += what.list ? value : 0;
    if (expected)
      expected += what.list ? like + 1 : 1;
  }
}

uint32_t BlockEncoder::newShape(uint32_t function, uint64_t mask) {
  shapes_.push_back({.function = function, .mask = mask});
  const auto number = static_cast<uint32_t>(shapes_.size());
  shapesOf_[function].push_back({.mask = mask, .number = number});
  const Plan &plan = schema_.plan(function);
  for (uint32_t field = 0; field < plan.fields.size(); ++field) {
    const uint32_t stream = plan.firstStream + field;
    if ((mask >> field & 1) && !hasStream_[stream]) {
      hasStream_[stream] = 1;
      fields_.push_back(stream);
    }
  }
  return number;
}

void BlockEncoder::encodeRecord(uint32_t record) {
  const uint32_t function = pool_.function(record);
  const std::span<const int64_t> values = pool_.values(record);
  const uint32_t predictor = contexts_.exchange(function, record);
  const int64_t *expected = predictor == Contexts::None ? nullptr : pool_.values(predictor).data();
  const Plan &plan = schema_.plan(function);
  const uint64_t mask = predictor == record ? 0 : maskOf(plan, values.data(), expected);
  codes_.putVarint(shapeNumber(function, mask));
  if (mask != 0)
    putFields(plan, mask, values.data(), expected);
  values_ += values.size();
}

void BlockEncoder::assemble(uint32_t items, uint32_t nodes) {
  block_.clear();
  putVarint(block_, items);
  putVarint(block_, nodes);
  putVarint(block_, values_);
  putVarint(block_, shapes_.size());
  for (const Shape &shape : shapes_) {
    putVarint(block_, shape.function);
    putVarint(block_, shape.mask);
  }
  putVarint(block_, codes_.size());
  for (const uint32_t stream : fields_)
    putVarint(block_, streams_[stream].size());
  block_ += codes_.view();
  for (const uint32_t stream : fields_)
    block_ += streams_[stream].view();
}

void BlockEncoder::encodeLoop(const Loop &loop) {
  codes_.putVarint(0);
  codes_.putVarint(loop.count);
  codes_.putVarint(loop.items);
}

/// Nodes from \p at on that stood before: a loop without a turn stands for them.
void BlockEncoder::encodeCopy(const Window &window, uint32_t at, const Copies::Copy &copy) {
  codes_.putVarint(0);
  codes_.putVarint(0);
  codes_.putVarint(copy.distance);
  codes_.putVarint(copy.nodes);
  // What is expected behind them goes by the functions of the last two records.
  uint32_t first = at + copy.nodes;
  for (unsigned records = 0; first > at && records < 2;)
    records += !window.nodes()[--first].isLoop();
  for (uint32_t node = first; node < at + copy.nodes; ++node)
    if (!window.nodes()[node].isLoop())
      contexts_.pass(pool_.function(window.nodes()[node].number));
}

void BlockEncoder::encodeNodes(const Window &window, uint32_t begin, uint32_t end) {
  copies_.start(window, begin, end);
  bodyEnds_.assign(1, end);
  for (uint32_t at = begin; at < end;) {
    while (bodyEnds_.back() == at)
      bodyEnds_.pop_back();
    if (const Copies::Copy copy = copies_.find(at, bodyEnds_.back()); copy.nodes > 0) {
      encodeCopy(window, at, copy);
      at += copy.nodes;
      continue;
    }
    const Node node = window.nodes()[at++];
    if (!node.isLoop()) {
      encodeRecord(node.number);
      continue;
    }
    const Loop &loop = window.loops()[node.loop()];
    encodeLoop(loop);
    bodyEnds_.push_back(at + loop.nodes);
  }
}

const std::string &BlockEncoder::encode(const Window &window, uint32_t first, uint32_t end) {
  clear();
  const uint32_t begin = window.nodeOf(first), behind = window.nodeOf(end);
  encodeNodes(window, begin, behind);
  assemble(end - first, behind - begin);
  return block_;
}

size_t BlockEncoder::decodedBytes(const Window &window) {
  return window.nodes().size() * sizeof(Block::Step) +
         window.loops().size() * sizeof(Block::Repeat) + window.values() * sizeof(int64_t);
}

size_t BlockEncoder::decodedBytes(const Window &window, uint32_t item) const {
  size_t bytes = 0;
  const uint32_t end = window.nodeOf(item + 1);
  for (uint32_t at = window.nodeOf(item); at < end; ++at) {
    const Node node = window.nodes()[at];
    bytes += sizeof(Block::Step);
    bytes +=
        node.isLoop() ? sizeof(Block::Repeat) : pool_.values(node.number).size() * sizeof(int64_t);
  }
  return bytes;
}

} // namespace gnomon::trace
