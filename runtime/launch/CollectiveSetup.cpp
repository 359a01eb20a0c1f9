// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which algorithm each collective runs, and which are timed as wholes.
#include "coll/Nodes.h"
#include "coll/Selection.h"
#include "coll/Timed.h"
#include "launch/Setup.h"
#include "mpi/comm/Comm.h"
#include "process/ranks/World.h"
#include "support/Error.h"
#include "support/Names.h"

#include <algorithm>

namespace gnomon::launch {

bool isCollective(std::string_view name) {
  std::vector<coll::Known> known = coll::knownAlgorithms();
  return std::any_of(known.begin(), known.end(),
                     [&](const coll::Known &k) { return k.collective == name; });
}

void chooseCollectives(const Options &options, const Overrides &overrides) {
  coll::select(overrides.collSelector);
  coll::setPlaceFinder(
      [](const mpi::Comm &comm, int rank) {
        return static_cast<uint64_t>(process::world().ranks[comm.process(rank)]->host);
      },
      [](const mpi::Comm &comm) { return uint64_t{comm.id()}; });
  for (const Overrides::Collective &choice : overrides.collectives)
    coll::force(choice.name, choice.algorithm, choice.origin);
  for (const std::string &choice : options.coll)
    coll::force(choice);
}

std::unique_ptr<models::CurveFile> readCurves(const Options &options) {
  const std::string &path = options.collModel;
  if (path.empty())
    return nullptr;
  auto curves = std::make_unique<models::CurveFile>(models::CurveFile::read(path));
  std::vector<std::string> names;
  for (const coll::Known &known : coll::knownAlgorithms())
    names.push_back(known.collective);
  for (const models::CurveFile::Curve &curve : curves->curves())
    if (!isCollective(curve.collective))
      throw InputError(path, curve.line,
                       "unknown collective '" + curve.collective + "'" +
                           didYouMean(curve.collective,
                                      std::vector<std::string_view>(names.begin(), names.end())));
  return curves;
}

void timeCollectives(models::CurveFile *curves, models::NetworkModel &network) {
  models::CollectiveTimes *times = network.collectives();
  if (curves) {
    curves->setOthers(times);
    times = curves;
  }
  coll::useTimes(times);
}

} // namespace gnomon::launch
