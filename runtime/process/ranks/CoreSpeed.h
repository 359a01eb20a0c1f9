// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How fast the core is at the moment. On a machine that is shared, what the same work takes follows
/// what the core's other hardware thread does, in phases of milliseconds to minutes: from 1.0
/// (chains of dependent operations) to 1.9 times as long (clearing memory), 1.2 to 1.6 in programs
/// (docs/adr/0023). That says nothing of the target. So a reference kernel is timed every few
/// milliseconds of computation, and a stretch of T seconds is charged
///
///   charged = T / φ      φ = 1 + β x      x = reference / usual reference − 1
///
/// x is the mean over the looks in the stretch and the one before it; where those are few, the mean of
/// the latest half second counts as two more. A look is itself a mean of the latest ones, until one
/// differs by more than the kernel's noise. Usual is the mean of what is within 1.05 of the least. β says
/// how much the work feels of what the kernel feels: CoreFeel.h.
/// The least one is of this run, or of an earlier one on this machine: by a second kernel, of dependent
/// operations, which is as fast on a shared core. The ratio of the two is the processor's own.
/// Where the core has been slow for a while, the thread moves to another one (CoreChoice.h).
///
/// Worked example: β = 1.2, a kernel of 3.3 µs as usual that takes 4.2 µs now. x = 0.27, φ = 1.33: a
/// stretch of 10 ms is charged 7.5 ms.
#pragma once

#include "process/ranks/CoreChoice.h"
#include "process/ranks/CoreFeel.h"

#include <cstdint>

namespace gnomon::process {

class CoreSpeed {
public:
  /// The core and its time: this process's, or a test's.
  struct Source {
    /// Seconds that the reference kernel takes now; it has none of the program's memory.
    double (*reference)();
    /// Seconds that the kernel of dependent operations takes.
    double (*chain)();
    Cores cores;
    /// reference / chain at best, as an earlier run found it; 0: not known.
    double ratio = 0;
  };
  struct Figures {
    uint64_t looks = 0;
    double slowness = 1;       ///< mean φ of the looks
    double leftOutSeconds = 0; ///< Σ T (1 − 1/φ)
    uint64_t moves = 0;        ///< to another core
    double ratio = 0;          ///< least reference / least chain of this run; 0: not looked at
  };

  /// Standard deviation of β, as a share of it.
  static constexpr double ShareDoubt = 0.3;
  /// Between two looks. A look takes about 8 us.
  static constexpr double Period = 2e-3;
  /// How far a reference may lie above the least one on a core that is the thread's alone.
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
    sum_ = latest_;
    looks_ = 1;
    metered_ = wholeSeconds_ = wholeExcess_ = 0;
    instructions_ = instructions;
  }
  /// It has run \p metered seconds since, less what has been left out. Returns what is to be left out
  /// of them now.
  double stretch(double metered) { return leaveOut(metered, feel_.program()); }
  /// The same at the stretch's end, up to which \p instructions were counted. \p whole: nothing of it
  /// was skipped, so that its work says what the program feels.
  double end(double metered, uint64_t instructions, bool whole);
  /// φ of what has just run.
  double slowness() const { return slowness(latest_, feel_.program()); }
  Figures figures() const;

private:
  void lookNow();
  void note(double ratio);
  double leaveOut(double metered, double feel);
  static double slowness(double excess, double feel) { return 1 + feel * excess; }

  Source source_{nullptr, nullptr, {}, 0};
  uint64_t lookedAt_ = 0, periodCycles_ = 0;
  double latest_ = 0;     ///< x
  double lately_ = 0;     ///< x, mean of the latest half second
  double sum_ = 0;        ///< of x over the looks in the stretch, the one before it included
  double looks_ = 0;      ///< in that sum
  double usual_ = 0;      ///< reference by the least one, mean of those within Noise of it
  double usualLooks_ = 0; ///< in that mean
  double ownLeast_ = 0, chain_ = 0; ///< least reference and chain of this run
  double metered_ = 0;              ///< of the stretch, charged already
  double wholeSeconds_ = 0;         ///< of the stretch, with what was left out
  double wholeExcess_ = 0;          ///< Σ x over these seconds
  uint64_t instructions_ = 0;       ///< at its beginning
  double allSlowness_ = 0;
  CoreFeel feel_;
  Figures figures_;
  CoreChoice choice_;
};

/// Tells the code of the two kernels from that of others, compiled otherwise: a ratio is theirs only.
uint64_t coreKernels();

/// From now on measured times are divided by the speed of the moment; without it, they are what they
/// are. By the processor, with the \p ratio of an earlier run (0: none); or \p source, a test's.
void keepSpeedSteady(double ratio);
void keepSpeedSteady(CoreSpeed::Source source);
/// What the running simulation knows of its core.
CoreSpeed &coreSpeed();
/// Of the running simulation.
CoreSpeed::Figures coreFigures();

} // namespace gnomon::process
