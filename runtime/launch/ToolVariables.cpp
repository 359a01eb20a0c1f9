// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What MPI_T shows of a run's set-up beside what room mpi knows.
#include "coll/Selection.h"
#include "launch/Setup.h"
#include "mpi/Tools.h"

namespace gnomon::launch {

namespace {

/// The algorithm that the platform file or the command line forces, the last one of them.
std::string forcedAlgorithm(const std::string &collective, const Options &options,
                            const Overrides &overrides) {
  std::string algorithm = "default";
  for (const Overrides::Collective &choice : overrides.collectives)
    if (choice.name == collective)
      algorithm = choice.algorithm;
  for (const std::string &choice : options.coll)
    if (choice.compare(0, choice.find(':'), collective) == 0)
      algorithm = choice.substr(choice.find(':') + 1);
  return algorithm;
}

} // namespace

void showToTools(const Options &options, const Overrides &overrides) {
  mpi::ToolVariables &variables = *mpi::runtime().toolVariables;
  const size_t simulation = variables.addCategory("simulation", "how the run was set up");
  variables.addControl({"network_model", "the network model's name", simulation,
                        std::string(overrides.network.name), nullptr});
  variables.addControl(
      {"compute", "what the time of computation is", simulation, options.compute, nullptr});
  const std::string &platform = options.platform;
  variables.addControl({"platform", "the simulated machine", simulation,
                        platform.empty() ? "default" : platform, nullptr});
  const size_t collectives =
      variables.addCategory("collectives", "which algorithms collectives run");
  for (const coll::Known &known : coll::knownAlgorithms())
    variables.addControl({"coll_" + known.collective, "the algorithm forced on this collective",
                          collectives, forcedAlgorithm(known.collective, options, overrides),
                          nullptr});
}

} // namespace gnomon::launch
