// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bytes that grow at their end, for who writes many small numbers: room is asked for once a number,
/// not once a byte.
#pragma once

#include "trace/Wire.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace gnomon::trace {

class FlatBytes {
public:
  size_t size() const { return size_; }
  void clear() { size_ = 0; }
  std::string_view view() const { return {bytes_.get(), size_}; }

  /// As putVarint().
  [[gnu::always_inline]] void putVarint(uint64_t value) {
    char *at = room(MostVarintBytes);
    while (value >= 0x80) {
      *at++ = static_cast<char>(value | 0x80);
      value >>= 7;
    }
    *at++ = static_cast<char>(value);
    size_ = static_cast<size_t>(at - bytes_.get());
  }
  /// As putFixed().
  void putFixed(uint64_t value) {
    char *at = room(sizeof value);
    for (unsigned i = 0; i < sizeof value; ++i)
      at[i] = static_cast<char>(value >> (8 * i));
    size_ += sizeof value;
  }

private:
  static constexpr size_t MostVarintBytes = 10;

  /// Where the next bytes go; there is room for \p more.
  [[gnu::always_inline]] char *room(size_t more) {
    if (room_ - size_ < more) [[unlikely]]
      grow(more);
    return bytes_.get() + size_;
  }
  [[gnu::noinline]] void grow(size_t more) {
    const size_t room = std::max<size_t>(2 * room_, std::max<size_t>(64, size_ + more));
    std::unique_ptr<char[]> bytes(new char[room]);
    if (size_ > 0)
      std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    room_ = room;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0, room_ = 0;
};

} // namespace gnomon::trace
