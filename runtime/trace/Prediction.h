// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a value is written when another is expected, and which record says what is expected.
///
/// The record that predicts another is the last one before it, in the same block, that called the
/// same function after the same two functions; else the last one that called the same function;
/// else there is none, and zeros are expected. In a sweep that receives from two neighbours,
/// computes and sends to two others, each call is predicted by its own like of the step before.
#pragma once

#include "support/Hash.h"
#include "trace/FlatBytes.h"
#include "trace/Record.h"
#include "trace/Wire.h"

#include <bit>
#include <utility>
#include <vector>

namespace gnomon::trace {

/// Which record predicts the next one. The same calls must be made when writing and when reading.
class Contexts {
public:
  static constexpr uint32_t None = ~uint32_t{0};

  /// Forgets all: a block begins.
  void clear();
  /// The reference that was given with the record that predicts this one, of \p function; None if
  /// there is none. \p reference is found for those that this one predicts.
  [[gnu::always_inline]] uint32_t exchange(uint32_t function, uint32_t reference) {
    if (function >= lastOf_.size()) [[unlikely]]
      lastOf_.resize(function + size_t{1}, None);
    const uint64_t key = (uint64_t{function} + 1) << 42 | last_ << 21 | beforeLast_;
    pass(function);
    const uint32_t alike = std::exchange(lastOf_[function], reference);
    Slot &found = slot(key);
    if (found.key == key) [[likely]]
      return std::exchange(found.reference, reference);
    found = {.key = key, .reference = reference};
    if (2 * (++used_ + 1) > slots_.size())
      grow();
    return alike;
  }

  /// A record of \p function stands here that neither is predicted nor predicts.
  void pass(uint32_t function) {
    beforeLast_ = last_;
    last_ = uint64_t{function} + 1;
  }

private:
  struct Slot {
    uint64_t key = 0; ///< 0: free
    uint32_t reference = None;
  };
  Slot &slot(uint64_t key) {
    size_t at = (spread(key) >> 32) & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::vector<uint32_t> lastOf_; ///< by function
  size_t used_ = 0;
  uint64_t last_ = 0, beforeLast_ = 0; ///< functions + 1; 0: none
};

/// Writes \p value, of a kind other than Real, where \p expected is predicted.
inline void putInteger(FlatBytes &out, int64_t value, int64_t expected) {
  out.putVarint(zigzag(wrappedDifference(value, expected)));
}
inline int64_t getInteger(Bytes &in, int64_t expected) {
  return wrappedSum(unzigzag(in.varint()), expected);
}

/// The same of a double's bits. The two lowest bits of the varint tell its form: 0, a whole number
/// below 2^53; 1, such a number of billionths (measured seconds); above them the difference to what
/// is expected, if that has the same form, else to 0. 2: eight bytes follow.
void putReal(FlatBytes &out, int64_t bits, int64_t expected);
int64_t getReal(Bytes &in, int64_t expected);

inline void putValue(FlatBytes &out, Kind kind, int64_t value, int64_t expected) {
  if (kind == Kind::Real)
    putReal(out, value, expected);
  else
    putInteger(out, value, expected);
}
inline int64_t getValue(Bytes &in, Kind kind, int64_t expected) {
  return kind == Kind::Real ? getReal(in, expected) : getInteger(in, expected);
}

} // namespace gnomon::trace
