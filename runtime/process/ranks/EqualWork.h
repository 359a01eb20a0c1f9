// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What equal work costs. A host gives each rank places in its caches and its memory, and moments,
/// by chance: of 16 ranks that do the same, one takes 6 % more for a whole run. Ranks wait for the
/// slowest of them, so that a prediction would be made of the host's worst draws, of as many as there
/// are ranks (docs/adr/0031). So a stretch of computation is charged what stretches of the same work
/// take in the mean, over all ranks.
///
/// *The same work*: as many instructions, to one part in 32 (workOf), met by each rank about equally
/// often before: the 1st time, the 2nd, the 3rd and 4th, the 5th to 8th… What is done first finds cold
/// caches and fresh pages, and is compared with its like.
///
/// With y seconds per instruction of this stretch, m the mean of those n that the same work has taken
/// so far, and M the mean of the works before (of half as many times), W = 4 where y is near M and 0
/// where it is not:
///
///   charged = instructions × (n m + y + W M) / (n + 1 + W)
///
/// *Reasons of their own.* A rank that takes more than Far more or less than the mean keeps what it
/// took: in work that few have done yet, in this run or an earlier one, and where its stretches lie so far off again and again (scattered
/// data, denormal numbers). A long stretch *apart*, of more than twice the mean or of less than half of it, is other
/// work in as many instructions (a library's, which are not counted): it keeps its time, and is no part of the
/// mean. When more lie apart than the mean is of, it begins again with the latest.
///
/// *Earlier runs.* The next run draws other places, and other guests of the machine. So the same work is charged the
/// median of what it took in earlier runs of the same program and takes in this one (docs/adr/0048). With m this run's
/// mean and M the median of m and the earlier runs' means, a stretch that would be charged s is charged s M / m: ranks
/// differ as they do in this run, and runs differ less. Where m lies far from the earlier runs (EarlierMedian.h), they
/// are of other work, and s is charged.
///
/// Worked examples: 16 ranks, each of them 100 stretches of 1 ms, but for one that takes 1.06 ms. All
/// are charged near 1.004 ms, the first ones of the first rank what they took. In three earlier runs a stretch took 0.8,
/// 0.9 and 1.1 ms: all are charged the median of these and 1.004, 0.952 ms.
#pragma once

#include "support/EarlierMedian.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gnomon::process {

/// Instructions of a stretch, by what had been counted at its \p begin and has been \p now; 0: not known.
/// In the midst of a function the counter may be behind, and be set back.
uint64_t countedSince(uint64_t begin, uint64_t now);
/// The number of the work that has so many \p instructions: 32 to an octave. Below WorkNumbers.
uint32_t workOf(uint64_t instructions);
inline constexpr uint32_t WorkNumbers = 64 * 32;

class EqualWork {
public:
  /// More are charged what they took: 8 bytes for each rank and work would be felt.
  static constexpr size_t MostRanks = 16384;

  /// What lies nearer to the mean is the host's chance: of EP, CG, MG and FT on 16 ranks, the ranks'
  /// means lie within 0.14 of each other (docs/adr/0031).
  static constexpr double Far = 0.15;

  /// The same work.
  struct WorkAndRound {
    uint32_t work = 0;  ///< workOf
    uint32_t round = 0; ///< of how many times before on a rank; below Rounds
  };
  /// What it took in earlier runs, at least one.
  struct Earlier : WorkAndRound {
    std::vector<double> perInstruction; ///< seconds, of each run
  };
  /// What it took in this run, in all, as it was measured.
  struct Found : WorkAndRound {
    double perInstruction = 0, seconds = 0;
  };
  struct Figures {
    double movedSeconds = 0; ///< Σ |charged − measured| / 2: from stretches to others, in this run
    double earlierSeconds = 0; ///< Σ (charged − what it would be without earlier runs)
    uint32_t earlierRuns = 0;  ///< at most, of a work
    uint64_t stretches = 0;    ///< of known work
  };
  /// Of the times 2^i + 1 to 2^(i + 1) of each rank; the first two: of the first and the second time.
  static constexpr uint32_t Rounds = 33;

  void enable() { enabled_ = true; }
  /// What earlier runs of the same program say, before this one begins.
  void expect(std::span<const Earlier> earlier);
  /// In order of works and rounds.
  std::vector<Found> found() const;
  bool enabled() const { return enabled_; }
  /// The program's code runs from now on; the modules have counted \p instructions so far.
  void leave(uint64_t instructions) {
    instructions_ = instructions;
    given_ = 0;
  }
  /// A date was given out in the midst of the stretch, behind \p seconds of it: it takes no less.
  void gaveOut(double seconds) { given_ = seconds; }
  /// A stretch of \p rank has taken \p seconds, and the modules have counted \p instructions so far.
  /// Returns what it is charged.
  double charge(uint32_t rank, uint64_t instructions, double seconds) {
    const double charged = chargeFor(rank, instructions, seconds);
    latestMoved_ = seconds - charged;
    return charged;
  }
  /// The number of the work whose mean the latest stretch was charged; 0: it was charged what it took.
  uint32_t latestWork() const { return latestWork_; }
  /// Seconds that the latest stretch took beyond what it was charged; below 0: less.
  double latestMoved() const { return latestMoved_; }
  /// What was counted in the latest stretch, whatever it was charged; 0: nobody knows.
  uint64_t latestInstructions() const { return latestInstructions_; }
  Figures figures() const { return figures_; }

private:
  struct Mean {
    uint64_t count = 0;
    uint64_t apart = 0;        ///< stretches that were, since it began
    double perInstruction = 0; ///< seconds

    bool isApart(double seconds, uint64_t instructions) const;
    void add(double perInstruction);
  };
  struct Round {
    Mean mean;
    double seconds = 0, instructions = 0; ///< of all stretches that it is of
    EarlierMedian earlier;
  };
  struct OfRank {
    uint32_t times = 0;
    float deviation = 0; ///< mean of what it took by the mean, less 1
  };
  struct Work {
    std::array<Round, Rounds> rounds;
    std::vector<OfRank> ranks; ///< by number
  };
  static size_t roundOf(uint32_t times);
  static double expected(const Work &work, size_t round, double perInstruction);
  double chargeFor(uint32_t rank, uint64_t instructions, double seconds);
  double chargeAs(double seconds, double alike, double byEarlier);
  Work &workFor(uint32_t number);
  static bool standsApart(Mean &mean, double seconds, uint64_t instructions);

  bool enabled_ = false;
  std::array<std::unique_ptr<Work>, WorkNumbers> works_;
  uint64_t instructions_ = 0; ///< at the stretch's beginning
  double given_ = 0;          ///< of the stretch, seconds
  uint32_t latestWork_ = 0;
  double latestMoved_ = 0;
  uint64_t latestInstructions_ = 0;
  Figures figures_;
};

/// From now on equal work costs all ranks the same; without it, each what it took. Only where
/// computation is measured.
void keepEqualWorkSteady(std::span<const EqualWork::Earlier> earlier = {});
/// Of the running simulation.
EqualWork::Figures equalWorkFigures();
std::vector<EqualWork::Found> equalWorkFound();

} // namespace gnomon::process
