// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The hook of loops that wait for what another thread or rank writes (gnomon/Hooks.def). Polling.h
/// says what a turn costs.
#include "mpi/request/Polling.h"

#include "process/ranks/Threads.h"

#include <algorithm>
#include <cmath>

namespace gnomon::mpi {

double spinSeconds(uint64_t turns, bool grows) {
  constexpr double Least = 1e-7, Most = 1e-4, Share = 64;
  if (!grows || static_cast<double>(turns) < Share)
    return Least;
  // Once Least × Share has gone by, each turn takes 1 / Share of what has gone by so far.
  const double exponent = std::min(static_cast<double>(turns) - Share, 1e6);
  return std::min(Most, Least * std::pow(1 + 1 / Share, exponent));
}

namespace {

void spin(process::Rank &rank, uint64_t turns) {
  // Threads of the process's own work in real time: what they write is waited for as it comes.
  static const bool isReal = process::hasForeignThreads();
  RankState &own = state(rank);
  own.runtime.world.engine.sleep(spinSeconds(turns, !isReal && own.runtime.settings.spinsGrow()));
  if (turns == 0)
    pollSucceeded(own); // the loop before has ended, or it is the first
  else if (!isReal)
    noteFailedPolls(own, 1);
}

} // namespace
} // namespace gnomon::mpi

extern "C" __attribute__((visibility("default"))) void gnomon_spin(uint64_t turns) {
  using namespace gnomon;
  process::Rank *rank = process::currentRank();
  // Neither a thread of the process's own nor code that the runtime calls.
  if (!rank || !rank->mpi || !rank->burst.inProgram())
    return;
  const process::CallSite outer = rank->call;
  if (!outer.function)
    rank->call = {"a loop that reads memory", __builtin_return_address(0)};
  process::enterRuntime(*rank);
  mpi::spin(*rank, turns);
  rank->call = outer;
  process::leaveRuntime(*rank);
}
