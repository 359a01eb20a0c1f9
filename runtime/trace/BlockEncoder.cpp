// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/BlockEncoder.h"

#include <algorithm>
#include <cstring>

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
  shapesOf_.resize(schema_.functions().size());
  streams_.resize(schema_.streams());
  hasStream_.resize(schema_.streams());
}

/// \p expected is null where nothing predicts the record: zeros are expected, and empty lists.
uint64_t BlockEncoder::maskOf(const Plan &plan, const int64_t *values,
                              const int64_t *expected) const {
  uint64_t mask = 0;
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

void BlockEncoder::encodeRecord(const Window &window, uint32_t at) {
  const Node &node = window.nodes()[at];
  const Plan &plan = schema_.plan(node.function);
  const int64_t *values = window.values().data() + node.values;
  const uint32_t predictor = contexts_.exchange(node.function, at);
  const int64_t *expected = nullptr;
  bool same = false;
  if (predictor != Contexts::None) {
    const Node &like = window.nodes()[predictor];
    expected = window.values().data() + like.values;
    same = like.length == node.length && std::equal(values, values + node.length, expected);
  }
  const uint64_t mask = same ? 0 : maskOf(plan, values, expected);
  putVarint(codes_, shapeNumber(node.function, mask));
  if (mask != 0)
    putFields(plan, mask, values, expected);
}

void BlockEncoder::assemble(const Window &window) {
  block_.clear();
  putVarint(block_, window.items());
  putVarint(block_, window.nodes().size());
  putVarint(block_, window.values().size());
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

const std::string &BlockEncoder::encode(const Window &window) {
  clear();
  for (uint32_t at = 0; at < window.nodes().size(); ++at) {
    const Node &node = window.nodes()[at];
    if (node.isLoop()) {
      putVarint(codes_, 0);
      putVarint(codes_, node.count);
      putVarint(codes_, node.items);
    } else {
      encodeRecord(window, at);
    }
  }
  assemble(window);
  return block_;
}

} // namespace gnomon::trace
