// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extrapolation/Extrapolate.h"

#include "extrapolation/Growth.h"
#include "extrapolation/Loops.h"
#include "extrapolation/Trial.h"
#include "patterns/GridPattern.h"
#include "patterns/TreePattern.h"
#include "support/Error.h"
#include "trace/TraceWriter.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace gnomon::extrapolation {

using patterns::balancedGrid;
using patterns::GridPattern;
using patterns::gridsOf;
using patterns::Irregular;
using patterns::MostDimensions;
using patterns::Pattern;
using patterns::Place;
using patterns::Point;
using patterns::Recording;
using patterns::TreePattern;
using patterns::Walker;
namespace {

/// Two turns of something are no loop worth a doubt.
constexpr uint64_t LeastTurns = 3;

/// A pattern to be tried, and the grid that it becomes. Nothing: it is to be said.
struct Candidate {
  std::unique_ptr<Pattern> pattern;
  std::optional<Grid> to;
  uint32_t reach = 0; ///< in what was recorded
};

/// Extents of a balanced grid in the order of another's: the larger where the other's is larger.
std::optional<Grid> grown(const Grid &from, uint32_t ranks) {
  const auto order = [&](const Grid &balanced) {
    std::vector<std::pair<int64_t, size_t>> dimensions; // the largest first
    for (size_t d = 0; d < from.dimensions(); ++d)
      dimensions.emplace_back(-int64_t{from.extent(d)}, d);
    std::sort(dimensions.begin(), dimensions.end());
    std::vector<uint32_t> extents(from.dimensions());
    for (size_t i = 0; i < extents.size(); ++i)
      extents[dimensions[i].second] = balanced.extent(i);
    return Grid(std::move(extents));
  };
  if (!(order(balancedGrid(from.ranks(), from.dimensions())) == from))
    return std::nullopt;
  Grid to = order(balancedGrid(ranks, from.dimensions()));
  for (size_t d = 0; d < from.dimensions(); ++d)
    if (to.extent(d) < from.extent(d))
      return std::nullopt;
  return to;
}

/// The extents of the first MPI_Cart_create of all ranks; nothing where there is none.
std::optional<Grid> cartesianGrid(const Recording &recording) {
  const std::vector<trace::Function> &functions = recording.source.functions();
  if (std::none_of(functions.begin(), functions.end(),
                   [](const trace::Function &of) { return of.name == "MPI_Cart_create"; }))
    return std::nullopt;
  for (Walker walker(recording, 0); walker.next();) {
    if (walker.view().name() != "MPI_Cart_create")
      continue;
    const std::span<const int64_t> dims = walker.view().list("dims");
    uint64_t ranks = 1;
    std::vector<uint32_t> extents;
    for (const int64_t extent : dims) {
      if (extent < 1 || extent > int64_t{trace::MostRanks} || dims.size() > MostDimensions)
        return std::nullopt;
      extents.push_back(static_cast<uint32_t>(extent));
      ranks = std::min<uint64_t>(ranks * static_cast<uint64_t>(extent), UINT32_MAX);
    }
    if (!extents.empty() && ranks == recording.source.facts().ranks)
      return Grid(std::move(extents));
  }
  return std::nullopt;
}

class Search {
public:
  Search(const Recording &recording, const Request &request)
      : recording_(recording), request_(request),
        reach_(request.check ? GridPattern::Reach::Any : GridPattern::Reach::Next) {
    if (request.check)
      check_.emplace(*request.check, request.checkPath);
  }

  /// The simplest pattern that fits. Throws InputError: there is none, or another one fits as well.
  Candidate find() {
    const std::optional<Grid> given = request_.from ? request_.from : cartesianGrid(recording_);
    if (given) {
      tryGrid(*given);
    } else {
      tryGrid(Grid({ranks()}));
      tryTrees();
      if (fitting_.empty() && !check_)
        tryLoosely(Grid({ranks()}));
      for (size_t dimensions = 2; dimensions <= 3; ++dimensions)
        if (!isCertain() && (!request_.to || request_.to->dimensions() == dimensions))
          for (const Grid &grid : gridsOf(ranks(), dimensions))
            tryGrid(grid);
    }
    return chosen();
  }

private:
  uint32_t ranks() const { return recording_.source.facts().ranks; }

  /// Nearest neighbours are no coincidence: other grids need not be tried.
  bool isCertain() const { return !fitting_.empty() && fitting_.front().reach <= 1; }

  Candidate chosen() {
    if (fitting_.empty())
      refuse();
    if (fitting_.size() > 1 && fitting_.front().reach > 1)
      throw InputError(recording_.path, 0,
                       fmt::format("{} fits what was recorded, and {} as well: say by '--grid "
                                   "FROM:TO' which it is",
                                   fitting_[0].pattern->text(), fitting_[1].pattern->text()));
    if (!loose_.empty())
      throw InputError(
          recording_.path, 0,
          fmt::format("{} fits what was recorded, and so does {} whose ranks talk over "
                      "longer distances: say by '--grid FROM:TO' which it is, or give a "
                      "second size by '--check'",
                      fitting_[0].pattern->text(), loose_));
    Candidate first = std::move(fitting_.front());
    if (!first.to)
      throw InputError(
          recording_.path, 0,
          fmt::format("{} fits what was recorded, but what it becomes with {} ranks "
                      "is not known: say it by '--grid', such as '--grid {}:{}'",
                      first.pattern->text(), request_.ranks, first.pattern->recorded().text(),
                      balancedGrid(request_.ranks, first.pattern->recorded().dimensions()).text()));
    if (!check_)
      refuseLoops(first.pattern->recorded());
    return first;
  }

  /// Loops with as many turns as there are ranks, in all or in a dimension, or one less.
  void refuseLoops(const Grid &grid) const {
    Turns turns{{ranks(), ranks() - 1}, {ranks(), ranks() - 1}};
    for (const uint32_t extent : grid.extents())
      turns.ofMessages.insert({extent, extent - 1});
    for (std::set<uint64_t> *of : {&turns.ofMessages, &turns.ofCollectives})
      of->erase(of->begin(), of->lower_bound(LeastTurns));
    Point between{};
    for (size_t d = 0; d < grid.dimensions(); ++d)
      between[d] = grid.extent(d) > 1 ? 1 : 0;
    for (const uint32_t rank : {uint32_t{0}, grid.rank(between)})
      if (const std::optional<Loop> loop = suspiciousLoop(recording_, rank, turns))
        throw InputError(
            recording_.path, 0,
            fmt::format("rank {}, record {}: here ends a loop of {} turns, on {} ranks (a grid of "
                        "{}): whether it goes with their number, one size cannot tell. Record "
                        "another number of ranks, or give a second size by '--check'",
                        rank, loop->place.record, loop->turns, ranks(), grid.text()));
  }

  [[noreturn]] void refuse() const {
    if (!failure_)
      throw InputError(
          recording_.path, 0,
          fmt::format("its ranks are no grid that can become {} ranks: say by '--grid "
                      "FROM:TO' which they are; no dimension may shrink",
                      request_.to ? request_.to->text() : std::to_string(request_.ranks)));
    throw InputError(recording_.path, 0,
                     fmt::format("no rule (ring, chain, grid, tree, collectives) gives what each "
                                 "rank does, so that it cannot be said what more ranks would do. "
                                 "The best one, {}, fails: {}",
                                 best_, failure_->text));
  }

  void tryGrid(const Grid &grid) {
    std::optional<Grid> to = request_.to;
    if (to && to->dimensions() != grid.dimensions())
      return;
    if (!to)
      to = grown(grid, request_.ranks);
    uint32_t grows = grid.all();
    for (size_t d = 0; to && d < grid.dimensions(); ++d) {
      if (to->extent(d) < grid.extent(d))
        return;
      if (to->extent(d) == grid.extent(d))
        grows &= ~(1U << d);
    }
    for (size_t d = 0; d < grid.dimensions(); ++d)
      if ((grows >> d & 1) != 0 && grid.extent(d) < 3)
        return keep({{},
                     0,
                     fmt::format("all {} ranks of a dimension are at an end of it: none is "
                                 "like those that would come between",
                                 grid.extent(d))},
                    fmt::format("a grid of {}", grid.text()));
    attempt({std::make_unique<GridPattern>(recording_, grid, grows, reach_), std::move(to), 0});
  }

  void tryTrees() {
    using Peers = TreePattern::Peers;
    using Ends = TreePattern::Ends;
    if (request_.to)
      return;
    if (std::has_single_bit(ranks()) && ranks() >= 8 && std::has_single_bit(request_.ranks))
      for (const auto peers : {Peers::Flipped, Peers::Shifted})
        for (const auto ends : {Ends::Level, Ends::Height})
          tryTree(peers, ends);
    if (ranks() >= 4)
      tryTree(Peers::Counted, Ends::Height);
  }

  void tryTree(TreePattern::Peers peers, TreePattern::Ends ends) {
    if (!fitting_.empty())
      return;
    try {
      attempt({std::make_unique<TreePattern>(recording_, peers, ends,
                                             check_ ? TreePattern::Trust::Any
                                                    : TreePattern::Trust::Usual),
               Grid({request_.ranks}), 0});
    } catch (const Irregular &irregular) {
      const Place place = irregular.place.value_or(Place());
      keep({place, 0,
            irregular.place
                ? fmt::format("rank {}, record {}: {}", place.rank, place.record, irregular.why)
                : irregular.why},
           "a tree, or an exchange of each with each");
    }
  }

  void attempt(Candidate candidate) {
    Verdict verdict = trial(*candidate.pattern, recording_, recording_,
                            candidate.pattern->recorded(), request_.trying);
    candidate.reach = verdict.reach;
    std::optional<Failure> failure = std::move(verdict.failure);
    if (!failure && check_) {
      failure = checkFails(*candidate.pattern);
      if (failure)
        failure->passed += UINT64_MAX / 2; // it has given all of the first recording
    }
    if (failure)
      keep(std::move(*failure), candidate.pattern->text());
    else
      fitting_.push_back(std::move(candidate));
  }

  /// A grid whose ranks talk over other distances than neighbours fits, too: 3 away on 12 ranks is the
  /// next one on a grid of 4x3, and as well 3 away.
  void tryLoosely(const Grid &grid) {
    const GridPattern pattern(recording_, grid, grid.all(), GridPattern::Reach::Any);
    if (loose_.empty() && !trial(pattern, recording_, recording_, grid, request_.trying).failure)
      loose_ = pattern.text();
  }

  /// The one that came furthest is told.
  void keep(Failure failure, std::string pattern) {
    if (failure_ && failure.passed <= failure_->passed)
      return;
    best_ = std::move(pattern);
    failure_ = std::move(failure);
  }

  /// The other recording may be any grid of as many dimensions.
  std::optional<Failure> checkFails(const Pattern &pattern) {
    const uint32_t other = check_->source.facts().ranks;
    std::vector<Grid> grids = pattern.recorded().dimensions() == 1
                                  ? std::vector{Grid({other})}
                                  : gridsOf(other, pattern.recorded().dimensions());
    std::erase_if(grids, [&](const Grid &grid) { return !pattern.isFor(grid); });
    std::optional<Failure> best;
    for (const Grid &grid : grids) {
      std::optional<Failure> failure =
          trial(pattern, recording_, *check_, grid, request_.trying).failure;
      if (!failure)
        return failure;
      if (!best || failure->passed > best->passed)
        best = std::move(failure);
    }
    if (best)
      best->text = fmt::format("in {}: {}", check_->path, best->text);
    else
      best = Failure{{}, 0, fmt::format("{} has not the ranks that it needs", check_->path)};
    return best;
  }

  const Recording &recording_;
  const Request &request_;
  const GridPattern::Reach reach_;
  std::optional<Recording> check_;
  std::vector<Candidate> fitting_;
  std::optional<Failure> failure_;
  std::string best_, loose_; ///< the pattern of failure_; one that one size cannot rule out
};

void checkRequest(const trace::Source &source, const std::string &path, const Request &request) {
  const auto refuse = [&](const std::string &why) { throw InputError(path, 0, why); };
  const uint32_t ranks = source.facts().ranks;
  if (!source.facts().complete)
    refuse("the recording ended before the program did: nothing can be said of more ranks");
  if (request.ranks <= ranks)
    refuse(fmt::format("it has {} ranks already: an extrapolation is to more", ranks));
  if (request.from && request.from->ranks() != ranks)
    refuse(fmt::format("--grid: {} are {} ranks, and the trace has {}", request.from->text(),
                       request.from->ranks(), ranks));
  if (request.to && request.to->ranks() != request.ranks)
    refuse(fmt::format("--grid: {} are {} ranks, and --ranks says {}", request.to->text(),
                       request.to->ranks(), request.ranks));
  if (request.check && (!request.check->facts().complete || request.check->facts().ranks < 2))
    refuse(fmt::format("--check: {}: the recording ended before the program did, or is of one rank",
                       request.checkPath));
  if (request.check && request.check->facts().ranks == ranks)
    refuse(fmt::format("--check: {} has as many ranks: a recording of another size is needed",
                       request.checkPath));
}

} // namespace

Result extrapolate(const trace::Source &source, const std::string &path, const Request &request,
                   const std::string &output, trace::Conversion &conversion) {
  checkRequest(source, path, request);
  const Recording recording(source, path);
  const Candidate found = Search(recording, request).find();
  trace::Facts facts = source.facts();
  facts.ranks = request.ranks;
  facts.origin = fmt::format("gnomon trace extrapolate from {} ranks ({})", source.facts().ranks,
                             source.facts().origin);
  trace::TraceWriter writer(output, request.ranks);
  Growth growth(recording, *found.pattern, *found.to, writer);
  for (uint32_t rank = 0; rank < request.ranks; ++rank) {
    try {
      growth.write(rank);
    } catch (const Irregular &irregular) {
      throw InputError(path, 0,
                       fmt::format("{} fits, but rank {} of {}: {}", found.pattern->text(), rank,
                                   request.ranks, irregular.why));
    }
    if (conversion.progress)
      conversion.progress(rank + 1, request.ranks);
  }
  growth.checkMessages();
  return {fmt::format("{}, which becomes {}", found.pattern->text(), found.to->text()),
          writer.finish(facts)};
}

} // namespace gnomon::extrapolation
