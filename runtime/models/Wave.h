// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A wave: messages of one size between hosts of one flat cluster that begin to share links at one
/// date, while nobody else does, as in each step of a collective that all ranks take together. Where
/// one link that all of them cross is what limits them, they have one rate and end together, so that
/// the solver need not know of them (FlowWaves.cpp). Where that is not so, and on other platforms,
/// what the solver says may be known from the last time (KnownWaves.h).
///
/// n flows with penalty p that use the common link, of capacity C, with weight w each have the level
///     C / (sum over the n flows of w/p),
/// as long as that lies below the flows' bound × p and, for each other link d, below
/// C_d / (sum of w_d/p). How many flows use a host's own link is at most what the crowd says: if no
/// host sends more than o of them and none receives more than i, the sum is at most
/// (o × w_d of senders + i × w_d of receivers) / p. Where that does not rule d out, there is no wave,
/// and the solver looks at each flow. So a wave is never more than a quicker way to what the solver
/// would say, to the last bit: the sums are added up in its order.
///
/// Worked example: each of 256 hosts sends to another one and receives from another one, over links
/// of 1.25 GB/s and a backbone of 12.5 GB/s, with 5 % of cross-traffic. The level is
/// p × 12.5 GB/s / (256 × 1.05) = p × 46.5 MB/s, a host's own link has p × 1.19 GB/s or more.
#pragma once

#include "kernel/EventQueue.h"
#include "models/KnownWaves.h"
#include "models/PathTable.h"
#include "support/Time.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace gnomon::models {

/// How many flows of a wave leave each host, and how many reach it.
class Crowd {
public:
  struct Count {
    uint32_t wave = 0; ///< of which the two are
    uint32_t out = 0, in = 0;
    uint32_t owned = 0; ///< when all its links were found to be owned (markOwned())
  };

  explicit Crowd(size_t hosts) : hosts_(hosts) {}
  /// \p now: what markOwned() is to be valid for, not 0.
  void begin(uint32_t now);
  void add(platform::HostIndex source, platform::HostIndex destination) {
    Count &from = countOf(source), &to = countOf(destination);
    out_ = std::max(out_, ++from.out);
    in_ = std::max(in_, ++to.in);
    allOwned_ &= (from.owned == now_) & (to.owned == now_);
  }
  uint32_t mostOut() const { return out_; }
  uint32_t mostIn() const { return in_; }
  const Count &of(platform::HostIndex host) const { return counts_[host]; }

  /// Whether all hosts are marked.
  bool allOwned() const { return allOwned_; }
  void markOwned(platform::HostIndex host) { counts_[host].owned = now_; }

private:
  Count &countOf(platform::HostIndex host) {
    Count &count = counts_[host];
    if (count.wave != wave_)
      count = {.wave = wave_, .owned = count.owned};
    return count;
  }

  size_t hosts_;
  std::vector<Count> counts_; ///< by host; made with the first wave
  uint32_t wave_ = 0, now_ = 1;
  uint32_t out_ = 0, in_ = 0;
  bool allOwned_ = false;
};

/// What limits all flows of a wave.
struct WaveLimit {
  static constexpr solver::ConstraintIndex None = solver::MaxMin::NoBottleneck;
  solver::ConstraintIndex link = None;
  double level = 0;
};

/// Of \p flows on routes of \p kind between hosts of the one star of \p stars, whose links are \p
/// links. No link: what limits them is not known from the crowd alone.
WaveLimit limitOfWave(const StarRoutes &stars, std::span<const platform::Link> links,
                      const PathTable::Kind &kind, size_t flows, const Crowd &crowd);

/// What flows of a star, each bounded by \p bound, want of a host's links when nothing limits them.
class WaveDemands {
public:
  WaveDemands(const StarRoutes &stars, double bound) {
    stars.forEachPlace(0, [&](const StarRoutes::PlaceOfLinks &place) {
      ofPlaces_[place.place] = {bound * place.ofSource, bound * place.ofDestination};
    });
  }
  double of(size_t place, uint32_t out, uint32_t in) const {
    return out * ofPlaces_[place][0] + in * ofPlaces_[place][1];
  }

private:
  std::array<std::array<double, 2>, StarRoutes::Places> ofPlaces_{};
};

/// The wave that is under way.
struct Wave {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t first = None; ///< the flow that started first; None: there is no wave
  uint32_t batch = None; ///< the others
  size_t flows = 0;      ///< all of them
  SimTime since = {};    ///< when they began to share links
  bool settled = false;  ///< whether that date has been settled
  kernel::EventId event = 0;
  // Of one that went before:
  KnownWave *known = nullptr;
  // Of others:
  WaveLimit limit = {};
  uint32_t group = None; ///< where the first flow stands for all, once settled

  bool isWaiting() const { return first != None && !settled; }
  /// Whether its flows are the solver's, and are watched to know them the next time.
  bool isLearned() const { return known && known->state == KnownWave::State::Learning; }
};

} // namespace gnomon::models
