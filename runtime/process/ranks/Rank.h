// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank: a fiber, its copy of the globals, its clock, its libc state, and the MPI state that
/// upper rooms hang on it. The World is all ranks of the simulation.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "platform/Platform.h"
#include "process/image/SwapSections.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/Swapped.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::mpi {
class RankState; // room mpi: handle tables, attributes, buffered-send space…
}

namespace gnomon::process {

struct App;       // process/ranks/Job.h: the program that a rank runs
struct Job;       // process/ranks/Job.h: the ranks that started together
struct Threads;   // process/ranks/Threads.h: a rank that has started threads
struct LibcState; // process/ranks/LibcState.h: getopt, rand, strtok, environment, signals, atexit

/// The MPI call that a rank is in: what deadlock and crash reports print. Set by the API layer on
/// entry.
struct CallSite {
  const char *function = nullptr;      ///< "MPI_Recv"; null outside MPI
  const void *returnAddress = nullptr; ///< in the user's code; symbolised only for reports
};

/// Polls of a thread that found nothing while nothing else happened (mpi/request/Polling.h).
struct IdlePolls {
  uint64_t count = 0;
  uint64_t progress = 0; ///< of the simulation meanwhile
  SimTime first, last;
};

/// Ordered by use: what every MPI call and every switch touches fills the first cache lines.
/// A rank lies at the upper end of its fiber's stack, with what upper rooms keep of it (Fiber::keep).
class alignas(64) Rank {
public:
  ~Rank();
  /// With a fiber that is not started yet. Throws InputError when there is no room for its stack.
  static kernel::InPlace<Rank> make(kernel::Engine &engine);

  uint32_t number = 0; ///< counts all ranks of the simulation; of the first job: in MPI_COMM_WORLD
  platform::HostIndex host = 0;
  kernel::Fiber *fiber = nullptr;
  mpi::RankState *mpi = nullptr; ///< made and ended by room mpi
  CallSite call;
  /// Written by whoever parks the rank: "MPI_Recv from rank 3, tag 7, MPI_COMM_WORLD". Called for
  /// reports only.
  std::string (*describeWait)(const Rank &rank, const void *what) = nullptr;
  const void *waitsFor = nullptr;
  /// Appends the ranks any of which could end the wait: for finding cycles. May be null.
  void (*listAwaited)(const Rank &rank, const void *what, std::vector<uint32_t> &awaited) = nullptr;

  BurstClock burst;
  bool alarmPending = false; ///< a SIGALRM waits for the rank to call the runtime
  bool finished = false;
  uint32_t modulesConstructed = 0;  ///< modules whose constructors have run
  std::unique_ptr<Threads> threads; ///< null: one thread, as most ranks have
  Swapped swapped;
  SwapDifferences swap; ///< of the modules' gn_swap sections

  int exitCode = 0;
  SimTime finishedAt;

  /// Set by room mpi while the rank is between MPI_Init and MPI_Finalize: gives the exit code of a
  /// rank that ends like that, having printed why.
  int (*endedInsideMpi)(Rank &rank, int code) = nullptr;

  IdlePolls idlePolls; ///< behind what each switch touches
  kernel::InPlace<LibcState> libc;
  const App *app = nullptr;
  const Job *job = nullptr;

private:
  Rank();
  friend class kernel::Fiber;
};

/// Everything that one simulation is made of; built by launch, one per process.
struct World {
  kernel::Engine &engine;
  const platform::Platform &platform;
  models::NetworkModel &network;
  models::ProtocolCosts &protocol;
  models::ComputeModel &compute;
  std::vector<kernel::InPlace<Rank>> ranks;
};

/// The running simulation. Valid from launch's start to its end.
World &world();
/// The rank whose code runs now; null on the scheduler's stack and before the start.
Rank *currentRank();
/// For who is called by a rank's code, and wants to know fast by which: the rank whose globals are in
/// place. Null before there is one, in unit tests without a switch hook, and on all threads but the
/// simulation's.
inline constinit thread_local Rank *rankInPlace [[gnu::tls_model("initial-exec")]] = nullptr;

/// The user's code stops running on this rank / runs again: the CPU burst between two calls becomes
/// simulated time. Nested pairs are counted; only the outermost counts. `leave` may park the rank.
void enterRuntime(Rank &rank);
void leaveRuntime(Rank &rank);

/// Ends the calling rank with \p code (exit, STOP, return from main). Runs its exit handlers and
/// destructors.
[[noreturn]] void exitRank(int code, bool runHandlers);

/// Ends the whole simulation with \p code (MPI_Abort, fatal MPI error), after printing \p message
/// to stderr.
[[noreturn]] void abortWorld(int code, const std::string &message);
/// The same, with a message that takes a while to compose (lines of source code): no limit of wall
/// time ends the run with another message meanwhile.
[[noreturn]] void abortWorld(int code, const std::function<std::string()> &compose);

} // namespace gnomon::process
