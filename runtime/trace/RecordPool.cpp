// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/RecordPool.h"

#include <algorithm>

namespace gnomon::trace {

RecordPool::~RecordPool() {
  for (const Entry &entry : entries_)
    if (entry.uses > 0 && entry.length > Inside)
      delete[] entry.outside;
}

uint32_t RecordPool::add(uint64_t hash, uint32_t function, std::span<const int64_t> values) {
  if (used_ >= rows_.size())
    grow();
  if (free_ == None) {
    free_ = static_cast<uint32_t>(entries_.size());
    entries_.emplace_back().next = None;
  }
  const uint32_t record = free_;
  Entry &entry = entries_[record];
  free_ = entry.next;
  entry.hash = hash;
  entry.function = function;
  entry.length = static_cast<uint32_t>(values.size());
  entry.uses = 1;
  entry.next = row(hash);
  row(hash) = record;
  if (entry.length > Inside)
    entry.outside = new int64_t[entry.length];
  std::ranges::copy(values, entry.length > Inside ? entry.outside : entry.inside);
  ++used_;
  bytes_ += bytesOf(entry.length);
  return record;
}

void RecordPool::forget(uint32_t record) {
  Entry &entry = entries_[record];
  uint32_t *at = &row(entry.hash);
  while (*at != record)
    at = &entries_[*at].next;
  *at = entry.next;
  if (entry.length > Inside)
    delete[] entry.outside;
  --used_;
  bytes_ -= bytesOf(entry.length);
  entry.next = free_;
  free_ = record;
}

void RecordPool::grow() {
  rows_.assign(2 * rows_.size(), None);
  for (uint32_t record = 0; record < entries_.size(); ++record) {
    Entry &entry = entries_[record];
    if (entry.uses == 0)
      continue;
    entry.next = row(entry.hash);
    row(entry.hash) = record;
  }
}

} // namespace gnomon::trace
