// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CoreChoice.h"

#include "process/image/Real.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <optional>
#include <sched.h>

namespace gnomon::process {

CoreChoice::Core &CoreChoice::core(uint32_t number) {
  if (seen_.size() <= number)
    seen_.resize(number + 1);
  return seen_[number];
}

void CoreChoice::arrive(double wall) {
  arrivedAt_ = wall;
  threadThen_ = cores_.thread();
}

bool CoreChoice::looked(double slowness) {
  constexpr double Weight = 1.0 / 16;
  const double wall = cores_.wall();
  const uint32_t here = cores_.current();
  Core &now = core(here);
  const bool fresh = now.seenAt < 0 || wall - now.seenAt > Memory;
  now.slowness = fresh ? slowness : now.slowness + Weight * (slowness - now.slowness);
  now.seenAt = wall;
  // The kernel may have moved it meanwhile.
  if (arrivedAt_ < 0 || here != last_) {
    last_ = here;
    arrive(wall);
  }
  if (now.slowness <= Slow) {
    patience_ = Patience;
    return false;
  }
  return wall - arrivedAt_ >= patience_ && leaves(wall);
}

/// The best of the others, if it is thought better than this one.
bool CoreChoice::leaves(double wall) {
  Core &now = core(last_);
  const double share = (cores_.thread() - threadThen_) / (wall - arrivedAt_);
  if (share < BusyShare)
    now.busyUntil = wall + Memory;
  std::optional<uint32_t> best;
  const auto expected = [&](uint32_t number) {
    const Core &other = core(number);
    return other.seenAt < 0 || wall - other.seenAt > Memory ? 1.0 : other.slowness;
  };
  for (uint32_t number : cores_.allowed())
    if (number != last_ && core(number).busyUntil <= wall &&
        expected(number) < core(last_).slowness - (Slow - 1) / 2 &&
        (!best || expected(number) < expected(*best)))
      best = number;
  patience_ = std::min(2 * patience_, MostPatience);
  if (best) {
    cores_.move(*best);
    last_ = cores_.current();
  }
  arrive(cores_.wall());
  return best.has_value();
}

namespace {

cpu_set_t allowedSet() {
  cpu_set_t set;
  CPU_ZERO(&set);
  GNOMON_REAL(sched_getaffinity)(0, sizeof set, &set);
  return set;
}

std::vector<uint32_t> allowedCores() {
  const cpu_set_t set = allowedSet();
  std::vector<uint32_t> cores;
  for (uint32_t i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set))
      cores.push_back(i);
  return cores;
}

/// Bound to it for a moment only.
void moveTo(uint32_t core) {
  const cpu_set_t before = allowedSet();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  if (GNOMON_REAL(sched_setaffinity)(0, sizeof one, &one) == 0)
    GNOMON_REAL(sched_setaffinity)(0, sizeof before, &before);
}

uint32_t currentCore() { return static_cast<uint32_t>(std::max(sched_getcpu(), 0)); }

} // namespace

Cores machineCores() { return {currentCore, allowedCores, moveTo, threadCpuSeconds, wallSeconds}; }

} // namespace gnomon::process
