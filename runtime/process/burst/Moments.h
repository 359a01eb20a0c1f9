// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far stretches that are alike (Stretches.h) differ as neighbours do, and how far each for itself (docs/adr/0045).
/// Ranks wait for the slowest of them: where all are slow at once none waits, where each is slow by its own chance all do.
///
/// With c what a stretch took for its work, as a part of its rank's mean, eight of them in a row are a *moment*:
///
///   c = m × o
///
/// with m the median of its moment, and o what is the stretch's own. Of a kind with many stretches, some moments are kept,
/// evenly spread over the run. Their m are given out in their order, each to as many stretches in a row; the o are drawn
/// for each stretch by itself, from their means in evenly many parts of the sorted ones. Both are 1 in the mean. Where
/// moments have two speeds, quick ones have an o of their own, and so have slow ones: a slow stretch stands out among
/// quick ones, and not among slow ones. The median, as one stretch that was interrupted does not make its neighbours
/// slow ones. Of a kind with few, each c is given out in its turn.
///
/// Worked example: ranks 0 and 1 take 1 s and 1.2 s in turn, then 2 s and 2.4 s, again and again. By their ranks' means
/// that is c = 2/3 and 4/3, both ranks at once: m is that, o is 1. Had only one of them been slow at a time, m would be
/// near 1, o one of 2/3 and 4/3, and the later of both comes at 4/3 in three of four rounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gnomon::process::burst {

/// How stretches of one kind differ from their rank's mean: parts of it, 1 in the mean. Empty: they do not.
struct Chances {
  std::vector<double> moments;        ///< m, in their order; or c, of each stretch
  std::vector<double> own;            ///< o, sorted, of moments below slowFrom
  std::vector<double> ownOfSlow = {}; ///< o of the other moments, sorted
  double slowFrom = std::numeric_limits<double>::infinity(); ///< infinity: all moments are alike

  bool operator==(const Chances &) const = default;
};

/// Of a run that executes everything.
class MomentRecorder {
public:
  /// The next stretch of the kind is \p rank's. \p number: of all stretches of all kinds.
  void add(uint32_t rank, double secondsPerWork, uint64_t number);
  /// As if all had been of one kind from the beginning.
  void merge(const MomentRecorder &other);
  /// \p meanOf: seconds for a unit of work, by rank.
  Chances chances(std::span<const double> meanOf) const;

private:
  static constexpr size_t Together = 8;
  struct Single {
    uint32_t rank = 0;
    double secondsPerWork = 0;
  };
  struct Moment {
    uint64_t number = 0; ///< of its first stretch
    size_t count = 0;
    std::array<Single, Together> singles = {};
  };
  using Parts = std::vector<std::vector<double>>;
  void begin(uint64_t moment, uint64_t number);
  static void tellOwn(const Parts &all, Chances &chances);
  Parts partsOf(std::span<const double> meanOf) const;

  std::vector<Moment> moments_;
  uint64_t times_ = 0, stride_ = 1;
  bool kept_ = false; ///< the present one
};

/// The part that the stretch takes before which so many of its kind came. \p times: as many were recorded; \p kind: the
/// name of the kind, so that stretches of several kinds do not draw alike.
double chanceOf(const Chances &chances, uint64_t kind, uint64_t times, uint64_t before);

} // namespace gnomon::process::burst
