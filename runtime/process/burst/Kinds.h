// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How instances of a burst are told apart: by the bucket of their work and by their warmth. And a
/// rate: the cost of a unit of work, if it is known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::process::burst {

/// First: a rank's first instance in a bucket (it pays for page faults). Cold: the further
/// iterations of the pass that this one began (iteration bursts only: they may touch new memory
/// each). Warm: from the next pass on. A pass is a run of instances of one burst between which the
/// rank neither met another burst nor called the runtime.
enum class Warmth : uint8_t { First, Cold, Warm };
inline constexpr size_t Warmths = 3;
/// One of something for each Warmth.
template <class T> using PerWarmth = std::array<T, Warmths>;

/// Bucket 0: work unknown; b: work of b bits.
inline constexpr size_t Buckets = 65;
inline size_t bucketOf(uint64_t work) {
  return work ? 64 - static_cast<size_t>(__builtin_clzll(work)) : 0;
}
inline double unitsOf(uint64_t work) {
  // For signed numbers the processor has a conversion.
  const auto units = static_cast<int64_t>(work);
  if (units > 0) [[likely]]
    return static_cast<double>(units);
  // Of more than that, half: an odd last bit keeps what is halved from being rounded otherwise.
  return work ? 2 * static_cast<double>(static_cast<int64_t>(work >> 1 | (work & 1))) : 1;
}

/// One of something for each bucket that has come: found by one look, few bytes where few have come.
template <class T> class ByBucket {
public:
  T &operator[](size_t bucket) {
    uint8_t &place = places_[bucket];
    if (place == 0) [[unlikely]] {
      all_.emplace_back();
      place = static_cast<uint8_t>(all_.size());
    }
    return all_[place - 1];
  }
  /// \p visit (bucket, what is there), in the order of buckets.
  template <class Visit> void forEach(const Visit &visit) const {
    for (size_t bucket = 0; bucket < Buckets; ++bucket)
      if (places_[bucket] != 0)
        visit(bucket, all_[places_[bucket] - 1]);
  }

private:
  std::array<uint8_t, Buckets> places_{}; ///< in all_, from 1 on; 0: it has not come
  std::vector<T> all_;
};

/// Number of no Slot.
inline constexpr uint32_t NoSlot = ~uint32_t{0};

/// Cost of a unit of work; or nothing, while too little is known. A std::optional<double> of half
/// its size: each instance of a burst reads one.
class Rate {
public:
  constexpr Rate() = default;
  /// \p value below 0 says that nothing is known, as in profiles.
  constexpr Rate(double value) : value_(value) {}
  constexpr explicit operator bool() const { return !(value_ < 0); }
  constexpr double operator*() const { return value_; }
  constexpr double valueOr(double other) const { return *this ? value_ : other; }

private:
  double value_ = -1;
};

} // namespace gnomon::process::burst
