// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A walk over the routes of a platform: what a message may meet between two hosts. All pairs of up
/// to AllPairsHosts hosts are walked; of larger platforms, whose pairs are too many, evenly spaced
/// ones (the same on every call; fewer where routes are long), while missing routes are still found
/// by the zones' own reasoning (Platform::checkReachable).
#pragma once

#include "platform/Platform.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::check {

inline constexpr size_t AllPairsHosts = 1024;
/// Links that are crossed in a walk, at most: routes may be long.
inline constexpr uint64_t MostSteps = 300'000'000;
/// Sources and targets of a larger platform's sample.
inline constexpr size_t SampledHosts = 512;

/// A latency above this is absurd, of a link or a route.
inline constexpr double MostLatencySeconds = 1;

/// Two hosts and how many such pairs there are; the pair is the first one.
struct Pairs {
  uint64_t count = 0;
  platform::HostIndex from = 0, to = 0;

  void add(platform::HostIndex a, platform::HostIndex b) {
    if (count++ == 0) {
      from = a;
      to = b;
    }
  }
};

/// Least and greatest of some values; none: least > greatest.
struct Range {
  double least = __builtin_huge_val(), greatest = 0;

  void add(double value) {
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
  }
  bool empty() const { return least > greatest; }
};

struct Survey {
  bool allPairs = true;
  uint64_t pairs = 0;   ///< of different hosts, walked and joined
  size_t diameter = 0;  ///< links of the longest route
  Range latencySeconds; ///< of a route between two hosts
  Range bandwidth;      ///< of a route's narrowest link, bytes/s
  std::string missing;  ///< what the loader says of the first pair without a route
  Pairs unreachable;    ///< from → to
  Pairs latencyDiffers; ///< from → to and back, in zones whose routes are written
  Pairs bandwidthDiffers;
  Pairs slow;            ///< more than MostLatencySeconds
  Pairs topologyDiffers; ///< latency, within one torus, fat tree or dragonfly
  Pairs noLatency; ///< routes between hosts of which at least one link counts, without latency
  std::vector<platform::HostIndex> isolated; ///< only when all pairs were walked
  /// By link: who crosses it. Of a sampled platform, every link that is written in a route counts.
  struct Use {
    bool betweenHosts = false, loopback = false;
  };
  std::vector<Use> uses;
};

Survey survey(const platform::Platform &platform);

} // namespace gnomon::check
