// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far single samples are off together. To measure an instance is to disturb it: the hook that
/// begins a sample leaves its own data in the caches, and a reading of the thread's clock is a
/// system call. The computation between two calls of the runtime (a stretch) is measured anyway. So
/// the samples say how the time of a stretch divides, and stretches without samples how much it is.
///
/// An equation is a stretch in which every burst was executed: T seconds, of which the samples'
/// rates r predict p_k = r_k w_k for the work w_k of kind k, P = Σ p_k. The code between bursts
/// takes a rest g_c of it, which is known from stretches in which every burst was skipped; c tells
/// stretches apart by the burst that they meet first. One step of the expectation-maximisation
/// algorithm for such equations (Shepp and Vardi 1982, Maximum likelihood reconstruction for
/// emission tomography), from the samples' rates, gives the rate of kind k:
///
///   R_k = Σ_equations (T − g_c) p_k / P  ÷  Σ_equations w_k
///
/// Equations that the samples miss by more than a factor of 3 are not taken.
///
/// Worked example: a stretch of 9 s with 4 units of kind a and 1 of kind b, whose samples say 1 and
/// 2 s a unit: 6 s are predicted, both take half as much again: 1.5 and 3 s a unit. With a rest of
/// 3 s they take 1 and 2. A second stretch of 6 s, with 6 units of a alone: a has (6 + 6) / 10
/// = 1.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::process::burst {

class Calibration {
public:
  /// A kind in one stretch; kinds are numbered densely.
  struct Term {
    uint32_t kind = 0;
    double work = 0;
    double rate = 0; ///< seconds a unit of work, of its samples
  };

  /// A stretch that met the burst \p first first took \p seconds. Returns whether it was taken.
  bool add(uint32_t first, double seconds, std::span<const Term> terms);
  /// One in which everything was skipped took \p seconds all the same.
  /// Returns how many such there are.
  uint64_t addRest(uint32_t first, double seconds);

  /// Seconds a unit of work; 0 without an equation.
  double rate(uint32_t kind) const;
  /// Mean of the rests; 0 without any.
  double rest(uint32_t first) const;

private:
  /// Of one kind in stretches that meet one burst first.
  struct Part {
    uint32_t first = 0;
    double seconds = 0;   ///< Σ T p_k / P
    double shares = 0;    ///< Σ p_k / P
    double predicted = 0; ///< Σ p_k
    double work = 0;      ///< Σ w_k
  };
  struct Rest {
    uint64_t count = 0;
    double seconds = 0;
  };

  std::vector<std::vector<Part>> parts_; ///< by kind
  std::vector<Rest> rests_;              ///< by the first burst
};

} // namespace gnomon::process::burst
