// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is kept of known waves, and what gives way.
#include "models/KnownWaves.h"

#include "support/Hash.h"

#include <bit>

namespace gnomon::models {

uint64_t KnownWaves::keyOf(uint64_t follows, double bytes, size_t flows, HostPair first,
                           HostPair last) {
  const uint64_t key =
      mixed(mixed(std::bit_cast<uint64_t>(bytes), flows), mixed(mixed(first, last), follows));
  return key == 0 ? 1 : key;
}

KnownWave *KnownWaves::place(uint64_t key, size_t flows) {
  if (waves_.empty()) {
    waves_.resize(Places);
    seen_.resize(Places);
  }
  KnownWave &wave = waves_[placeOf(key)];
  if (wave.key != key && seen_[placeOf(key)] != key) {
    seen_[placeOf(key)] = key;
    return nullptr;
  }
  if (wave.key == key && wave.attempts >= MostAttempts)
    return nullptr;
  if (flows > mostPairs_)
    return nullptr;
  const auto attempts = static_cast<uint8_t>(wave.key == key ? wave.attempts + 1 : 1);
  if (pairs_ - wave.pairs.size() + flows > mostPairs_)
    forgetAll();
  pairs_ += flows - wave.pairs.size();
  wave = {.key = key, .state = KnownWave::State::Learning, .attempts = attempts};
  wave.pairs.reserve(flows);
  return &wave;
}

/// A program goes on to other steps; what it still needs is learned again.
void KnownWaves::forgetAll() {
  waves_.assign(Places, {});
  pairs_ = 0;
}

} // namespace gnomon::models
