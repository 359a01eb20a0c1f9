// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a wave (Wave.h): it begins when the latencies of a batch end, and nobody else shares
/// links then. When the date is settled, its first flow stands for all: in the group of the link that
/// limits them, or with the date at which they ended the last time. When that one ends, all do. Where
/// another flow comes before, or something else is due with its end, its flows enter the solver one by
/// one (enterWave()), as if they had done so at the beginning: everything is then as it would be
/// without the wave, to the last bit.
///
/// Cost: O(1) for a flow, of which its own cache line is touched, and two counts or the pair of hosts
/// that is expected.
#include "models/FlowModel.h"

#include "support/Check.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <utility>

namespace gnomon::models {

using platform::HostIndex;

namespace {
/// A date and what is computed from it are off by less than this part of it.
constexpr double DateError = 1e-15;
} // namespace

/// Whether the batch of \p first becomes a wave, for one link limits all; if not, nothing has happened.
bool FlowModel::beginLimitedWave(FlowIndex first) {
  const Flow &flow = flows_[first];
  const size_t flows = batches_[flow.group].size() + 1;
  if (!solver_.mayPass(flows) || !isWave(first))
    return false;
  const PathTable::Kind &kind = paths_.kind(pathOf(first));
  const WaveLimit limit = limitOfWave(paths_.stars(), platform_.links(), kind, flows, crowd_);
  // To the solver the first of them is alone until others come: its end is armed, and moved when the
  // date is settled. The alarm must take the same places in the engine's order.
  const SimTime end = engine_.now() + flow.remainingBytes / (kind.clippedBound * flow.factor);
  if (limit.link == WaveLimit::None || !solver_.mayPass(limit.link, flows) || !isLater(end))
    return false;
  wave_ = {.first = first,
           .batch = std::exchange(flows_[first].group, None),
           .flows = flows,
           .since = engine_.now(),
           .event = dates_.push(end, first),
           .limit = limit};
  ++waves_;
  askToSettle();
  return true;
}

/// Whether the flows that paid their latencies with \p first are alike; counts them.
bool FlowModel::isWave(FlowIndex first) {
  const double bytes = flows_[first].remainingBytes;
  if (flows_[first].source == flows_[first].destination)
    return false;
  crowd_.begin(solver_.dissolved() + 1);
  crowd_.add(flows_[first].source, flows_[first].destination);
  for (const FlowIndex index : batches_[flows_[first].group]) {
    const Flow &flow = flows_[index];
    if ((flow.remainingBytes != bytes) | (flow.source == flow.destination))
      return false;
    crowd_.add(flow.source, flow.destination);
  }
  return true;
}

uint64_t FlowModel::keyOf(FlowIndex first, uint64_t follows) const {
  const std::vector<FlowIndex> &others = batches_[flows_[first].group];
  return KnownWaves::keyOf(follows, flows_[first].remainingBytes, others.size() + 1,
                           pairOf(flows_[first]), pairOf(flows_[others.back()]));
}

/// Whether the batch of \p first is \p known: the same flows in the same order.
bool FlowModel::isKnown(FlowIndex first, const KnownWave &known) const {
  const std::vector<FlowIndex> &others = batches_[flows_[first].group];
  if (known.state != KnownWave::State::Known || known.pairs.size() != others.size() + 1)
    return false;
  const double bytes = known.bytes;
  const HostPair *pair = known.pairs.data();
  uint64_t differs = (pairOf(flows_[first]) ^ *pair) | (flows_[first].remainingBytes != bytes);
  for (const FlowIndex index : others) {
    const Flow &flow = flows_[index];
    differs |= (pairOf(flow) ^ *++pair) | (flow.remainingBytes != bytes);
  }
  return differs == 0;
}

/// Whether the batch of \p first becomes a wave, for it went before; if not, nothing has happened. \p
/// follows: the number of the known wave that it follows, if not 0.
bool FlowModel::beginKnownWave(FlowIndex first, uint64_t follows) {
  if (follows == 0 && !solver_.isFresh())
    return false;
  KnownWave *const known = knownWaves_.find(keyOf(first, follows));
  if (!known || known->follows != follows || !isKnown(first, *known))
    return false;
  const SimTime begin = engine_.now(), end = begin + known->first, last = begin + known->last;
  // They must end with the first one, whatever rounding does to dates.
  const double precision = parameters_.timingPrecisionSeconds;
  if (!isLater(begin + known->armed) || !isLater(end) || last - end > precision / 2 ||
      last.seconds * DateError > precision / 2)
    return false;
  const bool settles = known->settles;
  wave_ = {.first = first,
           .batch = flows_[first].group,
           .flows = known->pairs.size(),
           .since = begin,
           .settled = !settles,
           .event = dates_.push(settles ? begin + known->armed : end, first),
           .known = known};
  ++waves_;
  if (settles)
    askToSettle();
  return true;
}

void FlowModel::settleWave() {
  wave_.settled = true;
  if (wave_.isLearned()) {
    solveShares(engine_.now());
    return noteEnds(*wave_.known);
  }
  dates_.cancel(wave_.event);
  if (wave_.known) {
    wave_.event = dates_.push(wave_.since + wave_.known->first, wave_.first);
    return;
  }
  wave_.event = 0;
  const Flow &flow = flows_[wave_.first];
  const double inversePenalty = 1 / paths_.kind(pathOf(wave_.first)).penalty;
  wave_.group = groups_.enter(wave_.first, wave_.limit.link, wave_.limit.level,
                              flow.remainingBytes / (inversePenalty * flow.factor), engine_.now());
}

/// The event of the wave has come, and nothing else is due.
void FlowModel::endWave(SimTime limit) {
  if (!wave_.known && !leaveLimit(limit))
    return;
  const Wave wave = std::exchange(wave_, {});
  if (wave.known)
    solver_.pass(wave.known->remains);
  requestSettle();
  endFlows(wave);
}

/// Tells of the ends of a wave's flows.
void FlowModel::endFlows(const Wave &wave) {
  ending_.swap(batches_[wave.batch]);
  freeBatch(wave.batch);
  end(wave.first)();
  const bool fetches = fetchesAhead(ending_.size());
  for (size_t i = 0; i < ending_.size(); ++i) {
    if (fetches)
      prefetchEnds(i, ending_.size(), [this](size_t at) { return uint64_t{ending_[at]}; });
    end(ending_[i])(); // may start transfers, which end nobody
  }
  if (ending_.size() > ManyAtOnce)
    std::vector<FlowIndex>().swap(ending_);
  ending_.clear();
}

/// Something is due beside \p first. Plays it, if it is the end of a known wave and the beginning of a
/// batch that follows it.
bool FlowModel::playSuccession(uint64_t first, SimTime limit) {
  if (!wave_.known || wave_.isLearned() || !wave_.settled)
    return false;
  // While there is a known wave, all other events are ends of latencies.
  const SimTime date = dates_.nextDate();
  const uint64_t second = dates_.pop();
  const auto next = static_cast<FlowIndex>(first == wave_.first ? second : first);
  if ((first == wave_.first || second == wave_.first) && mayFollow(next, limit)) {
    follow(next);
    return true;
  }
  const kernel::EventId event = dates_.push(date, second);
  if (second == wave_.first)
    wave_.event = event;
  return false;
}

/// Whether the batch of \p first is all that is due beside the wave, of which all flows end, and comes
/// after these in the order of what is due.
bool FlowModel::mayFollow(FlowIndex first, SimTime limit) const {
  if (flows_[first].group == None || settleRequested_ || groups_.changed() ||
      dates_.nextDate() < limit || dates_.nextDate() <= engine_.now())
    return false;
  const SimTime last = wave_.since + wave_.known->last;
  const uint32_t number = flows_[first].number;
  return last + last.seconds * DateError < limit &&
         flows_[wave_.first].number < flows_[batches_[wave_.batch].back()].number &&
         flows_[batches_[wave_.batch].back()].number < number &&
         number < flows_[batches_[flows_[first].group].back()].number;
}

/// The wave has ended, and the batch of \p first begins to share links.
void FlowModel::follow(FlowIndex first) {
  const Wave wave = std::exchange(wave_, {});
  const uint64_t number = wave.known->number;
  solver_.pass(wave.known->remains);
  requestSettle();
  if (!beginKnownWave(first, number)) {
    KnownWave *const lesson = lessonOf(first, number);
    joinAll(first);
    if (lesson)
      learnWave(*lesson);
  }
  endFlows(wave);
}

/// The flow that stands for all in the group of the link ends; whether it does.
bool FlowModel::leaveLimit(SimTime limit) {
  groups_.takeDue(wave_.group, limit, due_);
  if (due_.empty())
    return false; // rounding: a little is left
  due_.clear();
  if (!crowd_.allOwned())
    tellOwned(wave_);
  solver_.pass(wave_.limit.link, wave_.flows, wave_.limit.level);
  return true;
}

/// Tells the solver which links would belong to its component, in the order in which it would have
/// found them. From then on they do, so that the next waves of the same hosts tell nothing.
[[gnu::noinline]] void FlowModel::tellOwned(const Wave &wave) {
  const StarRoutes &stars = paths_.stars();
  const bool atOnce = !solver_.isUniform(wave.limit.link); // found when the last flow has come
  WaveDemands demands(stars, paths_.kind(pathOf(wave.first)).clippedBound);
  if (!atOnce)
    crowd_.begin(solver_.dissolved() + 1); // counts the flows again, as they come
  const auto tell = [&](FlowIndex index) {
    const HostIndex source = flows_[index].source, destination = flows_[index].destination;
    if (!atOnce)
      crowd_.add(source, destination);
    const StarRoutes::Uses uses = stars.uses(0, source, destination);
    for (size_t i = 0; i < uses.size(); ++i) {
      const Crowd::Count &count = crowd_.of(uses.ofDestination(i) ? destination : source);
      const solver::ConstraintIndex link = uses[i].constraint;
      if (link == wave.limit.link ||
          solver_.wouldBeTight(link, demands.of(uses.place(i), count.out, count.in)))
        solver_.passOver(wave.limit.link, link);
    }
  };
  tell(wave.first);
  for (const FlowIndex index : batches_[wave.batch])
    tell(index);
  const auto mark = [&](HostIndex host) {
    if (stars.allLinks(
            host, [&](platform::LinkIndex link) { return solver_.isOwned(link, wave.limit.link); }))
      crowd_.markOwned(host);
  };
  for (const FlowIndex index : batches_[wave.batch]) {
    mark(flows_[index].source);
    mark(flows_[index].destination);
  }
}

/// The flows of the wave become variables of the solver.
[[gnu::noinline]] void FlowModel::enterWave() {
  const Wave wave = std::exchange(wave_, {});
  if (wave.isLearned())
    return; // they are; of no use for learning
  std::vector<FlowIndex> &flows = batches_[wave.batch];
  flows.insert(flows.begin(), wave.first);
  if (wave.event && dates_.pending(wave.event))
    dates_.cancel(wave.event);
  flows_[wave.first].group = None;
  for (const FlowIndex index : flows) {
    flows_[index].sharing = true;
    addVariable(index, pathOf(index), wave.since);
  }
  if (wave.settled && !wave.known) {
    enterLimit(wave, flows);
  } else if (wave.settled && wave.known->settles) {
    solveShares(wave.since);
    groups_.arm(wave.since);
  }
  freeBatch(wave.batch);
}

/// The group of the link that limits them has one of the flows, and gets the others.
void FlowModel::enterLimit(const Wave &wave, const std::vector<FlowIndex> &flows) {
  solver_.solve();
  for (const FlowIndex index : flows) {
    Share &share = solver_.attached(flows_[index].variable);
    if (share.event) { // it was alone at first
      dates_.cancel(share.event);
      share.event = 0;
    }
    CHECK(solver_.bottleneck(flows_[index].variable) == wave.limit.link,
          "a wave is limited by the link that all its flows cross");
    if (index != wave.first)
      groups_.enterWith(wave.first, index, wave.group);
    flows_[index].group = wave.group;
  }
}

/// Where what becomes of the batch of \p first, which is not known, is to be kept; null: nowhere.
KnownWave *FlowModel::lessonOf(FlowIndex first, uint64_t follows) {
  const std::vector<FlowIndex> &others = batches_[flows_[first].group];
  if ((follows == 0 && !solver_.isFresh()) || flows_[others.back()].number < flows_[first].number)
    return nullptr; // in another order than that of the batch, after 2^32 messages
  KnownWave *const lesson = knownWaves_.place(keyOf(first, follows), others.size() + 1);
  if (!lesson)
    return nullptr;
  lesson->follows = follows;
  lesson->bytes = flows_[first].remainingBytes;
  learned_.assign(1, first);
  learned_.insert(learned_.end(), others.begin(), others.end());
  for (const FlowIndex index : learned_)
    lesson->pairs.push_back(pairOf(flows_[index]));
  const bool alike = std::all_of(learned_.begin(), learned_.end(), [&](FlowIndex index) {
    return flows_[index].remainingBytes == lesson->bytes;
  });
  return alike ? lesson : nullptr;
}

/// The flows of learned_ have begun to share links.
void FlowModel::learnWave(KnownWave &known) {
  if (solver_.variableCount() != learned_.size())
    return; // some cross no link
  known.settles = settleRequested_;
  wave_ = {.first = learned_.front(),
           .flows = learned_.size(),
           .since = engine_.now(),
           .settled = !known.settles,
           .known = &known};
  noteEnds(known);
  known.armed = known.first;
}

/// When those of learned_ end whose rates are known.
void FlowModel::noteEnds(KnownWave &known) const {
  known.first = Never.seconds;
  known.last = 0;
  for (const FlowIndex index : learned_) {
    const Flow &flow = flows_[index];
    if (!solver_.solved(flow.variable))
      continue;
    const solver::ConstraintIndex bottleneck = solver_.bottleneck(flow.variable);
    const double seconds = bottleneck == solver::MaxMin::NoBottleneck
                               ? flow.remainingBytes / rateAlone(flow)
                               : amountOf(flow) / solver_.level(bottleneck);
    known.first = std::min(known.first, seconds);
    known.last = std::max(known.last, seconds);
  }
}

/// Whether what is due begins with the ends of all of them, and ends nobody else; otherwise the wave is
/// not learned.
bool FlowModel::endsLearned() {
  const size_t flows = wave_.flows;
  const bool whole =
      wave_.settled && !solver_.pending() && due_.size() >= flows &&
      solver_.variableCount() == flows &&
      std::all_of(due_.begin(), due_.begin() + static_cast<std::ptrdiff_t>(flows),
                  [&](uint64_t due) { return flows_[static_cast<FlowIndex>(due)].sharing; });
  if (!whole)
    wave_ = {};
  return whole;
}

/// They have left the solver.
void FlowModel::noteEnded() {
  const Wave wave = std::exchange(wave_, {});
  if (solver_.keepRemains(wave.known->remains))
    knownWaves_.number(*wave.known);
}

} // namespace gnomon::models
