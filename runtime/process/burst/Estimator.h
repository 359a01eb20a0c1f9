// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the samples of one kind of instances say of their cost. A sample is (c, w): a cost and a
/// size in units of work (1 where the size is unknown). With r = c / w, over the n samples kept,
///   rate            R = Σ c / Σ w          (the ratio estimator: what is charged is R × work)
///   spread          s = √(Σ (r − R)² / (n − 1))
///   standard error  e = s / √n,  relative: e / R
///
/// Outliers are left out, at most a fifth of all samples (and one of the first four): a sample
/// is one when r > 8 × median, or when something was seen to disturb it (another thread took the
/// core, pages were made) and r > 1.5 × median. What is slow more often than that belongs to the
/// burst and stays.
///
/// A sample is doubtful when much was taken out of it: for pages, or because the core was slow. As
/// soon as a kind has Trusted others, doubtful ones are left out, too; until then they count.
///
/// Worked example: (10, 5), (12, 6), (60, 6): the median is 2; 60 / 6 = 10 is below 8 × 2 and
/// stays: R = 82 / 17. Disturbed, it would be left out: R = 22 / 11 = 2, s = 0.
#pragma once

#include "process/burst/SamplePolicy.h"

#include <cstdint>
#include <vector>

namespace gnomon::process::burst {

struct Sample {
  double cost = 0;
  double work = 1;
  uint32_t rank = 0;
  bool disturbed = false;
  bool doubtful = false;
  double instructions = 0; ///< that were counted; 0: nobody knows
  uint32_t stretch = 0;    ///< of the rank's, in which it was taken: a moment of the host
  bool counted = false;    ///< the cost is a number of instructions: right, however far off
  bool sized = true;       ///< the work was known in front of it
};

/// r_ij of a rank.
struct RankValue {
  uint32_t rank = 0;
  double value = 0;
};

class Estimator {
public:
  void add(const Sample &sample);

  uint32_t count() const { return static_cast<uint32_t>(samples_.size()); }
  /// Samples that the figures below rest on.
  uint32_t kept() const { return kept_; }
  uint32_t outliers() const { return seen_ - kept_; }
  double rate() const { return rate_; }
  double spread() const { return spread_; }
  /// 0 for a rate of 0; infinite before there are two samples.
  double relativeError() const;

  /// Of samples that are not doubtful, what is enough to do without those that are.
  static constexpr uint32_t Trusted = 3;
  /// So many doubtful ones are taken in the hope of others.
  static constexpr uint32_t Hope = 12;
  /// Of instances of which nothing is known in front, so many counted samples at least: a few equal ones say nothing of
  /// those that are not (one in eight escapes three in two cases of three, 32 in one of seventy). And at most so many times
  /// the usual number while they differ.
  static constexpr uint32_t LeastUnsized = 32, MoreUnsized = 10;
  /// How far ranks' instructions for a unit of work lie apart where their work is the same.
  static constexpr double SameWork = 0.02;

  /// Whether \p policy wants no more samples.
  bool enough(const SamplePolicy &policy) const;
  /// How many it takes at most.
  uint32_t most(const SamplePolicy &policy) const;

  /// The samples of \p rank alone.
  Estimator of(uint32_t rank) const;
  /// Both together.
  Estimator with(const Estimator &other) const;
  /// How far the ranks' own means lie apart beyond what the samples' noise explains: the standard
  /// deviation between ranks of a one-way analysis of variance with random effects, relative to
  /// the mean (Searle, Linear Models, 1971, chapter 9). With k ranks, n_i samples r_ij of rank i, N
  /// in all, m_i and m the means of a rank and of all,
  ///   B = Σ n_i (m_i − m)² / (k − 1),  W = ΣΣ (r_ij − m_i)² / (N − k),
  ///   n₀ = (N − Σ n_i² / N) / (k − 1),  √((B − W) / n₀) / m
  /// and 0 unless B > 4 W, when noise alone would hardly do it. 0 for less than two ranks, or one
  /// sample of each.
  ///
  /// Samples of one stretch share a moment of the host, which ranks do not. Where instructions are counted and the
  /// ranks execute as many for a unit of work (SameWork), r_ij are the means of stretches in place of samples: a rank
  /// that was met in one slow moment is no slow rank.
  double rankDisagreement() const;

private:
  void append(const Sample &sample);
  void evaluate();
  void evaluate(const std::vector<Sample> &samples);
  bool isFar(const Sample &sample) const;
  bool needsMore(const SamplePolicy &policy) const;
  std::vector<RankValue> ratesByRank() const;
  std::vector<RankValue> stretchesByRank() const;
  std::vector<RankValue> instructionsByRank() const;

  std::vector<Sample> samples_;
  uint32_t seen_ = 0; ///< when the figures were made
  uint32_t kept_ = 0;
  double rate_ = 0;
  double spread_ = 0;
  uint32_t trusted_ = 0; ///< samples that are not doubtful
  bool unsized_ = false; ///< they are counted, and the work of some was not known
  double middle_ = 0;    ///< the median that outliers are told by; infinite: none is left out
};

} // namespace gnomon::process::burst
