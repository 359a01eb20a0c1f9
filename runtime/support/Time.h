// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Simulated time. A date is a type of its own so that it cannot be mixed with wall-clock seconds;
/// a duration is a plain double whose name ends in `Seconds`.
#pragma once

#include <compare>

namespace gnomon {

/// A date of the simulation, in seconds since its start.
struct SimTime {
  double seconds = 0;

  friend constexpr auto operator<=>(const SimTime &, const SimTime &) = default;
  friend constexpr SimTime operator+(SimTime date, double durationSeconds) {
    return {date.seconds + durationSeconds};
  }
  friend constexpr SimTime operator-(SimTime date, double durationSeconds) {
    return {date.seconds - durationSeconds};
  }
  /// The duration between two dates, in seconds.
  friend constexpr double operator-(SimTime a, SimTime b) { return a.seconds - b.seconds; }
};

/// A date that never comes.
inline constexpr SimTime Never{__builtin_huge_val()};

} // namespace gnomon
