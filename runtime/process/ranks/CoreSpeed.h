// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How fast the core is at the moment. On a machine that is shared, what the same work takes follows
/// two things of which the target knows nothing (docs/adr/0023, 0036):
///
///  - the clock: a processor that others leave idle runs at a higher one, for milliseconds or hours,
///    1.18 times as high on one machine. Nearly all work feels all of it;
///  - what the core's other hardware thread does, in phases of milliseconds to minutes: from 1.0
///    (chains of dependent operations) to 1.9 times as long (clearing memory), 1.2 to 1.6 in programs.
///
/// So two kernels are timed every few milliseconds of computation: the chain, of dependent operations,
/// which follows the clock alone, and the reference, which fills the core's units. A stretch of T
/// seconds is charged
///
///   charged = T / φ    φ = (1 + β_c c) (1 + β x)    c = chain / usual chain − 1
///                                                   x = e / (e + h), e = ratio / usual ratio − 1, h = 0.1,
///                                                   ratio = reference / chain
///
/// x is 0 on a core of the thread's own, and nears 1 where the other thread is busy: how long the kernel then
/// takes says what that thread does to the kernel, and little of what it does to the program (docs/adr/0051).
/// c and x are means over the looks in the stretch and the one before it (Looks.h). A chain that is not
/// that of the looks around it was disturbed: it says nothing of x. The usual chain is
/// the mean of earlier runs on this machine, without any that of this run so far. The usual ratio is the
/// mean of what is within 1.05 of the least that is not alone, of this run or of earlier ones: it is the
/// processor's own.
/// The two β say how much the work feels of each: CoreFeel.h.
/// Where the core has been shared for a while, the thread moves to another one (CoreChoice.h).
///
/// Worked example: a chain of 2.0 µs, usually 2.35: c = −0.15. A reference of 4.3 µs, a ratio of 2.15,
/// usually 1.79: e = 0.2, x = 0.67. With β_c = 1 and β = 0.3, φ = 0.85 × 1.2 = 1.02: 10 ms are charged 9.8.
#pragma once

#include "process/ranks/CoreChoice.h"
#include "process/ranks/CoreFeel.h"
#include "process/ranks/Looks.h"

#include <cmath>
#include <cstdint>

namespace gnomon::process {

class CoreSpeed {
public:
  /// What earlier runs on this machine have found; 0: not known.
  struct Known {
    double ratio = 0;              ///< reference / chain at best
    double chainSeconds = 0;       ///< mean
    double feel = CoreFeel::Usual; ///< β of a shared core: of this program, or of others
  };
  /// The core and its time: this process's, or a test's.
  struct Source {
    /// Seconds that the reference kernel takes now; it has none of the program's memory.
    double (*reference)();
    /// Seconds that the kernel of dependent operations takes.
    double (*chain)();
    Cores cores;
    Known known{};
  };
  struct Figures {
    uint64_t looks = 0;
    double slowness = 1;         ///< mean φ of the looks
    double corrected = 0;        ///< mean |1 − 1/φ| of the looks
    double leftOutSeconds = 0;   ///< Σ T (1 − 1/φ); below 0 where the clock was a high one
    uint64_t moves = 0;          ///< to another core
    double ratio = 0;            ///< least reference / chain of this run; 0: not looked at
    double chainSeconds = 0;     ///< mean of this run; 0: not looked at
    CoreFeel::Learned feel = {}; ///< of a shared core
  };

  /// Standard deviation of β, as a share of it.
  static constexpr double ShareDoubt = 0.3;
  /// e of a core that is half shared, as far as that goes: h.
  static constexpr double HalfShared = 0.1;
  /// x of \p excess, how much longer than usual the reference takes: e.
  static double sharedBy(double excess) { return excess / (std::abs(excess) + HalfShared); }
  /// Between two looks. A look takes about 12 us.
  static constexpr double Period = 2e-3;
  /// How far a ratio may lie above the least one on a core that is the thread's alone.
  static constexpr double Noise = 1.05;

  void enable(Source source);
  bool enabled() const { return source_.reference; }
  /// A look, if one is due at \p cycles of the time stamp counter. Not in the program's time.
  void look(uint64_t cycles) {
    if (due(cycles)) [[unlikely]]
      lookNow();
  }
  bool due(uint64_t cycles) const {
    return source_.reference && cycles - lookedAt_ >= periodCycles_;
  }
  /// The program's code runs from now on; the modules have counted \p instructions so far.
  void leave(uint64_t instructions) {
    clock_.leave();
    share_.leave();
    metered_ = wholeSeconds_ = wholeClock_ = wholeShare_ = 0;
    instructions_ = instructions;
  }
  /// It has run \p metered seconds since, less what has been left out. Returns what is to be left out
  /// of them now.
  double stretch(double metered) {
    return leaveOut(metered, {clockFeel_.program(), shareFeel_.program()});
  }
  /// The same at the stretch's end, up to which \p instructions were counted. \p whole: nothing of it
  /// was skipped, so that its work says what the program feels.
  double end(double metered, uint64_t instructions, bool whole);
  /// φ of what has just run, and the part of it that is others' use of the core.
  double slowness() const {
    return slowness(clock_.latest(), share_.latest(), {clockFeel_.program(), shareFeel_.program()});
  }
  double sharing() const { return 1 + shareFeel_.program() * share_.latest(); }
  /// How many times longer than usual the clock lets dependent operations take, as of now.
  double clockNow();
  Figures figures() const;

private:
  struct Feel {
    double clock, share;
  };
  void lookNow();
  double usualChain() const;
  double noteClock(double chain);
  void noteRatio(double ratio);
  double leaveOut(double metered, Feel feel);
  static double slowness(double clock, double share, Feel feel) {
    return (1 + feel.clock * clock) * (1 + feel.share * share);
  }

  Source source_{nullptr, nullptr, {}, {}};
  uint64_t lookedAt_ = 0, periodCycles_ = 0;
  Looks clock_, share_;
  double usualRatio_ = 0; ///< by the least one, mean of those within Noise of it
  double usualLooks_ = 0; ///< in that mean
  MedianOfThree chains_;
  AgreedLeast ownLeast_;                   ///< of this run's ratios
  double chainSum_ = 0;                    ///< of 1 / chain over the looks of this run
  double chainLooks_ = 0;                  ///< in that sum
  double metered_ = 0;                     ///< of the stretch, charged already
  double wholeSeconds_ = 0;                ///< of the stretch, with what was left out
  double wholeClock_ = 0, wholeShare_ = 0; ///< Σ c and Σ x over these seconds
  uint64_t instructions_ = 0;              ///< at its beginning
  double allSlowness_ = 0, allCorrected_ = 0;
  CoreFeel clockFeel_ = CoreFeel::ofClock(), shareFeel_;
  Figures figures_;
  CoreChoice choice_;
};

/// Tells the code of the two kernels from that of others, compiled otherwise: a ratio is theirs only.
uint64_t coreKernels();

/// From now on measured times are divided by the speed of the moment; without it, they are what they
/// are. By the processor, with what is \p known of it; or \p source, a test's.
void keepSpeedSteady(CoreSpeed::Known known);
void keepSpeedSteady(CoreSpeed::Source source);
/// What the running simulation knows of its core.
CoreSpeed &coreSpeed();
/// Of the running simulation.
CoreSpeed::Figures coreFigures();

} // namespace gnomon::process
