// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How fast the core is at the moment. On a machine that is shared, what the same work takes follows
/// what the core's other hardware thread does, in phases of milliseconds to minutes: from 1.0
/// (chains of dependent operations) to 1.9 times as long (clearing memory), 1.2 to 1.6 in programs
/// (docs/adr/0023). That says nothing of the target. So a reference kernel is timed every few
/// milliseconds of computation, and a stretch of T seconds is charged
///
///   charged = T / φ      φ = 1 + β max(0, r − 1)      r = reference / (1.05 least reference)
///
/// φ is the mean over the looks in the stretch and the one before it; where those are few, the mean
/// of the latest half second counts as two more. β says how much a program feels of what the kernel feels: Share.
/// The least one is of this run, or of an earlier one on this machine: by a second kernel, of dependent
/// operations, which is as fast on a shared core. The ratio of the two is the processor's own.
/// Where the core has been slow for a while, the thread moves to another one (CoreChoice.h).
///
/// Worked example: β = 1.9, a kernel of 3.3 µs at best that takes 4.2 µs now. r = 1.21, φ = 1.4: a
/// stretch of 10 ms is charged 7.1 ms.
#pragma once

#include "process/ranks/CoreChoice.h"

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

  /// β. Of six of the NPB, 0.9 to 2.8 (docs/adr/0023).
  static constexpr double Share = 1.9;
  /// Its standard deviation from program to program, as a share of it.
  static constexpr double ShareDoubt = 0.3;
  /// Between two looks. A look takes about 8 us.
  static constexpr double Period = 2e-3;
  /// How far a reference lies above the least one on a core that is the thread's alone.
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
  /// The program's code runs from now on.
  void leave() {
    sum_ = latest_;
    looks_ = 1;
    metered_ = 0;
  }
  /// It has run \p metered seconds since, less what has been left out. Returns what is to be left out
  /// of them now.
  double stretch(double metered);
  /// φ of what has just run.
  double slowness() const { return latest_; }
  Figures figures() const;

private:
  void lookNow();

  Source source_{nullptr, nullptr, {}, 0};
  uint64_t lookedAt_ = 0, periodCycles_ = 0;
  double latest_ = 1; ///< φ
  double lately_ = 1; ///< φ, mean of the latest half second
  double sum_ = 0;    ///< of φ over the looks in the stretch, the one before it included
  double looks_ = 0;  ///< in that sum
  double ownLeast_ = 0, chain_ = 0; ///< least reference and chain of this run
  double metered_ = 0;              ///< of the stretch, charged already
  double allSlowness_ = 0;
  Figures figures_;
  CoreChoice choice_;
};

/// From now on measured times are divided by the speed of the moment; without it, they are what they
/// are. By the processor, with the \p ratio of an earlier run (0: none); or \p source, a test's.
void keepSpeedSteady(double ratio);
void keepSpeedSteady(CoreSpeed::Source source);
/// What the running simulation knows of its core.
CoreSpeed &coreSpeed();
/// Of the running simulation.
CoreSpeed::Figures coreFigures();

} // namespace gnomon::process
