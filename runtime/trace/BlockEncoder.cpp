// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/BlockEncoder.h"

#include "trace/Block.h"

#include <algorithm>
#include <bit>

namespace gnomon::trace {
namespace {

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
    for (size_t field = 0; field < plan.fields.size(); ++field)
      mask |= uint64_t{values[field] != (expected ? expected[field] : 0)} << field;
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
      putValue(streams_[plan.firstStream + field], plan.fields[field].kind, values[field],
               expected ? expected[field] : 0);
    }
    return;
  }
  static constexpr int64_t Zero = 0;
  for (size_t field = 0; field < plan.fields.size(); ++field) {
    const Field &what = plan.fields[field];
    const int64_t *other = expected ? expected : &Zero;
    const int64_t value = *values++, like = *other;
    std::string &out = streams_[plan.firstStream + field];
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

uint64_t BlockEncoder::shapeNumber(uint32_t function, uint64_t mask) {
  std::vector<uint32_t> &known = shapesOf_[function];
  for (const uint32_t shape : known)
    if (shapes_[shape].mask == mask)
      return shape + 1;
  const auto shape = static_cast<uint32_t>(shapes_.size());
  shapes_.push_back({.function = function, .mask = mask});
  known.push_back(shape);
  const Plan &plan = schema_.plan(function);
  for (uint32_t field = 0; field < plan.fields.size(); ++field) {
    const uint32_t stream = plan.firstStream + field;
    if ((mask >> field & 1) && !hasStream_[stream]) {
      hasStream_[stream] = 1;
      fields_.push_back(stream);
    }
  }
  return shape + 1;
}

void BlockEncoder::encodeRecord(uint32_t record) {
  const uint32_t function = pool_.function(record);
  const std::span<const int64_t> values = pool_.values(record);
  const uint32_t predictor = contexts_.exchange(function, record);
  const int64_t *expected = predictor == Contexts::None ? nullptr : pool_.values(predictor).data();
  const Plan &plan = schema_.plan(function);
  const uint64_t mask = predictor == record ? 0 : maskOf(plan, values.data(), expected);
  putVarint(codes_, shapeNumber(function, mask));
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
  block_ += codes_;
  for (const uint32_t stream : fields_)
    block_ += streams_[stream];
}

const std::string &BlockEncoder::encode(const Window &window, uint32_t first, uint32_t end) {
  clear();
  const uint32_t begin = window.nodeOf(first), behind = window.nodeOf(end);
  for (uint32_t at = begin; at < behind; ++at) {
    const Node node = window.nodes()[at];
    if (!node.isLoop()) {
      encodeRecord(node.number);
      continue;
    }
    const Loop &loop = window.loops()[node.loop()];
    putVarint(codes_, 0);
    putVarint(codes_, loop.count);
    putVarint(codes_, loop.items);
  }
  assemble(end - first, behind - begin);
  return block_;
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
