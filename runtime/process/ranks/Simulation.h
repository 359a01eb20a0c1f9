// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The running simulation as rooms ranks and libc know it: what belongs to it beside the World that
/// upper rooms see. Implemented in World.cpp. Not for other rooms.
#pragma once

#include "process/image/Image.h"
#include "process/image/Modules.h"
#include "process/image/SwapSections.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/EqualWork.h"
#include "process/ranks/LibcState.h"
#include "process/ranks/PageCost.h"
#include "process/ranks/World.h"
#include "process/ranks/WrittenFiles.h"

#include <array>
#include <deque>
#include <memory>
#include <vector>

namespace gnomon::process {

/// The simulation's own state beside the World. One per process.
struct Simulation {
  Simulation(World parts, Settings given, OutputSink *output)
      : world(std::move(parts)), settings(std::move(given)), sink(output) {}

  World world;
  Settings settings;
  OutputSink *sink;
  std::unique_ptr<Skipping> skipping; ///< null: every computation is executed
  PageCost pages;
  CoreSpeed cores;
  EqualWork equalWork;
  WrittenFiles files; ///< used where checksFiles() says so
  Images images;
  Outcome outcome;
  bool ended = false;     ///< the ranks are over; the engine may be gone
  bool codeKnown = false; ///< outcome.exitCode is decided
  SwapSections swap;
  bool swapsSections = false; ///< there are any, and several ranks
  bool swapsStreams = false;
  bool swapsOpenMp = false;
  bool swapsMore = false;       ///< one of the two, or a hook: LibcState takes part in a switch
  Rank *active = nullptr;       ///< whose state is in place
  int64_t epochNanoseconds = 0; ///< real time of day at the start
  uint32_t pidBase = 0;
  Swapped initial; ///< the process's own values
  std::deque<App> apps;
  std::deque<Job> jobs;
  std::array<StreamState, 4> initialStreams;

  /// Whether something may be skipped that rests on written files not being read.
  bool checksFiles() const {
    return skipping && skipping->skips() && anyModuleHas(modulesThatCheckFiles());
  }
  /// As flags of modules, of which one is enough.
  uint32_t modulesThatCheckFiles() const {
    return GNOMON_MODULE_CHECKS_FILES |
           (skipping->isGivenDecisions() ? GNOMON_MODULE_CHECKS_FILES_GIVEN : 0);
  }
};

/// Null before createWorld and in unit tests of upper rooms.
Simulation *simulation();

/// Whether this thread plays the simulation. Other threads never are a rank.
bool onSimulationThread();
/// After fork in the child: libc's functions are libc's again.
void leaveSimulation();

/// Runs the constructors of modules that \p rank has not constructed yet: it has constructed fewer
/// than are loaded (modulesLoaded) at its start, and when another rank has loaded a library.
void runConstructors(Rank &rank);

/// Ends the process at once with \p code: no handlers, no buffers, by system call.
[[noreturn]] void leaveProcess(int code);
/// Ends the simulation from anywhere, a signal handler included: output so far, launch's finisher,
/// exit.
[[noreturn]] void endAtOnce(Outcome::Kind kind, int code);

} // namespace gnomon::process
