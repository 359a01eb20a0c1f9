// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers as bytes: fixed ones with the lowest byte first, varints with seven bits a byte, the
/// lowest first, and a sign folded into the lowest bit (zigzag: 0, -1, 1, -2 are 0, 1, 2, 3).
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gnomon::trace {

/// What is wrong with bytes, without the place: whoever knows file and byte makes an InputError of
/// it.
class Damage : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

constexpr uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (0 - (value & 1)));
}

/// Difference and sum of any two numbers: they wrap, and so undo each other.
constexpr int64_t wrappedDifference(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) - static_cast<uint64_t>(right));
}
constexpr int64_t wrappedSum(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
}

inline void putVarint(std::string &out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

template <std::unsigned_integral T> void putFixed(std::string &out, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<char>(value >> (8 * i)));
}

inline void putText(std::string &out, std::string_view text) {
  putVarint(out, text.size());
  out += text;
}

/// Bytes that are taken from the front. Each function throws Damage where they end too early.
class Bytes {
public:
  Bytes() = default;
  explicit Bytes(std::string_view bytes)
      : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool empty() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  size_t position() const { return static_cast<size_t>(at_ - begin_); }

  uint64_t varint() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) [[likely]]
      return static_cast<unsigned char>(*at_++);
    return longVarint();
  }

  /// A varint of at most \p most; \p what is named otherwise.
  uint64_t varint(uint64_t most, const char *what);

  template <std::unsigned_integral T> T fixed() {
    const std::string_view bytes = take(sizeof(T));
    T value = 0;
    for (unsigned i = 0; i < sizeof(T); ++i)
      value =
          static_cast<T>(value | static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i));
    return value;
  }

  std::string_view take(size_t bytes) {
    if (bytes > left())
      throw Damage("the data end too early");
    const std::string_view taken(at_, bytes);
    at_ += bytes;
    return taken;
  }

  std::string_view text() { return take(varint()); }

  /// All was taken, as it should be.
  void mustBeEmpty() const {
    if (!empty())
      throw Damage("there are data left over");
  }

private:
  uint64_t longVarint();

  const char *begin_ = nullptr, *at_ = nullptr, *end_ = nullptr;
};

} // namespace gnomon::trace
