// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What limits a wave, from counts of flows alone.
#include "models/Wave.h"

namespace gnomon::models {

namespace {
/// What is not further away than this may be what limits some of the flows: then the solver decides.
/// More than the room that it leaves for rounding.
constexpr double Margin = 1e-6;
} // namespace

void Crowd::begin(uint32_t now) {
  counts_.resize(hosts_);
  if (++wave_ == 0) { // after 2^32 waves: forget all marks
    counts_.assign(hosts_, {});
    wave_ = 1;
  }
  now_ = now;
  out_ = in_ = 0;
  allOwned_ = true;
}

WaveLimit limitOfWave(const StarRoutes &stars, std::span<const platform::Link> links,
                      const PathTable::Kind &kind, size_t flows, const Crowd &crowd) {
  const double inversePenalty = 1 / kind.penalty;
  WaveLimit lowest;
  double next =
      kind.clippedBound * kind.penalty; // the level of what comes after it, or a lower one
  stars.forEachPlace(0, [&](const StarRoutes::PlaceOfLinks &place) {
    const platform::Link &link = links[place.link];
    // The bounds are clipped to what a fat pipe can give each: it limits nobody.
    if (link.sharing == platform::Sharing::FatPipe)
      return;
    double share = 0, level = 0;
    if (place.isCommon)
      for (size_t i = 0; i < flows; ++i) // as the solver does
        share += place.ofSource * inversePenalty;
    else
      share = (crowd.mostOut() * place.ofSource + crowd.mostIn() * place.ofDestination) *
              inversePenalty;
    level = link.bandwidth / share;
    if (place.isCommon && (lowest.link == WaveLimit::None || level < lowest.level)) {
      if (lowest.link != WaveLimit::None)
        next = std::min(next, lowest.level);
      lowest = {place.link, level};
    } else {
      next = std::min(next, level);
    }
  });
  return lowest.level * (1 + Margin) < next ? lowest : WaveLimit();
}

} // namespace gnomon::models
