// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rounds of a ring of ranks that notice what came after random times. In each round every rank
/// sends to its right neighbour and waits for its left one. Rank i has done k rounds at
///     t_i(k + 1) = s + max(t_i(k), t_(i-1)(k) + f + X)        t_i(0) = 0
/// s the time of a send, f what a message takes besides, X exponential with mean J. A round takes
/// 1 / rounds of the time of the slowest rank, as samples of exchanges do (Samples.h): longer than
/// s + f + J, and the more so the more ranks there are. Such maxima (of paths of a lattice, where
/// J is not small) have no closed form: the mean is taken over drawn times, the same at each call.
///
/// Worked example: s = 0, f = 200 us, J = 0: each round takes 200 us. One round of 8 ranks with
/// J = 50 us: 200 us + (1 + 1/2 + ... + 1/8) 50 us = 336 us.
#pragma once

#include <cstddef>
#include <vector>

namespace gnomon::calibration {

/// A ring of so many ranks that go so many rounds from a common start.
class RingRounds {
public:
  RingRounds(size_t ranks, size_t rounds);
  /// Mean seconds of a round, of the slowest rank.
  double operator()(double sendSeconds, double messageSeconds, double jitterSeconds) const;
  /// The mean J with which a round takes \p roundSeconds; 0 where it takes no longer without.
  double jitterOf(double roundSeconds, double sendSeconds, double messageSeconds) const;

private:
  size_t ranks_, rounds_, trials_;
  std::vector<double> drawn_; ///< exponential times with mean 1, by trial, round and rank
};

} // namespace gnomon::calibration
