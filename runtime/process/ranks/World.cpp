// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Life of the ranks: made, started on their fibers, ended one by one or all at once.
#include "process/ranks/World.h"

#include "process/image/Modules.h"
#include "process/image/Programs.h"
#include "process/image/Real.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Crash.h"
#include "process/ranks/Descriptors.h"
#include "process/ranks/Jobs.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/StatusLine.h"
#include "process/ranks/Streams.h"
#include "process/ranks/SwitchHook.h"
#include "process/ranks/Threads.h"
#include "process/ranks/VolumeSink.h"
#include "process/ranks/Watchdog.h"
#include "support/Check.h"
#include "support/Error.h"
#include "support/Write.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <immintrin.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace gnomon::process {

Rank::Rank() = default;
Rank::~Rank() = default;

kernel::InPlace<Rank> Rank::make(kernel::Engine &engine) {
  kernel::Fiber &fiber = engine.makeFiber(nullptr);
  kernel::InPlace<Rank> rank = fiber.keep<Rank>();
  fiber.owner = rank.get();
  rank->fiber = &fiber;
  return rank;
}

namespace {

Simulation *running = nullptr;
World *theWorld = nullptr; ///< running->world, or a unit test's
Finisher finisher = nullptr;

__attribute__((tls_model("initial-exec"))) thread_local bool simulationThread = false;

void runHandler(const ExitHandler &handler, int code) {
  switch (handler.kind) {
  case ExitHandler::Kind::Plain:
    return handler.function();
  case ExitHandler::Kind::WithArgument:
    return reinterpret_cast<void (*)(void *)>(handler.function)(handler.argument);
  case ExitHandler::Kind::OnExit:
    return reinterpret_cast<void (*)(int, void *)>(handler.function)(code, handler.argument);
  }
}

/// A handler may register another, or call exit again: what is left then runs from there.
void runHandlers(std::vector<ExitHandler> &handlers, int code) {
  while (!handlers.empty()) {
    ExitHandler handler = handlers.back();
    handlers.pop_back();
    runHandler(handler, code);
  }
}

void runDestructors(Rank &rank) {
  const std::vector<gnomon_module *> &all = modules();
  while (rank.modulesConstructed > 0) {
    gnomon_module &module = *all[--rank.modulesConstructed];
    const Arguments arguments = argumentsOf(rank);
    for (uint64_t i = 0; belongsTo(module, rank.app->program) && i < module.destructor_count; ++i)
      module.destructors[i].function(arguments.count, arguments.vector, environ);
  }
}

void noteCode(int code) {
  if (code != 0 && !running->codeKnown) {
    running->outcome.exitCode = code;
    running->codeKnown = true;
  }
}

int64_t realTimeOfDay() {
  timespec now{};
  GNOMON_REAL(clock_gettime)(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Of the rank that runs, which may be ahead of the engine.
SimTime dateNow() {
  Rank *rank = currentRank();
  const SimTime now = running->world.engine.now();
  return rank && rank->burst.runs() ? std::max(now, dateOf(*rank)) : now;
}

/// Said once, at the start: what an overflow looks like in this run.
void noteUnguardedStacks(const World &world) {
  const auto unguarded =
      std::count_if(world.ranks.begin(), world.ranks.end(),
                    [](const auto &rank) { return !rank->fiber->stack().guarded; });
  if (unguarded > 0 && !running->settings.quiet)
    printError(fmt::format(
        "gnomon: note: the stacks of {} of {} ranks have no guard: a Linux before 6.13 allows a "
        "process only so many mappings (sysctl vm.max_map_count); an overflow of theirs is seen at "
        "the rank's next switch, after it has written below its stack\n",
        unguarded, world.ranks.size()));
}

SimTime latestEnd(const World &world) {
  SimTime latest;
  for (const auto &rank : world.ranks)
    latest = std::max(latest, rank->finishedAt);
  return latest;
}

} // namespace

Simulation *simulation() { return running; }
bool onSimulationThread() { return simulationThread; }
const Settings &settings() { return running->settings; }
InputFiles *inputFiles() { return running ? running->settings.inputs.get() : nullptr; }
OutputSink *outputSink() { return running ? running->sink : nullptr; }

World &world() {
  CHECK(theWorld, "a running simulation");
  return *theWorld;
}

Rank *currentRank() {
  if (!simulationThread || !theWorld)
    return nullptr;
  kernel::Fiber *fiber = theWorld->engine.current();
  return fiber ? static_cast<Rank *>(fiber->owner) : nullptr;
}

void setWorldForTest(World *world) {
  theWorld = world;
  simulationThread = world != nullptr;
}

void setFinisher(Finisher function) { finisher = function; }

/// A module was registered while the simulation runs (dlopen): it gets its copies now.
static void moduleLoaded(gnomon_module &module) {
  addSwap(*running, module);
  running->images.add(module, runsModule);
  if (running->skipping)
    running->skipping->moduleLoaded(module);
  if (Rank *rank = currentRank()) {
    running->images.select(rank->number);
    runConstructors(*rank);
  }
}

World &createWorld(kernel::Engine &engine, const platform::Platform &platform,
                   models::NetworkModel &network, models::ProtocolCosts &protocol,
                   models::ComputeModel &compute, Settings settings, OutputSink *sink) {
  CHECK(!running, "one world at a time");
  CHECK(!settings.hosts.empty(), "at least one rank");
  for (const JobPart &part : settings.companions)
    loadProgram(part.program); // so that all modules are there
  running =
      new Simulation({engine, platform, network, protocol, compute, {}}, std::move(settings), sink);
  theWorld = &running->world;
  simulationThread = true;
  computationHasCost = running->settings.compute != ComputeMode::None;
  volumesAreCounted = running->settings.compute == ComputeMode::Counted;
  setModuleListener(moduleLoaded);
  if (running->settings.launched)
    GNOMON_REAL(unsetenv)("GNOMON_RUN");
  running->epochNanoseconds = realTimeOfDay();
  auto own = static_cast<uint32_t>(syscall(SYS_getpid));
  running->pidBase = running->settings.pidBase ? running->settings.pidBase : own;
  captureInitialState(*running);
  makeFirstJob(*running);
  installStreams(*running);
  captureInitialStreams(*running);
  installSwitchHook(engine);
  installCrashHandlers();
  if (const SkippingMaker &make = running->settings.skipping)
    running->skipping = make(running->world, running->settings);
  return running->world;
}

void destroyWorld() {
  stopWatchdog();
  if (running) {
    running->skipping.reset();
    restoreInitialState(*running);
    uninstallStreams(*running);
  }
  setModuleListener(nullptr);
  delete running;
  running = nullptr;
  computationHasCost = volumesAreCounted = false;
  theWorld = nullptr;
  simulationThread = false;
}

void leaveSimulation() {
  simulationThread = false;
  rankInPlace = nullptr;
}

Outcome runRanks(World &world) {
  CHECK(mainModule(), "a program whose main was registered");
  startWatchdog();
  watchMemory(true);
  for (auto &rank : world.ranks)
    start(*running, *rank);
  noteUnguardedStacks(world);
  do
    world.engine.run();
  while (running->outcome.kind == Outcome::Kind::Finished && waitForDescriptors());
  stopWatchdog();
  watchMemory(false);
  if (running->active)
    drainShared(*running->active);
  for (auto &rank : world.ranks)
    flushLines(*rank);
  Outcome &outcome = running->outcome;
  bool allEnded = std::all_of(world.ranks.begin(), world.ranks.end(),
                              [](auto &rank) { return rank->finished; });
  if (outcome.kind == Outcome::Kind::Finished && !allEnded)
    outcome.kind = Outcome::Kind::Deadlock;
  // The rank that ended the others may have been ahead of the engine.
  outcome.endedAt = allEnded ? latestEnd(world) : std::max(outcome.endedAt, world.engine.now());
  restoreInitialState(*running);
  uninstallStreams(*running);
  if (running->sink)
    running->sink->flushAll();
  // What the process does from here on is its own: its exit, its libraries' destructors.
  running->sink = nullptr;
  running->ended = true;
  simulationThread = false;
  return outcome;
}

void runConstructors(Rank &rank) {
  // A thread that was left over when its rank ended.
  if (rank.finished)
    world().engine.exitCurrent();
  while (rank.modulesConstructed < modules().size()) {
    gnomon_module &module = *modules()[rank.modulesConstructed++];
    const Arguments arguments = argumentsOf(rank);
    for (uint64_t i = 0; belongsTo(module, rank.app->program) && i < module.constructor_count; ++i)
      module.constructors[i].function(arguments.count, arguments.vector, environ);
  }
}

void exitRank(int code, bool handlers) {
  Rank *rank = currentRank();
  CHECK(rank, "exit of a rank on its fiber");
  LibcState &libc = *rank->libc;
  if (handlers) {
    if (ExitHandlers *registered = libc.handlers.ifMade()) {
      runHandlers(registered->ofThread, code);
      runHandlers(registered->atExit, code);
    }
    runDestructors(*rank);
  }
  if (stdout && stdout != sharedOutput)
    fflush(stdout); // reopened by this rank, or the process's own
  enterRuntime(*rank);
  drainShared(*rank);
  code &= 0xff; // what a parent process would see
  if (rank->endedInsideMpi)
    code = rank->endedInsideMpi(*rank, code);
  flushLines(*rank);
  rank->exitCode = code;
  rank->finished = true;
  rank->modulesConstructed = 0; // its other threads come to runConstructors, and end there
  rank->finishedAt = world().engine.now();
  if (running->skipping)
    running->skipping->rankEnded(*rank);
  noteCode(code);
  world().engine.exitCurrent();
}

void abortWorld(int code, const std::string &message) {
  abortWorld(code, [&] { return message; });
}

void abortWorld(int code, const std::function<std::string()> &compose) {
  beginEnding(code);
  const SimTime date = running ? dateNow() : SimTime{}; // not the time that a report takes
  const std::string message = compose();
  Rank *rank = currentRank();
  if (rank && rank->libc)
    drainShared(*rank);
  if (!message.empty())
    printError(message.back() == '\n' ? message : message + "\n");
  // A turn is on another's stack, and cannot be left any more than an event.
  if (!running || !rank || world().engine.current()->hasTurn())
    endAtOnce(Outcome::Kind::Aborted, code);
  running->outcome.kind = Outcome::Kind::Aborted;
  running->outcome.exitCode = code & 0xff;
  running->outcome.endedAt = date;
  running->codeKnown = true;
  world().engine.stop();
  world().engine.exitCurrent();
}

void endAtOnce(Outcome::Kind kind, int code) {
  static bool ending = false;
  if (running && !ending && (finisher || !running->ended)) {
    ending = true;
    running->outcome.kind = kind;
    running->outcome.exitCode = code;
    if (!running->ended)
      running->outcome.endedAt = dateNow();
    if (running->sink) {
      for (auto &rank : running->world.ranks)
        flushLines(*rank);
      running->sink->flushAll();
    }
    if (finisher)
      finisher(running->outcome);
  }
  leaveProcess(code);
}

void leaveProcess(int code) {
  endHelper();
  for (;;)
    syscall(SYS_exit_group, code);
}

static std::atomic<bool> statusIsShown{false}; ///< others than the simulation's thread report, too
static constexpr std::string_view EmptyLine = "\r\033[K";

void showStatus(std::string_view line) {
  if (statusIsShown.exchange(!line.empty()) || !line.empty())
    writeFully(STDERR_FILENO, std::string(EmptyLine).append(line));
}

void printError(std::string_view text) {
  showStatus({});
  if (running && running->sink)
    running->sink->flushDue();
  writeFully(STDERR_FILENO, text);
}

} // namespace gnomon::process
