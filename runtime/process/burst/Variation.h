// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the time of a stretch (what a rank computes between two calls of the runtime) varies about
/// what the bursts' rates say. Ranks wait for the slowest of them, so that a run in which each
/// instance took its mean would end too early.
///
/// From stretches in which everything was executed, T seconds where the rates say C:
///
/// *Ranks* differ for good (their data lie elsewhere). m_r = Σ T / Σ C of rank r has the variance
/// v_r = Σ (T − m_r C)² / (Σ C)²; with m and V mean and variance of the m_r over ranks, the variance
/// between ranks is t = max(0, V − mean of v_r), and the rank's factor is shrunk towards 1 by what is noise
/// (empirical Bayes: Efron and Morris 1975, Data analysis using Stein's estimator):
///
///   F_r = 1 + t / (t + v_r) (m_r / m − 1)        1 for ranks with less than four stretches
///
/// *Stretches* vary by chance. A skipped one is charged C F_r q, with q drawn from the latest 64 ratios
/// T / (C F_r) of stretches that met the same burst first and were as long (C within a power of
/// two), divided by their mean, so that the draws change no sum: 1 with less than eight of them. Draws
/// go through the ratios by the golden ratio's multiples, evenly and the same in each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace gnomon::process::burst {

class Variation {
public:
  /// A stretch of \p rank that met the burst \p first first took \p seconds; the rates say
  /// \p charged.
  void add(uint32_t rank, uint32_t first, double seconds, double charged);
  /// Finds the ranks' factors from all stretches so far.
  void weighRanks();

  double rankFactor(uint32_t rank) const;
  /// F_r q for a stretch that was skipped.
  double draw(uint32_t rank, uint32_t first, double charged);

private:
  struct OfRank {
    uint32_t count = 0;
    /// Σ T, Σ C, Σ T², Σ T C, Σ C².
    double seconds = 0, charged = 0, squares = 0, products = 0, chargedSquares = 0;
    double factor = 1;
  };
  /// Stretches of one first burst and length.
  struct Group {
    std::vector<double> ratios; ///< T / (C F_r)
    double sum = 0;             ///< of them
    size_t next = 0;            ///< place of the next one
    uint64_t draws = 0;
  };

  static int lengthOf(double charged);

  std::vector<OfRank> ranks_;
  std::map<uint64_t, Group> groups_;
};

} // namespace gnomon::process::burst
