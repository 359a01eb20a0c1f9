// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `--sample` says: which instances of a burst are executed as samples, and when a burst's
/// cost is known well enough for the others to be skipped.
#pragma once

#include <cstdint>
#include <string_view>

namespace gnomon::process::burst {

struct SamplePolicy {
  enum class Scope : uint8_t {
    Off,    ///< everything is executed
    Auto,   ///< over all ranks where the ranks agree, else as Local
    Local,  ///< each rank samples for itself
    Global, ///< a sample of any rank serves all
  };
  Scope scope = Scope::Off;
  uint32_t leastSamples = 3;
  uint32_t mostSamples = 100;
  double relativeError = 0.05; ///< of the mean cost per unit of work: the greatest standard error
  bool exact =
      false; ///< the user gave a number: so many are executed, whatever that does to caches

  bool counts = false; ///< costs are numbers of instructions

  /// Everything is executed all the same: what is learnt is written down for later runs.
  bool learnsOnly = false;

  bool learns() const { return scope != Scope::Off; }
  bool skips() const { return learns() && !learnsOnly; }

  /// Reads `auto`, `local,rse=2`, `n=3..100`: one scope (auto when none stands there), `rse` in
  /// percent, `n` a number of samples or a range; joined by commas. Throws NumberError (what is
  /// wrong, without the option's name).
  static SamplePolicy parse(std::string_view text);
};

/// No user has ever wanted more; it bounds what an estimator keeps.
inline constexpr uint32_t MostSamplesEver = 10'000;

} // namespace gnomon::process::burst
