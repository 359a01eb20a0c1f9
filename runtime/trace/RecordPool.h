// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The records that windows have, each kept once for all ranks and all places: 16,384 ranks of a
/// regular program have few different ones, since peers are relative. Windows count their uses.
#pragma once

#include <algorithm>
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

  static uint64_t hashOf(uint32_t function, std::span<const int64_t> values);

  /// The number of the record whose hash \p hash is; it has one use more.
  uint32_t take(uint64_t hash, uint32_t function, std::span<const int64_t> values);
  /// It has one use less; without any it is forgotten.
  void drop(uint32_t record);

  /// Whether the record is that.
  bool is(uint32_t record, uint32_t function, std::span<const int64_t> values) const {
    const Entry &entry = entries_[record];
    return entry.function == function && entry.length == values.size() &&
           std::equal(values.begin(), values.end(), this->values(record).data());
  }
  uint32_t function(uint32_t record) const { return entries_[record].function; }
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
  uint32_t add(uint64_t hash, uint32_t function, std::span<const int64_t> values);
  void grow();

  std::vector<Entry> entries_;
  std::vector<uint32_t> rows_ = std::vector<uint32_t>(64, None); ///< first entries, by hash
  uint32_t free_ = None;
  size_t bytes_ = 0, used_ = 0;
};

} // namespace gnomon::trace
