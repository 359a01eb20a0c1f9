// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What stretches take: what a rank computes between two calls of the runtime, bursts and the code between them
/// (docs/adr/0043). A run that records decisions and measures executes all of it, and leaves the mean time of stretches that
/// are alike. The same run with these decisions takes it from there. It then measures nothing: neither what the code
/// between bursts takes, which finds other caches and other memory where most is skipped, nor hooks.
///
/// *Alike* are stretches that met the same bursts equally often, each by the size of its work (Slot::shape): of the formula's,
/// or of the volume, if that is given in the later run. Stretches without a burst are alike when they have counted as many
/// instructions, to one part in 32.
///
/// In a later run a formula may read what was not computed. Where no stretch of such sizes was recorded, those that met
/// the same bursts as often are alike, whatever their sizes.
///
/// A stretch takes
///
///   s × f_r × q × C / C'
///
/// with s the mean seconds of the recorded ones, f_r what rank r took for its work, as a part of what all took for theirs, q
/// how single ones differed from their rank's mean for their work (Moments.h), and C what this one should cost; C' is what those like
/// it should in the mean: of the recorded ones, and of those that came before in this run. The work of a recorded stretch is
/// the instructions of its bursts; C is what their rates say, if all are warm. Of stretches with no such burst both are all
/// instructions. Either is compared with its like only.
///
/// Worked example: of two recorded stretches, one took 3 s for 1,000 instructions, one 6 s for 2,000. s is 4.5 s, and both
/// took as much for an instruction. The rates say 2 and 4 s, C' is 3. Two like them come again: they take 4.5 × 2 / 3 = 3 s
/// and 6 s.
#pragma once

#include "process/burst/DecisionLog.h"
#include "process/burst/Moments.h"
#include "process/burst/Rates.h"
#include "process/burst/Watches.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace gnomon::process::burst {

/// How a run that is given decisions knows the sizes of a burst's work.
enum class Sizing : uint8_t {
  Formula, ///< as the run that records them
  Volume,
  Alike, ///< by volumes that are one for each rank, which may be means: they tell nothing apart
};
/// \p log: of the burst, or null.
Sizing sizingOf(const BurstLog *log);

/// A kind of instances that a stretch has met so often.
struct Met {
  uint32_t burst = 0; ///< index
  uint32_t bucket = 0;
  uint32_t times = 0;
  double work = 0; ///< of these instances together, or of those of all stretches
};

/// A rank's stretch, all parts of it (Bursts::endPart).
struct WholeStretch {
  uint64_t shape = 0;       ///< Σ Slot::shape of all instances; 0: it met none
  uint64_t kind = 0;        ///< Σ Slot::kind
  uint32_t first = 0;       ///< index of the burst that it met first
  double cost = 0;          ///< of its bursts that may be skipped, by their rates
  double volume = 0;        ///< their instructions, where these are counted
  std::vector<Met> kinds;   ///< by the formula's bucket, of a rank that watches
  std::vector<Met> volumes; ///< of instances whose volumes are counted, by their bucket
  uint64_t volumeShape = 0; ///< Σ of a number for each of those

  /// \p slots: of the sampler.
  void add(const Stretch &part, const std::vector<Slot> &slots);
  /// So many instances of \p burst have executed \p instructions each; 0: nobody knows.
  void addVolume(uint32_t burst, uint64_t instructions, uint32_t times = 1);
  /// What tells it from others; 0: nothing does. It has counted \p instructions, its bursts' included; 0: nobody knows.
  uint64_t name(uint64_t instructions) const;
  void renew() {
    shape = 0;
    kind = volumeShape = 0;
    cost = volume = 0;
    kinds.clear();
    volumes.clear();
  }
};

/// Of a run that executes everything.
class StretchRecorder {
public:
  /// \p stretch of \p rank took \p seconds of the processor, 0 or more, and counted \p instructions; 0: nobody knows.
  /// \p composition, if not 0, says of which instances it was made; \p taught: what those like it can still teach.
  void add(uint32_t rank, const WholeStretch &stretch, uint64_t instructions, double seconds,
           uint64_t composition = 0, Watches::Taught taught = Watches::Taught::Little);
  /// Whether one was added that was made of the same instances, and one of \p seconds can teach nothing more.
  bool knows(uint64_t composition, double seconds) const;
  /// It is added, too.
  void addSame(uint32_t rank, uint64_t composition, double seconds);
  /// Before logs.
  void settle();
  /// A burst, as later runs know it.
  struct Later {
    uint64_t name = 0; ///< Entry::name
    Sizing sizing = Sizing::Formula;
    const BurstLog *log = nullptr; ///< null: nobody skips it
  };
  /// Those that make up most of the time, the longest first. \p bursts: by index - 1. StretchLog::first is for the caller,
  /// by the index that \p firsts has of each.
  std::vector<StretchLog> logs(std::span<const Later> bursts, std::vector<uint32_t> &firsts) const;

private:
  struct OfRank {
    double seconds = 0, work = 0;
  };
  struct Alike {
    uint32_t first = 0;
    std::vector<Met> kinds, volumes; ///< none: no burst
    uint64_t times = 0;
    double seconds = 0, work = 0, instructions = 0;
    std::vector<OfRank> ofRank;
    MomentRecorder moments;

    void add(uint32_t rank, double work, double took, uint64_t number);
    void merge(const Alike &other);
    StretchLog log() const;
    uint64_t shape(std::span<const Later> bursts) const;
    uint64_t kind(std::span<const Later> bursts) const;
    double cost(std::span<const Later> bursts) const;
    Chances chances() const;
  };
  /// Made of the same instances, to the instruction.
  struct Same {
    uint64_t composition = 0;
    Alike *alike = nullptr;
    double work = 0, instructions = 0;
    uint64_t untold = 0; ///< so many whose bursts' work is still to be added
    bool onlyShort = false;
    std::vector<Met> kinds, volumes; ///< of one
  };
  /// Of all, one for each of the last bits of a composition.
  static constexpr size_t MostSame = 2048;
  void settle(Same &same);
  void addTo(Alike &alike, uint32_t rank, double work, double instructions, double seconds);

  std::unordered_map<uint64_t, Alike> alike_;
  std::vector<Same> same_;
  double seconds_ = 0;
  uint64_t count_ = 0; ///< of all
  size_t ofRanks_ = 0; ///< of all
};

/// Of a run that is given them.
class GivenStretches {
public:
  explicit GivenStretches(const std::vector<StretchLog> &logs);

  /// The seconds that \p stretch takes; nothing where none like it was recorded. It has counted \p instructions of what
  /// was executed; 0: nobody knows.
  std::optional<double> secondsOf(uint32_t rank, const WholeStretch &stretch,
                                  uint64_t instructions);
  /// A stretch of which nothing is known took \p seconds.
  void measured(double seconds) { unlikeSeconds_ += seconds; }
  /// The part of all time that is of such stretches.
  double unlikeShare() const {
    const double all = givenSeconds_ + unlikeSeconds_;
    return all > 0 ? unlikeSeconds_ / all : 0;
  }

private:
  struct Alike {
    /// C by the rates, or by instructions.
    struct Scale {
      uint64_t times = 0; ///< that have it
      double sum = 0;

      /// How much more than the mean \p its is. \p recorded: the mean of recorded ones; 0: nobody knows.
      double part(double its, double recorded);
    };
    StretchLog log;
    uint64_t times = 0;
    Scale byRates, byInstructions;

    double next(uint32_t rank, double cost, double instructions);
  };
  Alike *find(const WholeStretch &stretch, uint64_t instructions);
  void addToKind(const StretchLog &log);

  std::unordered_map<uint64_t, Alike> alike_, kinds_;
  double givenSeconds_ = 0, unlikeSeconds_ = 0;
};

} // namespace gnomon::process::burst
