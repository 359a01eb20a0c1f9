// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What changes over when another rank runs: the modules' deltas, and the variables that compiled
/// code or libc read by name. No system call, unless ranks have gone to different directories. (The
/// floating-point control words are part of a fiber's saved registers: Boost.Context stores them.)
#include "process/ranks/SwitchHook.h"

#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/ranks/Crash.h"
#include "process/ranks/OpenMp.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Streams.h"
#include "process/ranks/Threads.h"
#include "support/Error.h"
#include "support/Prefetch.h"

#include <cerrno>
#include <cstring>
#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <getopt.h>
#include <iostream>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

/// Layout of the C++ ABI's __cxa_eh_globals (Itanium C++ ABI: exception handling, 2.2.2).
struct ExceptionGlobals {
  void *caught;
  unsigned uncaught;
};

ExceptionGlobals *exceptionGlobals() {
  return reinterpret_cast<ExceptionGlobals *>(abi::__cxa_get_globals());
}

// Addresses of the thread's own variables, looked up once: the simulation runs on one thread.
int *errnoAddress = nullptr;
ExceptionGlobals *exceptions = nullptr;

TurnHook turnHook = nullptr;

/// Whether the ranks run a program that may read the variables of Swapped.
bool ranksRunProgram = true;

/// Directory that the process is in: a rank's descriptor, or -1 for the initial one.
int processDirectory = -1;
int initialDirectory = -1;

void saveVariables(Swapped &to) {
  to.errnoValue = *errnoAddress;
  to.optind = optind;
  to.opterr = opterr;
  to.optopt = optopt;
  to.optarg = optarg;
  to.environment = environ;
  to.standardInput = stdin;
  to.standardOutput = stdout;
  to.standardError = stderr;
  to.caughtExceptions = exceptions->caught;
  to.uncaughtExceptions = exceptions->uncaught;
}

void restoreVariables(const Swapped &from) {
  *errnoAddress = from.errnoValue;
  optind = from.optind;
  opterr = from.opterr;
  optopt = from.optopt;
  optarg = from.optarg;
  environ = from.environment;
  stdin = from.standardInput;
  stdout = from.standardOutput;
  stderr = from.standardError;
  exceptions->caught = from.caughtExceptions;
  exceptions->uncaught = from.uncaughtExceptions;
}

void saveStream(const std::ios &stream, StreamState &to) {
  to = {stream.flags(),      stream.width(), stream.precision(), stream.rdstate(),
        stream.exceptions(), stream.fill(),  stream.rdbuf()};
}

void restoreStream(std::ios &stream, const StreamState &from) {
  stream.flags(from.flags);
  stream.width(from.width);
  stream.precision(from.precision);
  stream.fill(from.fill);
  // Setting the state of a stream whose exceptions are on would throw: off first, on last, both
  // quietly.
  if (stream.exceptions() != std::ios_base::goodbit)
    stream.exceptions(std::ios_base::goodbit);
  if (stream.rdbuf() != from.buffer)
    stream.rdbuf(from.buffer);
  if (stream.rdstate() != from.state)
    stream.clear(from.state);
  if (from.exceptions != std::ios_base::goodbit) {
    try {
      stream.exceptions(from.exceptions);
    } catch (const std::ios_base::failure &) {
      // The rank has seen this failure already.
    }
  }
}

void saveStreams(std::array<StreamState, 4> &to) {
  saveStream(std::cin, to[0]);
  saveStream(std::cout, to[1]);
  saveStream(std::cerr, to[2]);
  saveStream(std::clog, to[3]);
}

void restoreStreams(const std::array<StreamState, 4> &from) {
  restoreStream(std::cin, from[0]);
  restoreStream(std::cout, from[1]);
  restoreStream(std::cerr, from[2]);
  restoreStream(std::clog, from[3]);
}

template <class T> void exchange(T &variable, T &out, const T &in) {
  out = variable;
  variable = in;
}

/// saveVariables and restoreVariables in one: most of what a switch takes.
void exchangeVariables(Swapped &out, const Swapped &in) {
  exchange(*errnoAddress, out.errnoValue, in.errnoValue);
  exchange(optind, out.optind, in.optind);
  exchange(opterr, out.opterr, in.opterr);
  exchange(optopt, out.optopt, in.optopt);
  exchange(optarg, out.optarg, in.optarg);
  exchange(environ, out.environment, in.environment);
  exchange(stdin, out.standardInput, in.standardInput);
  exchange(stdout, out.standardOutput, in.standardOutput);
  exchange(stderr, out.standardError, in.standardError);
  exchange(exceptions->caught, out.caughtExceptions, in.caughtExceptions);
  exchange(exceptions->uncaught, out.uncaughtExceptions, in.uncaughtExceptions);
}

/// What only some programs have: Simulation::swapsMore.
[[gnu::noinline]] void saveMore(Simulation &simulation, Rank &rank) {
  LibcState &libc = *rank.libc;
  if (simulation.swapsStreams) {
    if (!libc.streams)
      libc.streams = std::make_unique<std::array<StreamState, 4>>();
    saveStreams(*libc.streams);
  }
  if (simulation.swapsOpenMp)
    libc.region = leaveRegion();
  if (turnHook)
    turnHook(rank);
}

[[gnu::noinline]] void restoreMore(Simulation &simulation, Rank &rank) {
  LibcState &libc = *rank.libc;
  if (libc.region) [[unlikely]]
    enterRegion(std::move(libc.region));
  if (simulation.swapsStreams)
    restoreStreams(libc.streams ? *libc.streams : simulation.initialStreams);
}

/// What is \p rank's own takes the place of what is the active rank's.
void changeOver(Simulation &simulation, Rank &rank) {
  if (Rank *active = simulation.active) [[likely]] {
    drainShared(*active);
    if (simulation.swapsSections)
      simulation.swap.save(active->swap);
    if (simulation.swapsMore)
      saveMore(simulation, *active);
    if (ranksRunProgram)
      exchangeVariables(active->swapped, rank.swapped);
  } else {
    restoreVariables(rank.swapped);
  }
  simulation.active = rankInPlace = &rank;
  // What its next MPI call reads first, on its way while the rank's state is put in place.
  fetchToRead(rank.mpi, 2);
  // And its first hook, of a burst that is skipped.
  constexpr size_t BurstLines = 5;
  if (const burst::RankState *bursts = rank.burst.bursts())
    fetchToWrite(bursts, BurstLines);
  simulation.images.select(rank.number);
  // Before anybody has gone to another directory, the rank's is not looked at.
  if (initialDirectory >= 0 && rank.swapped.directory != processDirectory) [[unlikely]]
    selectDirectory(rank);
  if (simulation.swapsSections)
    simulation.swap.place(rank.swap);
  if (simulation.swapsMore)
    restoreMore(simulation, rank);
}

/// Where the kernel could give a stack no guard, an overflow does not fault: it writes to the page
/// below, which nobody else uses and whose end is zero until then.
[[gnu::noinline]] void checkUnguarded(const kernel::Fiber &fiber) {
  constexpr size_t Words = 8;
  const auto *low = reinterpret_cast<const uint64_t *>(fiber.stack().low);
  for (size_t i = 1; low && i <= Words; ++i)
    if (low[-static_cast<ptrdiff_t>(i)] != 0)
      reportOverflow(*static_cast<const Rank *>(fiber.owner), fiber);
}

void onSwitch(kernel::Fiber *previous, kernel::Fiber *next) {
  if (previous && previous->owner && !previous->stack().guarded) [[unlikely]]
    checkUnguarded(*previous);
  Simulation &running = *simulation();
  auto *rank = static_cast<Rank *>(next->owner);
  if (!rank)
    return;
  if (rank != running.active)
    changeOver(running, *rank);
  if (rank->threads) [[unlikely]]
    selectThread(*rank, *next);
}

} // namespace

void installSwitchHook(kernel::Engine &engine) {
  errnoAddress = &errno;
  exceptions = exceptionGlobals();
  engine.setSwitchHook(onSwitch);
}

void setTurnHook(TurnHook hook) {
  turnHook = hook;
  if (simulation()->world.ranks.size() > 1)
    swapForSeveral(*simulation());
}

void keepProgramVariables() { ranksRunProgram = false; }

void captureInitialState(Simulation &simulation) {
  errnoAddress = &errno;
  exceptions = exceptionGlobals();
  saveVariables(simulation.initial);
  for (const gnomon_module *module : modules())
    simulation.swap.add(*module);
}

void addSwap(Simulation &simulation, const gnomon_module &module) {
  simulation.swap.add(module);
  if (simulation.world.ranks.size() > 1)
    swapForSeveral(simulation);
}

void swapForSeveral(Simulation &simulation) {
  simulation.swapsSections = simulation.swap.any();
  simulation.swapsStreams = anyModuleHas(GNOMON_MODULE_CXX_STREAMS);
  simulation.swapsOpenMp = usesOpenMp();
  simulation.swapsMore = simulation.swapsStreams || simulation.swapsOpenMp || turnHook;
}

void captureInitialStreams(Simulation &simulation) { saveStreams(simulation.initialStreams); }

void restoreInitialState(Simulation &simulation) {
  if (Rank *active = simulation.active) {
    drainShared(*active);
    saveVariables(active->swapped);
    if (simulation.swapsSections)
      simulation.swap.save(active->swap);
    if (simulation.swapsMore)
      saveMore(simulation, *active);
  }
  simulation.active = rankInPlace = nullptr;
  simulation.images.deselect();
  restoreVariables(simulation.initial);
  if (simulation.swapsStreams)
    restoreStreams(simulation.initialStreams);
  if (processDirectory != -1 && initialDirectory >= 0 && GNOMON_REAL(fchdir)(initialDirectory) == 0)
    processDirectory = -1;
}

void selectDirectory(const Rank &rank) {
  int wanted = rank.swapped.directory;
  int saved = errno;
  if (GNOMON_REAL(fchdir)(wanted >= 0 ? wanted : initialDirectory) == 0)
    processDirectory = wanted;
  else
    printError(
        fmt::format("gnomon: cannot go back to the current directory of rank {}\n", rank.number));
  errno = saved;
}

static int descriptorOf(const char *path) {
  // One descriptor per directory, however many ranks went there.
  static auto &known = *new std::map<std::pair<dev_t, ino_t>, int>;
  struct stat status{};
  if (stat(path, &status) != 0)
    return -1;
  auto [entry, isNew] = known.try_emplace({status.st_dev, status.st_ino}, -1);
  if (isNew || entry->second < 0)
    entry->second = GNOMON_REAL(open)(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return entry->second;
}

void rememberDirectory(Rank &rank) {
  rank.swapped.directory = processDirectory = descriptorOf(".");
}

int openDirectory(const std::string &path) {
  keepInitialDirectory();
  int descriptor = descriptorOf(path.c_str());
  if (descriptor < 0 || faccessat(descriptor, ".", X_OK, 0) != 0)
    throw InputError("", 0, "cannot start in '" + path + "': " + std::strerror(errno));
  return descriptor;
}

void keepInitialDirectory() {
  if (initialDirectory < 0)
    initialDirectory = GNOMON_REAL(open)(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

} // namespace gnomon::process
