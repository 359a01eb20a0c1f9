// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The steps of Main.cpp that turn options into the parts of a simulation. Each throws InputError
/// on bad input.
#pragma once

#include "io/Runtime.h"
#include "kernel/Engine.h"
#include "launch/EarlierRuns.h"
#include "launch/Options.h"
#include "models/Parameters.h"
#include "models/Registry.h"
#include "models/collectives/CurveFile.h"
#include "mpi/RankState.h"
#include "platform/HostFile.h"
#include "platform/Platform.h"
#include "process/ranks/World.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::launch {

/// The platform asked for, or the default one with a host per rank.
platform::Platform loadPlatform(const Options &options);
/// The host of each rank: by the host file, by --host, or in the platform's order.
platform::Placement placeRanks(const Options &options, const platform::Platform &platform);

/// `--network`, `<config>` and `--set`, each setting for the room that it is for.
struct Overrides {
  models::NetworkEntry network;
  std::vector<models::Setting> modelSettings;
  /// `smpi/allreduce=rdb`: the collective, the algorithm, where it was said.
  struct Collective {
    std::string name, algorithm, origin;
  };
  std::vector<Collective> collectives;
  std::string collSelector; ///< `--coll-selector`, or what settings say in its place
  mpi::Settings mpi;        ///< its checks are those of `--check`
};
Overrides splitSettings(const Options &options, const platform::Platform &platform);

std::unique_ptr<models::NetworkModel> makeNetwork(const Overrides &overrides,
                                                  kernel::Engine &engine,
                                                  const platform::Platform &platform,
                                                  const models::Parameters &parameters);
std::unique_ptr<models::ProtocolCosts> makeProtocol(const Overrides &overrides,
                                                    const models::Parameters &parameters);

/// Says whether large blocks of the program get huge pages. Throws InputError for another value
/// than auto, yes or no.
void chooseHugePages(const Options &options);
/// --merge-pages: the ranks' memory is laid out so that equal pages are found.
void prepareMerging(const Options &options);
kernel::StackOptions stackOptions(const Options &options);
/// Stacks, and how the copies of globals lie. Where what programs compute is measured, they lie alike on
/// all ranks, if these are few: what a core makes of two addresses, the same code on two ranks
/// feels alike (docs/adr/0030).
kernel::StackOptions layOutRanks(const Options &options, const models::Parameters &parameters);
/// The program's, as main has them.
struct Arguments {
  int count;
  char **values, **environment;
};
/// Everything about ranks.
process::Settings processSettings(const Options &options, const models::Parameters &parameters,
                                  const platform::Platform &platform, platform::Placement placement,
                                  const Arguments &arguments,
                                  std::vector<process::burst::EarlierRate> earlier);
/// `--pages`: whether they are charged at what they take at best.
bool steadyPages(const Options &options);
/// `--speed`: whether computations are charged what they take on a core at its best.
bool steadySpeed(const Options &options);
/// `--equal-work`: whether the same work costs all ranks the same.
bool steadyEqualWork(const Options &options);
/// Names the program's build, and that of its companions.
uint64_t programNumber(const Options &options, const Arguments &arguments);
/// What earlier runs of the same program say of it; nothing where they are not asked, or computation is not measured.
std::optional<EarlierRuns> earlierRuns(const Options &options, const models::Parameters &parameters,
                                       const Arguments &arguments, size_t ranks);
/// --compute's value, unless it stands at its default and SMPI's key speaks. Throws InputError for
/// another mode than those that are.
process::ComputeMode computeMode(const Options &options, const models::Parameters &parameters);
/// Throws InputError when the ranks cannot all be there; tells on stderr when they may run out of
/// memory.
void checkMemory(const Options &options);
/// `--io` and `--io-servers`.
io::Settings ioSettings(const Options &options, const platform::Platform &platform);
/// The hosts on which ranks are placed in turn: those of the host file, or else each of the
/// platform's once.
std::vector<platform::HostIndex> slotsOf(const Options &options,
                                         const platform::Platform &platform);
/// MPI_UNIVERSE_SIZE: how many ranks have a slot of their own, at least those that there are.
int universeSize(const Options &options, const process::Settings &settings);
/// Whether MPI has a collective of this name (`allreduce`) with algorithms to choose from.
bool isCollective(std::string_view name);
void chooseCollectives(const Options &options, const Overrides &overrides);
/// Shows the tools interface MPI_T how the run was set up: categories `simulation` and
/// `collectives`. Called between mpi::setUp and the ranks' start.
void showToTools(const Options &options, const Overrides &overrides);
/// `--coll-model`, or nothing.
std::unique_ptr<models::CurveFile> readCurves(const Options &options);
/// Collectives that are timed as wholes: by \p curves (may be null), then by what \p network knows.
void timeCollectives(models::CurveFile *curves, models::NetworkModel &network);
/// Tells on stderr what the user should know though the input was accepted.
void printNotes(const Options &options, const platform::Platform &platform,
                const platform::Placement &placement, const models::Parameters &parameters);

} // namespace gnomon::launch
