// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Bursts does with a stretch: what a rank computes between two calls of the runtime. It says how far samples are off
/// (Watches), is recorded, or takes what was recorded (Stretches.h).
#include "process/burst/Bursts.h"
#include "process/burst/DefaultFloats.h"
#include "process/ranks/Simulation.h"

#include <algorithm>

namespace gnomon::process::burst {

double Bursts::stretchEnded(RankState &rank, double metered, double skipped) {
  if (sampler_.calibrates())
    return calibrateStretch(rank, metered, skipped);
  if (countsRepeats_)
    stopRepeats(rank);
  return 0;
}

/// The rank's stretch, all parts of it, is over, and took \p seconds. What one like it took in the run that was recorded.
/// \p composition: compositionOf, before it was told.
std::optional<double> Bursts::lookAtStretch(RankState &rank, double seconds, uint64_t composition) {
  const uint64_t instructions = simulation()->equalWork.latestInstructions();
  std::optional<double> known;
  if (stretches_)
    stretches_->add(rank.number, rank.whole, instructions, seconds, composition, sampler_.taught());
  else
    known = givenStretches_->secondsOf(rank.number, rank.whole, instructions);
  rank.whole.renew();
  return known;
}

[[gnu::noinline]] double Bursts::calibrateStretch(RankState &rank, double metered, double skipped) {
  const DefaultFloats guard;
  uint64_t composition = 0;
  if (timesHooks_) {
    stopRepeats(rank);
    composition = compositionOf(rank);
    if (isSameStretch(rank, composition, std::max(0.0, metered)))
      return 0;
    tellAllRepeats(rank);
  }
  // An instance of a burst that the user forced goes on behind the call.
  if (rank.open.record)
    rank.stretch.warm = false;
  if (rank.partSeconds == 0)
    rank.stretch.equalWork = simulation()->equalWork.latestWork();
  if (looksAtStretches())
    rank.whole.add(rank.stretch, sampler_.slots());
  // What equal work moved is the whole stretch's, and no part's.
  const double moved = rank.partSeconds == 0 ? 0 : simulation()->equalWork.latestMoved();
  const double variation = sampler_.stretchEnded(rank, metered + moved - rank.partSeconds);
  rank.partSeconds = 0;
  if (rank.open.record)
    rank.stretch.warm = false;
  if (looksAtStretches())
    return chargeAsKnown(rank, std::max(0.0, metered), skipped, variation, composition);
  variationSeconds_ += variation * rank.secondsPerCost;
  return variation;
}

/// What is to be added for a stretch that was charged \p skipped, and took \p seconds beside that. \p variation: by this
/// run's own samples.
double Bursts::chargeAsKnown(RankState &rank, double seconds, double skipped, double variation,
                             uint64_t composition) {
  const std::optional<double> known = lookAtStretch(rank, seconds, composition);
  if (!known) {
    if (givenStretches_)
      givenStretches_->measured(seconds + skipped + variation);
    variationSeconds_ += variation * rank.secondsPerCost;
    return variation;
  }
  // Of what it takes, bursts that were skipped have all at most.
  skippedBeyond_ += std::max(0.0, skipped - *known) * rank.secondsPerCost;
  return *known - seconds - skipped;
}

void Bursts::endPart(BurstClock &clock) {
  const DefaultFloats guard;
  RankState &rank = *clock.bursts();
  if (timesHooks_) {
    const uint64_t since = readCycles();
    tellAllRepeats(rank);
    takeOutSince(clock, since, 0);
  }
  const double now = meterReading();
  clock.takeOutHost(now);
  const double seconds = clock.metered(now) - rank.partSeconds;
  rank.partSeconds += seconds;
  if (looksAtStretches())
    rank.whole.add(rank.stretch, sampler_.slots());
  const double variation = sampler_.stretchEnded(rank, seconds);
  variationSeconds_ += variation * rank.secondsPerCost;
  clock.charge(variation);
  // What weighing the part has taken since is none of the program's time.
  clock.takeOut(meterReading() - now);
}

} // namespace gnomon::process::burst
