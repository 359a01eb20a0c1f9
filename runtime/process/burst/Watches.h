// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who must learn. What is executed among skipped neighbours finds the caches as the program never
/// does. So a rank that has something to learn *watches*: it executes everything that may still be
/// executed. It begins with a kind that nobody knows well enough, a witness with its first
/// instance. All end together, when the last third of the warm instances that they executed had
/// nothing more to teach: by then they have seen a time step again.
///
/// What ranks that watch do between two calls of the runtime (a stretch) says how far the samples'
/// rates are off (Calibration), and how times vary (Variation). Where costs are instructions
/// nothing of that matters, and nobody watches.
///
/// A few ranks spread over all of them are witnesses: they also execute a sample of their own of
/// each kind before they skip.
#pragma once

#include "process/burst/Calibration.h"
#include "process/burst/Rates.h"
#include "process/burst/Variation.h"

#include "process/burst/Tuning.h"

#include <cstdint>

namespace gnomon::process::burst {

class Watches {
public:
  /// Up to eight ranks, spread evenly.
  static bool isWitness(uint32_t rank, uint32_t ranks);
  static bool owesSample(const RankBursts &rank, const Entry &entry, const RankSlot &mine,
                         size_t warmth) {
    return rank.witness && entry.witnesses && !(mine.sampled >> warmth & 1);
  }

  /// Costs are seconds, and skipping changes them: from now on ranks watch; \p always: each of them, to its end.
  void enable(bool calibrates, bool always = false) {
    calibrates_ = calibrates;
    always_ = always;
  }
  bool enabled() const { return calibrates_; }
  bool watches(const RankBursts &rank) const { return rank.watch.number == watch_; }
  /// Some rank does.
  bool any() const { return watching_; }

  /// \p rank, at an instance whose kind has the rate \p rate, begins to watch if it must. True:
  /// nobody did so far.
  bool consider(RankBursts &rank, const Entry &entry, Rate rate, const Rates &rates);
  /// Whether a kind without a rate is to be measured. Where a dozen samples differ too much, others
  /// would only disturb the stretches, which say more of it.
  static bool wantsSamples(const Entry &entry, uint32_t slot, const RankSlot &mine, size_t warmth,
                           const Rates &rates);
  /// Whether an instance of a kind with \p samples, of which \p cost is expected, is measured though
  /// the kind is known: because that changes nothing else, and moments differ.
  bool wantsMoments(uint32_t samples, double cost) const {
    return calibrates_ && cost >= UndisturbedSeconds && samples < MostUndisturbedSamples;
  }
  /// Whether the rank's pass has gone on for so long, at \p cost an instance, that the caches are
  /// its own.
  static bool isLongPass(const RankBursts &rank, double cost);
  /// Whether the caches still remember what was skipped. After two samples that were not taken for
  /// that the third is: it is better than none.
  bool standsTooNear(RankBursts &rank, const Entry &entry, const Rates &rates) const;

  /// An instance of a rank that watches is executed. \p cost: as measured; none: it is not.
  void noteExecuted(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                    std::optional<double> cost, const Rates &rates);
  /// Instances are executed as the one before was, of so much \p work together (Repeats.h).
  static void noteAgain(RankBursts &rank, const Repeat &again, double work);
  /// The latest instance that was executed and not measured, in \p slot, had so much more work than was said.
  void correct(RankBursts &rank, uint32_t slot, double more) const;
  /// The rank's stretch of \p seconds is over. Returns its variation: what is to be added to the
  /// cost charged in it. The watch may be over with it.
  double stretchEnded(RankBursts &rank, double seconds, Rates &rates);
  /// What stretches of some bursts can teach still.
  enum class Taught : uint8_t {
    Little,
    Much, ///< only long ones can
    All,
  };
  Taught taught() const { return taught_; }
  /// Of ranks that watch for ever: whether a stretch that ends now needs not be looked at, if those like it have taught all.
  bool passesOver() {
    if (!always_ || (stretches_ + 1) % StretchesBetweenLooks == 0)
      return false;
    ++stretches_;
    return true;
  }
  Variation &variation() { return variation_; }
  const Variation &variation() const { return variation_; }
  /// Finds Slot::factor anew.
  void calibrate(uint32_t slot, Rates &rates) const;

private:
  bool isWanted(const Stretch &stretch, double seconds, const Rates &rates);
  bool isLearnt(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                const Rates &rates) const;
  void end(const Rates &rates);
  void addEquation(RankBursts &rank, double seconds, Rates &rates);
  void addRest(const Stretch &stretch, double seconds, Rates &rates);
  void weighVariation(const Rates &rates);

  bool calibrates_ = false;
  bool always_ = false;
  uint32_t watch_ = 1;             ///< number of the present watch, or of the next
  bool watching_ = false;          ///< some rank takes part in it
  double watchedBefore_ = 0;       ///< cost of warm instances in the ones before
  double watchedCost_ = 0;         ///< and in it
  double quietCost_ = 0;           ///< of them, behind the last instance that taught something
  uint64_t stretches_ = 0;         ///< of ranks that watch to their end
  Taught taught_ = Taught::Little; ///< by the latest of them
  Calibration calibration_;
  Variation variation_;
};

} // namespace gnomon::process::burst
