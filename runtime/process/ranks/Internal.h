// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the files of rooms process and libc share among themselves. Not for other rooms.
#pragma once

#include "process/image/Image.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/LibcState.h"
#include "process/ranks/World.h"
#include "support/Write.h"

#include <atomic>
#include <deque>
#include <string_view>

namespace gnomon::process {

/// The simulation's own state beside the World. One per process.
struct Simulation {
  Simulation(World parts, Settings given, OutputSink *output)
      : world(std::move(parts)), settings(std::move(given)), sink(output) {}

  World world;
  Settings settings;
  OutputSink *sink;
  std::unique_ptr<Skipping> skipping; ///< null: every computation is executed
  Images images;
  Outcome outcome;
  bool ended = false;                       ///< the ranks are over; the engine may be gone
  bool codeKnown = false;                   ///< outcome.exitCode is decided
  std::vector<gnomon_module *> swapModules; ///< those with a gn_swap section
  size_t swapBytes = 0;                     ///< of all modules' gn_swap sections together
  std::unique_ptr<char[]> swapImage;
  bool swapsStreams = false;
  bool swapsOpenMp = false;
  bool swapsMore = false;       ///< any of these: LibcState takes part in a switch
  Rank *active = nullptr;       ///< whose state is in place
  int64_t epochNanoseconds = 0; ///< real time of day at the start
  uint32_t pidBase = 0;
  Swapped initial; ///< the process's own values
  std::deque<App> apps;
  std::deque<Job> jobs;
  std::array<StreamState, 4> initialStreams;
};

/// Null before createWorld and in unit tests of upper rooms.
Simulation *simulation();

/// Whether this thread plays the simulation. Other threads never are a rank.
bool onSimulationThread();
/// After fork in the child: libc's functions are libc's again.
void leaveSimulation();

/// Runs the constructors of modules that \p rank has not constructed yet.
void runConstructors(Rank &rank);

// Jobs.cpp
/// The first job's ranks, by Settings::hosts and Settings::companions.
void makeFirstJob(Simulation &simulation);
/// A rank's argv, which it may change: MPI_Init and getopt permute it, strtok cuts its strings.
struct Arguments {
  int count;
  char **vector;
};
Arguments argumentsOf(Rank &rank);
/// Whether rank number \p rank has a copy of \p module's globals.
bool runsModule(const gnomon_module &module, uint32_t rank);
/// What a rank's fiber runs.
void rankEntry(void *rank);
/// All of this process may have many files open, as many as processes of their own could.
void raiseFileLimit();

// SwitchHook.cpp
void installSwitchHook(kernel::Engine &engine);
/// Takes from the process what every rank begins with.
void captureInitialState(Simulation &simulation);
/// A module was loaded while the simulation runs: its gn_swap section takes part in switches.
void addSwap(Simulation &simulation, gnomon_module &module);
/// From now on there are several ranks: all that is a rank's own is changed over at a switch.
void swapForSeveral(Simulation &simulation);
/// Initial state of C++'s streams, once installStreams has given them their buffers.
void captureInitialStreams(Simulation &simulation);
/// Puts the process's own state back after the ranks have ended.
void restoreInitialState(Simulation &simulation);

// Streams.cpp: C's and C++'s standard streams as the ranks see them.
void installStreams(Simulation &simulation);
/// The standard streams that a new rank begins with.
void giveStreams(Rank &rank);
void uninstallStreams(Simulation &simulation);
/// The FILE that all ranks share as stdout; null when the streams are the process's own.
extern FILE *sharedOutput;
extern FILE *sharedError;
/// Hands what waits in the shared stdout's buffer to \p rank's lines.
void drainShared(Rank &rank);
/// \p descriptor is 1 or 2.
void appendOutput(Rank &rank, int descriptor, std::string_view text);
/// LibcState::redirected of a descriptor that is as it was at the start.
inline constexpr int NotRedirected = -1;
/// LibcState::redirected of a descriptor that dup2 made a copy of the simulated descriptor \p
/// standard.
inline constexpr int aliasOf(int standard) { return -10 - standard; }
/// Emits what is left of unfinished lines.
void flushLines(Rank &rank);
/// Whether the rank's descriptor \p descriptor (0 to 2) is the simulated one rather than redirected
/// or real.
bool captured(const Rank &rank, int descriptor);

// Directory handling, SwitchHook.cpp.
/// Makes \p rank's directory the process's.
void selectDirectory(const Rank &rank);
/// Must be called before the first chdir of any rank: keeps the way back.
void keepInitialDirectory();
/// After a real chdir by \p rank: remembers it as the rank's own.
void rememberDirectory(Rank &rank);
/// The directory \p path, for Swapped::directory of another rank. Throws InputError when it is
/// none.
int openDirectory(const std::string &path);

// Crash.cpp
void installCrashHandlers();
/// The rank's own action for \p signal.
const struct sigaction *rankAction(const Rank &rank, int signal);
/// Delivers \p signal to \p rank now: its handler, or the signal's default action.
void deliverSignal(Rank &rank, int signal);
/// "at 1.25 s, rank 3" or the like, for messages.
std::string whereNow();

/// Prints where \p rank is and why the run ends, and ends it with \p code. In a signal handler.
[[noreturn]] void stopInHandler(const std::string &reason, int code, void *context);

// Watchdog.cpp
void startWatchdog();
void stopWatchdog();
/// Counts calls of the runtime; the watchdog watches it stand still.
extern std::atomic<uint64_t> heartbeat;
/// The rank whose own code runs; -1: the runtime. Written by enterRuntime and leaveRuntime, read by
/// the watchdog.
extern std::atomic<int64_t> computingRank;
/// SIGUSR1 came: the next call of the runtime prints the state.
extern std::atomic<bool> stateWanted;
void printState();

/// Ends the process at once with \p code: no handlers, no buffers, by system call.
[[noreturn]] void leaveProcess(int code);
/// Ends the simulation from anywhere, a signal handler included: output so far, launch's finisher,
/// exit.
[[noreturn]] void endAtOnce(Outcome::Kind kind, int code);

} // namespace gnomon::process
