// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/goal/Collectives.h"

#include <bit>

namespace gnomon::trace::goal {

void Expansion::send(uint32_t to, int64_t bytes) {
  graph_.wait(graph_.send(world_(to), bytes, tag_));
}

void Expansion::receive(uint32_t from, int64_t bytes) {
  graph_.wait(graph_.receive(world_(from), bytes, tag_));
}

void Expansion::exchange(uint32_t to, int64_t sent, uint32_t from, int64_t received) {
  const uint64_t first = graph_.receive(world_(from), received, tag_);
  const uint64_t second = graph_.send(world_(to), sent, tag_);
  graph_.wait(first);
  graph_.wait(second);
}

void Expansion::barrier() {
  for (uint64_t distance = 1; distance < size_; distance *= 2)
    exchange(after(static_cast<uint32_t>(distance)), 1, before(static_cast<uint32_t>(distance)), 1);
}

void Expansion::broadcast(uint32_t root, int64_t bytes) {
  const uint32_t relative = before(root);
  uint64_t mask = 1;
  while (mask < size_ && (relative & mask) == 0)
    mask *= 2;
  if (mask < size_)
    receive(before(static_cast<uint32_t>(mask)), bytes);
  for (mask /= 2; mask > 0; mask /= 2)
    if (relative + mask < size_)
      send(after(static_cast<uint32_t>(mask)), bytes);
}

void Expansion::reduce(uint32_t root, int64_t bytes) {
  const uint32_t relative = before(root);
  for (uint64_t mask = 1; mask < size_; mask *= 2) {
    if (relative & mask)
      return send(before(static_cast<uint32_t>(mask)), bytes);
    if (relative + mask < size_)
      receive(after(static_cast<uint32_t>(mask)), bytes);
  }
}

/// The processes beyond a power of two give what they have to one of it, and get the result back.
void Expansion::allreduce(int64_t bytes) {
  const uint32_t doubling = std::bit_floor(size_), beyond = size_ - doubling;
  if (me_ >= doubling) {
    send(me_ - doubling, bytes);
    return receive(me_ - doubling, bytes);
  }
  if (me_ < beyond)
    receive(me_ + doubling, bytes);
  for (uint32_t mask = 1; mask < doubling; mask *= 2)
    exchange(me_ ^ mask, bytes, me_ ^ mask, bytes);
  if (me_ < beyond)
    send(me_ + doubling, bytes);
}

void Expansion::gather(uint32_t root, int64_t mine, const Bytes &received) {
  if (me_ != root)
    return send(root, mine);
  std::vector<uint64_t> labels;
  for (uint32_t process = 0; process < size_; ++process)
    if (process != me_)
      labels.push_back(graph_.receive(world_(process), received.of(process), tag_));
  for (const uint64_t label : labels)
    graph_.wait(label);
}

void Expansion::scatter(uint32_t root, const Bytes &sent, int64_t mine) {
  if (me_ != root)
    return receive(root, mine);
  std::vector<uint64_t> labels;
  for (uint32_t process = 0; process < size_; ++process)
    if (process != me_)
      labels.push_back(graph_.send(world_(process), sent.of(process), tag_));
  for (const uint64_t label : labels)
    graph_.wait(label);
}

void Expansion::allgather(const Bytes &blocks) {
  for (uint32_t step = 0; step + 1 < size_; ++step)
    exchange(after(1), blocks.of(before(step)), before(1), blocks.of(before(step + 1)));
}

void Expansion::alltoall(const Bytes &sent, const Bytes &received) {
  std::vector<uint64_t> labels;
  for (uint32_t distance = 1; distance < size_; ++distance) {
    labels.push_back(graph_.receive(world_(before(distance)), received.of(before(distance)), tag_));
    labels.push_back(graph_.send(world_(after(distance)), sent.of(after(distance)), tag_));
  }
  for (const uint64_t label : labels)
    graph_.wait(label);
}

void Expansion::reduceScatter(const Bytes &blocks) {
  for (uint32_t distance = 1; distance < size_; ++distance)
    exchange(after(distance), blocks.of(after(distance)), before(distance), blocks.of(me_));
}

void Expansion::scan(int64_t bytes) {
  if (me_ > 0)
    receive(me_ - 1, bytes);
  if (me_ + 1 < size_)
    send(me_ + 1, bytes);
}

} // namespace gnomon::trace::goal
