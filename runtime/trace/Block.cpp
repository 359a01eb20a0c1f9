// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Block.h"

#include "trace/Prediction.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::trace {
namespace {

class Decoder {
public:
  Decoder(std::string_view bytes, const Schema &schema) : in_(bytes), schema_(schema) {}

  Block decode() {
    readHead();
    const uint64_t items = items_;
    open_.push_back({.loop = Block::Loop, .items = items, .records = 0});
    while (!open_.empty())
      readItem();
    codes_.mustBeEmpty();
    for (const Bytes &stream : streams_)
      stream.mustBeEmpty();
    if (used_ != values_ || block_.steps.size() != nodes_)
      throw Damage("a block has fewer values than it says");
    return std::move(block_);
  }

private:
  struct Shape {
    uint32_t function;
    uint64_t mask;
  };
  /// A loop whose body is being read, or the block itself.
  struct Open {
    uint32_t loop;
    uint64_t items, records;
  };
  /// Where the value stands that a field is expected to have.
  struct Expected {
    bool known;
    uint64_t at;
  };
  static constexpr uint32_t NoStream = ~uint32_t{0};

  void readHead();
  void readShapes();
  void readItem();
  void readLoop();
  void readCopy();
  void addCopied(uint64_t items, uint64_t records);
  void close();
  void readRecord(const Shape &shape);
  void readField(const Field &field, Bytes *in, Expected &expected);
  void readList(const Field &field, Bytes *in, uint64_t at, int64_t like);
  void ensure(uint64_t more);
  static void checkDepth(size_t depth);
  static uint64_t times(uint64_t count, uint64_t records);

  Bytes in_, codes_;
  const Schema &schema_;
  Block block_;
  uint64_t items_ = 0, nodes_ = 0, values_ = 0, used_ = 0;
  std::vector<Shape> shapes_;
  std::vector<Bytes> streams_;
  std::vector<uint32_t> fields_; ///< of streams_, as Plan::firstStream + field
  std::vector<uint32_t> places_; ///< in streams_, by that
  std::vector<Open> open_;
  Contexts contexts_;
};

void Decoder::readHead() {
  items_ = in_.varint(MostNodes, "the number of items");
  nodes_ = in_.varint(MostNodes, "the number of nodes");
  values_ = in_.varint(MostValues, "the number of values");
  readShapes();
  const uint64_t codeBytes = in_.varint();
  std::vector<uint64_t> sizes(fields_.size());
  for (uint64_t &size : sizes)
    size = in_.varint();
  codes_ = Bytes(in_.take(codeBytes));
  for (const uint64_t size : sizes)
    streams_.emplace_back(in_.take(size));
  in_.mustBeEmpty();
  // More is only believed when it is there.
  block_.steps.reserve(std::min<uint64_t>(nodes_, uint64_t{1} << 16));
  block_.values.resize(std::min<uint64_t>(values_, uint64_t{1} << 16));
}

void Decoder::readShapes() {
  const uint64_t count = in_.varint(in_.left(), "the number of shapes");
  places_.assign(schema_.streams(), NoStream);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t function = in_.varint();
    if (function >= schema_.functions().size())
      throw Damage(fmt::format("there is no function {}", function));
    const Plan &plan = schema_.plan(static_cast<uint32_t>(function));
    const uint64_t mask = in_.varint();
    if (plan.fields.size() < MostFields && mask >> plan.fields.size() != 0)
      throw Damage("a record has more fields than its function");
    shapes_.push_back({.function = static_cast<uint32_t>(function), .mask = mask});
    for (uint32_t field = 0; field < plan.fields.size(); ++field) {
      uint32_t &place = places_[plan.firstStream + field];
      if (!(mask >> field & 1) || place != NoStream)
        continue;
      place = static_cast<uint32_t>(fields_.size());
      fields_.push_back(plan.firstStream + field);
    }
  }
}

/// The records of a loop, unless their number is absurd.
uint64_t Decoder::times(uint64_t count, uint64_t records) {
  uint64_t all = 0;
  if (__builtin_mul_overflow(count, records, &all) || all >> 62 != 0)
    throw Damage("a block has more records than anybody can count");
  return all;
}

/// The innermost open loop has all its items: it is an item of the one around it.
void Decoder::close() {
  const Open closed = open_.back();
  open_.pop_back();
  if (closed.loop == Block::Loop) {
    block_.records = closed.records;
    return;
  }
  if (closed.records == 0)
    throw Damage("a loop is empty");
  Block::Repeat &loop = block_.loops[closed.loop];
  loop.end = static_cast<uint32_t>(block_.steps.size());
  loop.records = closed.records;
  open_.back().records = times(1, open_.back().records + times(loop.count, closed.records));
}

void Decoder::readItem() {
  if (open_.back().items == 0) {
    close();
    return;
  }
  --open_.back().items;
  if (block_.steps.size() == nodes_)
    throw Damage("a block has more records than it says");
  const uint64_t code = codes_.varint(shapes_.size(), "the number of a shape");
  if (code == 0) {
    readLoop();
    return;
  }
  ++open_.back().records;
  readRecord(shapes_[code - 1]);
}

void Decoder::readLoop() {
  const uint64_t count = codes_.varint();
  if (count == 0)
    return readCopy();
  checkDepth(open_.size());
  const auto loop = static_cast<uint32_t>(block_.loops.size());
  block_.steps.push_back({.function = Block::Loop, .at = loop});
  block_.loops.push_back(
      {.count = count, .records = 0, .begin = static_cast<uint32_t>(block_.steps.size())});
  open_.push_back(
      {.loop = loop, .items = codes_.varint(MostNodes, "the items of a loop"), .records = 0});
}

void Decoder::checkDepth(size_t depth) {
  if (depth > MostDepth)
    throw Damage(fmt::format("loops are more than {} deep", MostDepth));
}

/// Nodes that stood before, once more: records share their values.
void Decoder::readCopy() {
  const uint64_t size = block_.steps.size();
  const auto distance =
      static_cast<uint32_t>(codes_.varint(size, "how many nodes before a copy's nodes stand"));
  const uint64_t nodes =
      codes_.varint(std::min<uint64_t>(distance, nodes_ - size), "the nodes of a copy");
  const uint64_t end = size - distance + nodes;
  std::vector<uint32_t> ends; // of loops that are copied
  uint64_t items = 0, records = 0;
  for (uint64_t at = size - distance; at < end; ++at) {
    while (!ends.empty() && ends.back() == at)
      ends.pop_back();
    const bool isItem = ends.empty();
    Block::Step step = block_.steps[at];
    uint64_t unrolled = 1;
    if (step.function == Block::Loop) {
      Block::Repeat loop = block_.loops[step.at];
      if (loop.end == 0 || loop.end > end)
        throw Damage("a copy has a part of a loop");
      unrolled = loop.count * loop.records;
      ends.push_back(loop.end);
      checkDepth(open_.size() - 1 + ends.size());
      loop.begin += distance;
      loop.end += distance;
      step.at = static_cast<uint32_t>(block_.loops.size());
      block_.loops.push_back(loop);
    } else {
      contexts_.pass(step.function);
    }
    items += isItem;
    records = times(1, records + (isItem ? unrolled : 0));
    block_.steps.push_back(step);
  }
  addCopied(items, records);
}

/// Items of a copy, of which one was taken for an item already.
void Decoder::addCopied(uint64_t items, uint64_t records) {
  Open &open = open_.back();
  if (items == 0 || items - 1 > open.items)
    throw Damage("a copy has other items than are left");
  open.items -= items - 1;
  open.records = times(1, open.records + records);
}

/// Room for so many values more.
void Decoder::ensure(uint64_t more) {
  if (more > values_ - used_)
    throw Damage("a block has more values than it says");
  std::vector<int64_t> &values = block_.values;
  if (used_ + more > values.size())
    values.resize(std::min(values_, std::max(used_ + more, 2 * uint64_t{values.size()})));
}

void Decoder::readRecord(const Shape &shape) {
  const Plan &plan = schema_.plan(shape.function);
  const uint32_t predictor =
      contexts_.exchange(shape.function, static_cast<uint32_t>(block_.steps.size()));
  const bool known = predictor != Contexts::None;
  const Block::Step like = known ? block_.steps[predictor] : Block::Step{};
  const uint64_t begin = used_;
  if (known && shape.mask == 0) {
    ensure(like.length);
    std::copy_n(block_.values.begin() + like.at, like.length, block_.values.begin() + used_);
    used_ += like.length;
  } else {
    Expected expected{.known = known, .at = like.at};
    for (size_t field = 0; field < plan.fields.size(); ++field) {
      const bool coded = shape.mask >> field & 1;
      readField(plan.fields[field], coded ? &streams_[places_[plan.firstStream + field]] : nullptr,
                expected);
    }
  }
  block_.steps.push_back({.function = shape.function,
                          .at = static_cast<uint32_t>(begin),
                          .length = static_cast<uint32_t>(used_ - begin)});
}

/// A field's value, or its list; from \p in, or as expected where that is null.
void Decoder::readField(const Field &field, Bytes *in, Expected &expected) {
  const int64_t like = expected.known ? block_.values[expected.at] : 0;
  expected.at += expected.known;
  if (field.list) {
    readList(field, in, expected.at, like);
    expected.at += static_cast<uint64_t>(like);
    return;
  }
  ensure(1);
  block_.values[used_++] = in ? getValue(*in, field.kind, like) : like;
}

/// \p at and \p like are place and length of the list that is expected.
void Decoder::readList(const Field &field, Bytes *in, uint64_t at, int64_t like) {
  const int64_t length = in ? getInteger(*in, like) : like;
  if (length < 0 || static_cast<uint64_t>(length) > MostValues)
    throw Damage(fmt::format("a list has {} elements", length));
  ensure(1 + static_cast<uint64_t>(length));
  int64_t *values = block_.values.data();
  values[used_++] = length;
  int64_t *list = values + used_;
  for (int64_t i = 0; i < length; ++i) {
    const int64_t element = i < like ? values[at + static_cast<uint64_t>(i)]
                            : i > 0  ? list[i - 1]
                                     : 0;
    list[i] = in ? getValue(*in, field.kind, element) : element;
  }
  used_ += static_cast<uint64_t>(length);
}

} // namespace

Block decodeBlock(std::string_view bytes, const Schema &schema) {
  return Decoder(bytes, schema).decode();
}

size_t Block::memory() const {
  return sizeof *this + steps.capacity() * sizeof(Step) + loops.capacity() * sizeof(Repeat) +
         values.capacity() * sizeof(int64_t);
}

void Walk::start(const Block &block) {
  block_ = &block;
  at_ = 0;
  end_ = static_cast<uint32_t>(block.steps.size());
  innermost_ = {};
  around_.clear();
}

/// The innermost loop has made its last turn.
void Walk::leave() {
  innermost_ = {};
  if (!around_.empty()) {
    innermost_ = around_.back();
    around_.pop_back();
  }
  end_ = innermost_.loop ? innermost_.loop->end : static_cast<uint32_t>(block_->steps.size());
}

void Walk::enter(const Block::Repeat &loop, uint64_t turns) {
  if (innermost_.loop)
    around_.push_back(innermost_);
  innermost_ = {.loop = &loop, .left = turns};
  at_ = loop.begin;
  end_ = loop.end;
}

uint64_t Walk::skip(uint64_t records) {
  while (records > 0) {
    if (at_ == end_) {
      Turn &now = innermost_;
      if (!now.loop)
        return records;
      const uint64_t turns = std::min(now.left - 1, records / now.loop->records);
      now.left -= turns;
      records -= turns * now.loop->records;
      turn();
      continue;
    }
    const Block::Step &step = block_->steps[at_++];
    if (step.function != Block::Loop) {
      --records;
      continue;
    }
    const Block::Repeat &loop = block_->loops[step.at];
    const uint64_t turns = std::min(loop.count, records / loop.records);
    records -= turns * loop.records;
    if (turns == loop.count)
      at_ = loop.end;
    else
      enter(loop, loop.count - turns);
  }
  return 0;
}

} // namespace gnomon::trace
