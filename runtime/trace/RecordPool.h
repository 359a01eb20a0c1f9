// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The records that windows have, each kept once for all ranks and all places: 16,384 ranks of a
/// regular program have few different ones, since peers are relative. Windows count their uses.
#pragma once

#include "support/Hash.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::trace {

class RecordPool {
public:
  RecordPool() = default;
  ~RecordPool();
  RecordPool(const RecordPool &) = delete;
  RecordPool &operator=(const RecordPool &) = delete;

  static uint64_t hashOf(uint32_t function, std::span<const int64_t> values) {
    uint64_t hash = spread(uint64_t{function} + 1);
    for (const int64_t value : values)
      hash = (std::rotl(hash, 29) ^ static_cast<uint64_t>(value)) * 0xbf58476d1ce4e5b9u;
    return mixed(hash, values.size());
  }

  /// The number of the record whose hash \p hash is; it has one use more.
  uint32_t take(uint64_t hash, uint32_t function, std::span<const int64_t> values) {
    for (uint32_t at = row(hash); at != None; at = entries_[at].next)
      if (entries_[at].hash == hash && is(at, function, values)) {
        ++entries_[at].uses;
        return at;
      }
    return add(hash, function, values);
  }
  /// A record of the pool has one use more.
  void takeAgain(uint32_t record) { ++entries_[record].uses; }
  /// It has one use less; without any it is forgotten.
  void drop(uint32_t record) {
    if (--entries_[record].uses == 0) [[unlikely]]
      forget(record);
  }

  /// Whether the record is that.
  bool is(uint32_t record, uint32_t function, std::span<const int64_t> values) const {
    const Entry &entry = entries_[record];
    if (entry.function != function || entry.length != values.size())
      return false;
    const int64_t *const kept = this->values(record).data();
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] != kept[i])
        return false;
    return true;
  }
  uint64_t hash(uint32_t record) const { return entries_[record].hash; }
  uint32_t function(uint32_t record) const { return entries_[record].function; }
  uint32_t length(uint32_t record) const { return entries_[record].length; }
  std::span<const int64_t> values(uint32_t record) const {
    const Entry &entry = entries_[record];
    return {entry.length <= Inside ? entry.inside : entry.outside, entry.length};
  }
  /// Bytes of memory that records have now.
  size_t bytes() const { return bytes_; }
  /// Whether that is so much that windows with few of them are to be written.
  bool isTight() const { return bytes_ > MostBytes; }

private:
  static constexpr uint32_t None = ~uint32_t{0}, Inside = 7;
  static constexpr size_t MostBytes = size_t{96} << 20;
  struct Entry {
    uint64_t hash;
    uint32_t function, length;
    uint32_t uses;
    uint32_t next; ///< in the same row, or among those that are free
    union {
      int64_t inside[Inside];
      int64_t *outside;
    };
  };
  static size_t bytesOf(uint32_t length) {
    return sizeof(Entry) + sizeof(uint32_t) + (length > Inside ? length * sizeof(int64_t) : 0);
  }
  uint32_t &row(uint64_t hash) { return rows_[hash & (rows_.size() - 1)]; }
  void forget(uint32_t record);
  uint32_t add(uint64_t hash, uint32_t function, std::span<const int64_t> values);
  void grow();

  std::vector<Entry> entries_;
  std::vector<uint32_t> rows_ = std::vector<uint32_t>(64, None); ///< first entries, by hash
  uint32_t free_ = None;
  size_t bytes_ = 0, used_ = 0;
};

} // namespace gnomon::trace
