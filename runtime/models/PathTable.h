// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a message between two hosts meets: the links it crosses, and latency, penalty and bound of
/// the flow model (FlowModel.h has the equations). A route that has no links but a distance
/// (Vivaldi coordinates) has no uses either.
///
/// Hosts of a flat cluster have their routes in closed form (StarRoutes.h). For all others there is
/// a direct-mapped table with 16 bytes for a pair of hosts and, apart, a cache line for the links.
/// What neither holds are the figures that many pairs have in common (their *kind*): on a regular
/// machine there is a handful. Pairs that are equally far apart in the numbering of hosts stand
/// side by side, so that a step of a regular pattern walks through the table in order. The table
/// grows while pairs compete for places, up to a limit; a pair that lost its place is looked up in
/// the platform again.
#pragma once

#include "models/Parameters.h"
#include "models/StarRoutes.h"
#include "platform/Platform.h"
#include "solver/MaxMin.h"
#include "support/Hash.h"
#include "support/Prefetch.h"

#include <array>
#include <span>
#include <vector>

namespace gnomon::models {

class PathTable {
public:
  /// What routes have in common but for which links they cross.
  struct Kind {
    double latencySeconds = 0; ///< sum over the links
    double penalty = 1;
    double bound = 0;            ///< bytes/s: what a flow alone on the route gets
    double clippedBound = 0;     ///< the bound, no more than each use can give (solver/MaxMin.h)
    double leastBandwidth = 0;   ///< of the links; the bound without the TCP window's
    std::vector<double> weights; ///< of the uses
    std::vector<uint8_t> weightNumbers;
    bool operator==(const Kind &) const = default;
  };
  struct Path {
    platform::HostIndex source = UINT32_MAX;
    platform::HostIndex destination = UINT32_MAX;
    uint32_t kind = 0;
    uint32_t longRoute = UINT32_MAX; ///< in longRoutes_, when the uses do not fit into links_
  };

  /// \p loopback is the constraint of hosts that the platform gives no route to themselves; link l
  /// of the platform is constraint l. \p weights: of the solver that gets the uses.
  PathTable(const platform::Platform &platform, const Parameters &parameters,
            solver::ConstraintIndex loopback, solver::Weights &weights);

  /// From here on bandwidths and latencies are those of \p links, which may change (then
  /// forgetAll()).
  void takeFiguresFrom(std::span<const platform::Link> links) {
    figures_ = links;
    nominal_ = false;
    stars_.forgetAll(); // the figures of alike hosts need not stay equal
  }
  void forgetAll();

  /// Valid until the next call of find().
  const Path &find(platform::HostIndex source, platform::HostIndex destination) {
    if (uint32_t group = stars_.groupOf(source, destination); group != StarRoutes::None)
      return starPath(group, source, destination);
    Path &path = paths_[place(source, destination)];
    return path.source == source && path.destination == destination ? path
                                                                    : miss(source, destination);
  }
  /// The same, for a pair that is likely to be the last one found.
  const Path &findAgain(platform::HostIndex source, platform::HostIndex destination) {
    if (starPath_.source == source && starPath_.destination == destination &&
        starPath_.kind != NoKind) [[likely]]
      return starPath_;
    return find(source, destination);
  }
  const Kind &kind(const Path &path) const { return kinds_[path.kind]; }
  /// The uses of \p path; valid until the next call of usages() or find().
  std::span<const solver::Usage> usages(const Path &path) {
    return &path == &starPath_ ? starUsages(starGroup_, path.source, path.destination)
                               : tableUsages(path);
  }
  /// Whether starUses() has the uses of \p path, which find() has just given: cheaper than usages().
  bool isOfStar(const Path &path) const { return &path == &starPath_; }
  StarRoutes::Uses starUses() const {
    return stars_.uses(starGroup_, starPath_.source, starPath_.destination);
  }
  /// The uses of a pair, if they need not be computed; otherwise none. Valid as usages() is.
  std::span<const solver::Usage> usagesAtHand(platform::HostIndex source,
                                              platform::HostIndex destination);
  /// Whether all hosts are of one flat cluster behind a link that flows share: each route between two
  /// of them crosses it, and else links that are the two hosts' own or limit nobody.
  bool shareOneLink() const {
    return stars_.coversAll() && stars_.groups() == 1 && stars_.hasCommonLink(0);
  }
  const StarRoutes &stars() const { return stars_; }
  /// Asks the processor for the links of a pair that will be wanted soon.
  void prefetch(platform::HostIndex source, platform::HostIndex destination) const {
    if (stars_.coversAll()) {
      stars_.prefetch(source);
      stars_.prefetch(destination);
    } else {
      fetchToRead(&links_[place(source, destination)]);
    }
  }

private:
  struct alignas(64) Links {
    std::array<solver::ConstraintIndex, 16> constraints;
  };

  size_t place(platform::HostIndex source, platform::HostIndex destination) const;
  const Path &miss(platform::HostIndex source, platform::HostIndex destination);
  const Path &starPath(uint32_t group, platform::HostIndex source,
                       platform::HostIndex destination) {
    starPath_.source = source;
    starPath_.destination = destination;
    starPath_.kind = starKinds_[group];
    starGroup_ = group;
    return starPath_.kind != NoKind ? starPath_ : learn(group);
  }
  std::span<const solver::Usage> starUsages(uint32_t group, platform::HostIndex source,
                                            platform::HostIndex destination) {
    const StarRoutes::Uses uses = stars_.uses(group, source, destination);
    for (size_t i = 0; i < uses.size(); ++i)
      starUsages_[i] = uses[i];
    return {starUsages_.data(), uses.size()};
  }
  std::span<const solver::Usage> tableUsages(const Path &path);
  const Path &learn(uint32_t group);
  void grow();
  void forgetRoute(Path &path);
  void compute(const Path &path);
  void loopbackRoute();
  void linkRoute(const Path &path);
  void addUsage(solver::ConstraintIndex link, double weight);
  void store(Path &path);
  uint32_t kindNumber();

  const platform::Platform &platform_;
  const Parameters &parameters_;
  solver::ConstraintIndex loopback_;
  solver::Weights &weights_;
  std::span<const platform::Link> figures_;
  bool nominal_ = true; ///< whether those are the platform's own

  static constexpr uint32_t NoKind = UINT32_MAX;
  StarRoutes stars_;
  Path starPath_;                   ///< the last one found; without a kind: none
  uint32_t starGroup_ = 0;          ///< its hosts'
  std::vector<uint32_t> starKinds_; ///< by group
  std::array<solver::Usage, StarRoutes::MostUses> starUsages_;

  std::vector<Path> paths_;
  std::vector<Links> links_; ///< of the paths with the same indices
  uint64_t conflicts_ = 0;
  std::vector<Kind> kinds_;
  std::array<uint32_t, 64> recentKinds_{}; ///< the kind last found for a hash of its figures
  std::vector<std::vector<solver::ConstraintIndex>> longRoutes_;
  std::vector<uint32_t> freeLongRoutes_;

  platform::Route route_; ///< the rest: what compute() works with
  Kind kind_;
  std::vector<solver::Usage> usages_;
};

inline size_t PathTable::place(platform::HostIndex source, platform::HostIndex destination) const {
  uint64_t block = spread(uint64_t{destination} - source) >> 32; // by the distance
  return (source + block) & (paths_.size() - 1);
}

} // namespace gnomon::models
