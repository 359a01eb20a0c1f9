// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much a program feels of a shared core, or of the clock (CoreSpeed.h). With x how much the core is shared
/// (0 to 1), or by how much longer the clock lets the chain take, the same work takes
///
///   seconds = seconds on a core of its own × (1 + β x)
///
/// and β is the work's. Of a shared core: 0 for chains of dependent operations and for what waits for
/// memory, 0.04 to 0.7 for 23 of 25 programs (docs/adr/0051). Of the clock: 1, but less for what waits
/// for memory (docs/adr/0036). So it is learned from the run, and a run starts from what earlier ones have
/// learned.
/// Stretches of computation with nearly as many instructions (workOf, EqualWork.h) are taken for the
/// same work. For each such work the line of seconds per instruction over x is fitted; the slope that
/// all of them share is the program's β, and each work's own lies between its line's and that, by how
/// much x has varied (sums over stretches, each weighed by its looks):
///
///   β_work = (Σ (x − x̄)(y − ȳ) / y₀ + λ β_program) / (Σ (x − x̄)² + λ)
///
/// with y₀ what the line has at x = 0. The program's is drawn towards the usual one in the same way. λ is
/// large: what else makes stretches long comes in phases of seconds, in which hundreds of them say one thing
/// (docs/adr/0052).
///
/// Worked example: a work took 10 ms at x = 0 and 12 ms at x = 0.5, often. β is near 0.4: a stretch of
/// 13.2 ms at x = 0.8 is charged 10 ms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace gnomon::process {

class CoreFeel {
public:
  /// β of a program of which nothing is known, on a machine of which nothing is known: it was 0.04 to 0.7 for 23 of
  /// 25 programs (docs/adr/0051).
  static constexpr double Usual = 0.4;
  /// No work felt more.
  static constexpr double Most = 3;
  /// The same of the clock.
  static constexpr double UsualOfClock = 1, MostOfClock = 1.2;

  explicit CoreFeel(double usual = Usual) : CoreFeel({usual, Most, 20, 20}) {}
  /// Of the clock, of which one look says more.
  static CoreFeel ofClock() { return CoreFeel({UsualOfClock, MostOfClock, 0.01, 0.02}); }

  /// What a run has learned of the program: the slope that all its works share, and how much x has
  /// varied in it: Σ (x − x̄)².
  struct Learned {
    double slope = 0;
    double weight = 0; ///< 0: nothing
  };
  Learned learned() const;

  /// β of the work that has so many \p instructions.
  double of(uint64_t instructions) const;
  /// β of what is not known to be any of the works.
  double program() const { return program_; }
  /// A stretch of so many \p instructions took \p seconds while the kernel took 1 + \p excess times as
  /// long as usual, by so many \p looks (a part of one where it was shorter).
  void learn(uint64_t instructions, double seconds, double excess, double looks);

private:
  /// λ of the program and of a work: the variance of y for other reasons than the core by that of β,
  /// from program to program and from work to work.
  struct Prior {
    double usual, most, programDoubt, workDoubt;
  };
  explicit CoreFeel(Prior prior) : prior_(prior), program_(prior.usual) {}

  /// Means and sums of products of deviations of x and y, seconds per instruction.
  struct Work {
    uint64_t stretches = 0;
    double weight = 0;
    double x = 0, y = 0;
    double xx = 0, xy = 0;
    double slope = 0; ///< Σ (x − x̄)(y − ȳ) / y₀
  };

  std::map<uint32_t, Work> works_; ///< by workOf
  double xx_ = 0, slope_ = 0;      ///< over all works
  Prior prior_;
  double program_;
};

} // namespace gnomon::process
