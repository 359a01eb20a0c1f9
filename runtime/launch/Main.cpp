// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a program's main becomes: the whole simulation, step by step. Read this first.
#include "api/CommTrace.h"
#include "api/RecordPolls.h"
#include "api/Recorder.h"
#include "coll/Selection.h"
#include "gnomon/Module.h"
#include "io/Runtime.h"
#include "kernel/Engine.h"
#include "launch/KnownCores.h"
#include "launch/Learning.h"
#include "launch/Options.h"
#include "launch/Outputs.h"
#include "launch/Report.h"
#include "launch/Setup.h"
#include "launch/Tracing.h"
#include "models/CpuModel.h"
#include "models/DiskModel.h"
#include "mpi/RankState.h"
#include "process/burst/Report.h"
#include "process/image/Real.h"
#include "process/merge/Merging.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/EqualWork.h"
#include "process/ranks/PageCost.h"
#include "process/ranks/SwitchHook.h"
#include "process/ranks/World.h"
#include "support/Error.h"

#include <cstdlib>
#include <optional>
#include <string>

namespace gnomon::launch {
namespace {

/// What outlives the machine that is not there: what is said about the run is said at the very end.
struct Products {
  std::unique_ptr<process::OutputSink> output;
  Outputs outputs;
  std::optional<api::CommTrace> trace;
  std::optional<api::RecordPolls> polls;
  std::optional<api::Recorder> recorder;
};

/// What \p step gives. Where the ranks cannot be made or run as a whole (no room for their stacks), nothing
/// is in a state to be left in order: then the process ends.
template <class Step> decltype(auto) orEnd(Step step) {
  try {
    return step();
  } catch (const InputError &error) {
    process::printError("gnomon: error: " + std::string(error.what()) + "\n");
    GNOMON_REAL(_Exit)(static_cast<int>(ExitCode::BadInput));
    __builtin_unreachable();
  }
}

/// For later runs: what this one has found of the cores, and what it took. \p program: its number.
void remember(const std::optional<EarlierRuns> &earlier, uint64_t program) {
  // A run of a moment has seen too little of the cores.
  constexpr uint64_t EnoughLooks = 100;
  const process::CoreSpeed::Figures cores = process::coreFigures();
  if (cores.looks >= EnoughLooks)
    noteCores(cores, process::pageFigures().bestSeconds, program);
  if (earlier)
    earlier->note(process::equalWorkFound(), process::burst::foundRates());
}

/// Makes the machine and plays the program on it. Both are gone when it returns.
Ending play(const Options &options, int argc, char **argv, char **envp, Products &products) {
  // The machine that is not there, and where each rank lives on it.
  platform::Platform platform = loadPlatform(options);
  platform::Placement placement = placeRanks(options, platform);
  // The network model and the models' parameters: the platform file's, then the command line's.
  Overrides overrides = splitSettings(options, platform);
  models::Parameters parameters = overrides.network.parameters(overrides.modelSettings);
  printNotes(options, platform, placement, parameters);

  // Time and control flow, then the models that make time pass.
  kernel::Engine engine(layOutRanks(options, parameters));
  std::unique_ptr<models::NetworkModel> network =
      makeNetwork(overrides, engine, platform, parameters);
  std::unique_ptr<models::ProtocolCosts> protocol = makeProtocol(overrides, parameters);
  models::CpuModel compute(engine, platform, parameters.slowness);
  network->onFailure(reportFailure);
  compute.onFailure(reportFailure);
  chooseCollectives(options, overrides);
  watchCollectives(options);
  std::unique_ptr<models::CurveFile> curves = readCurves(options);
  timeCollectives(curves.get(), *network);

  // Files and the disks that they lie on.
  io::Settings files = ioSettings(options, platform);
  models::DiskModel disks(engine, platform, parameters.disk);

  // The ranks: their globals, their libc, their MPI.
  const Arguments arguments{argc, argv, envp};
  const std::optional<EarlierRuns> earlier =
      earlierRuns(options, parameters, arguments, placement.hostOfRank.size());
  EarlierRuns::Expectations expected =
      earlier ? earlier->expectations() : EarlierRuns::Expectations();
  process::Settings settings = processSettings(options, parameters, platform, std::move(placement),
                                               arguments, std::move(expected.rates));
  const bool pagesAreSteady = steadyPages(options);
  const bool looksAtCores =
      steadySpeed(options) && settings.compute == process::ComputeMode::Measured;
  const uint64_t program = looksAtCores ? programNumber(options, arguments) : 0;
  const bool equalWorkIsSteady = steadyEqualWork(options);
  products.output = makeOutput(options, engine);
  products.outputs = openOutputs(options, platform, settings.hosts.size());
  process::World &world = orEnd([&]() -> process::World & {
    return process::createWorld(engine, platform, *network, *protocol, compute, std::move(settings),
                                products.output.get());
  });
  if (!options.replayed.empty())
    process::keepProgramVariables();
  if (pagesAreSteady)
    process::keepPagesSteady(knownPageSeconds());
  if (looksAtCores)
    process::keepSpeedSteady(knownCores(program));
  if (equalWorkIsSteady)
    process::keepEqualWorkSteady(expected.works);
  if (options.mergePages)
    process::merge::start();
  overrides.mpi.universeSize = universeSize(options, process::settings());
  mpi::setUp(world, overrides.mpi);
  io::setUp(world, disks, std::move(files));
  showToTools(options, overrides);
  if (products.outputs.commTrace)
    products.trace.emplace(*products.outputs.commTrace);
  if (products.outputs.trace)
    products.recorder.emplace(products.polls.emplace(*products.outputs.trace));
  api::CallLine::lookWhoListens(); // decisions may

  // Run.
  startReporting(options, world, products.outputs);
  limitSimulatedTime(options, engine);
  return orEnd([&] {
    const Ending ending = conclude(process::runRanks(world));
    if (ending.outcome.kind == process::Outcome::Kind::Finished)
      remember(earlier, program);
    return ending;
  });
}

/// \p replayed: the trace that is played in place of the program; empty: none.
int simulate(int argc, char **argv, char **envp, const char *replayed) {
  // What the user asked for; nothing when the program was started by its own name.
  Options options = Options::fromEnvironment();
  options.replayed = replayed;
  if (options.launched)
    occupyStandardStreams();
  // N one-rank simulations under a real mpirun are never what was meant.
  process::refuseRealLauncher();
  chooseHugePages(options);
  prepareMerging(options);
  checkMemory(options);
  // The records that ranks play in place of a program; null: they have one.
  const std::unique_ptr<replay::Replay> replay = openReplay(options);
  // Whether it records decisions, or is given those of an earlier run.
  chooseLearning(options, argc, argv);

  // Play, then say what happened: a heap that a rank has damaged shows when the machine's memory is
  // given back, before the run is called a success.
  Products products;
  const Ending ending = play(options, argc, argv, envp, products);
  return report(ending);
}

} // namespace
} // namespace gnomon::launch

namespace {

int start(int argc, char **argv, char **envp, const char *replayed) {
  try {
    return gnomon::launch::simulate(argc, argv, envp, replayed);
  } catch (const gnomon::InputError &error) {
    gnomon::process::printError("gnomon: error: " + std::string(error.what()) + "\n");
    return static_cast<int>(gnomon::ExitCode::BadInput);
  }
}

} // namespace

extern "C" __attribute__((visibility("default"))) int gnomon_start(gnomon_module *, int argc,
                                                                   char **argv, char **envp) {
  return start(argc, argv, envp, "");
}

/// What the program libexec/gnomon/gnomon-replay does: plays the trace argv[1].
extern "C" __attribute__((visibility("default"))) int gnomon_replay(gnomon_module *player, int argc,
                                                                    char **argv, char **envp) {
  gnomon::launch::registerPlayer(*player);
  return start(argc, argv, envp, argc > 1 ? argv[1] : "");
}
