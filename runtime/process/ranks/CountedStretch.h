// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What hooks of bursts tell in a run that is recorded, whose volumes are counted instructions, and whose bursts
/// nobody else asks about. With c the counter of instructions, b what it said when the stretch began, and t how far
/// it has been told, a begin keeps c, and the matching end tells
///     code between bursts   + max(b, c at begin) − t
///     the burst             + max(b, c − ahead) − max(b, c at begin)
/// and t is max(b, c − ahead) from now on. What was ahead at a call is charged by it, and c goes back behind b.
/// All are whole numbers, added to where the tally has both parts already. What is not so simple (the first instance
/// of a stretch, one in another, a call of the runtime inside one) goes the long way, by BurstClock::tellFromNowOn.
#pragma once

#include "gnomon/Burst.h"

#include <algorithm>
#include <cstdint>

namespace gnomon::process {

/// Of the rank whose code runs on this thread. Only one rank's code runs at a time.
struct CountedStretch {
  /// Stands in `instance` where hooks go the long way, which tells by BurstClock alone.
  static gnomon_burst longWay;

  gnomon_burst *instance =
      &longWay;                ///< that runs, and was begun here; null: none, the next one may
  const void *frame = nullptr; ///< of its hook's call
  int64_t at = 0;              ///< the counter at its begin
  int64_t begun = 0, told = 0;
  uint32_t entries = 0; ///< of the rank into the runtime
  /// The last burst that ended in this stretch, and where the tally has the code between bursts and that one; null:
  /// they are to be looked for.
  const gnomon_burst *recent = nullptr;
  double *between = nullptr, *inside = nullptr;

  /// A stretch begins.
  void renew(uint64_t counter, uint32_t entered) {
    begun = static_cast<int64_t>(counter);
    entries = entered;
    recent = nullptr;
  }
  bool isLongWay() const { return instance == &longWay; }
  [[gnu::always_inline]] void begin(gnomon_burst &record, const void *caller, uint64_t counter) {
    instance = &record;
    frame = caller;
    at = static_cast<int64_t>(counter);
  }
  /// Of the instance that ends here: what is to be told.
  struct Untold {
    double between, inside;
  };
  [[gnu::always_inline]] Untold end(int64_t ahead, uint64_t counter) {
    const int64_t before = told, from = beginning();
    const int64_t now =
        std::max(begun, static_cast<int64_t>(counter) - std::max<int64_t>(0, ahead));
    told = now;
    instance = nullptr;
    return {static_cast<double>(from - before), static_cast<double>(now - from)};
  }
  /// Up to where the code before the instance that runs is told. The counter may stand behind where the stretch began,
  /// as the call before it has charged what was ahead.
  int64_t beginning() const { return std::max(begun, at); }
};

inline gnomon_burst CountedStretch::longWay{};

inline constinit thread_local CountedStretch countedStretch [[gnu::tls_model("initial-exec")]];

} // namespace gnomon::process
