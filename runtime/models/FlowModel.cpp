// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a flow: latency, sharing, end.
#include "models/FlowModel.h"

#include "support/Append.h"
#include "support/Hash.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace gnomon::models {

using platform::HostIndex;

namespace {

/// What is left below this many bytes is rounding (SimGrid: work precision 1e-5 × timing precision
/// 1e-9).
constexpr double NothingLeftBytes = 1e-14;

solver::Sharing sharingOf(platform::Sharing sharing) {
  return sharing == platform::Sharing::FatPipe ? solver::Sharing::FatPipe : solver::Sharing::Shared;
}

} // namespace

FlowModel::FlowModel(kernel::Engine &engine, const platform::Platform &platform,
                     const Parameters &parameters)
    : engine_(engine), platform_(platform), parameters_(parameters),
      paths_(platform, parameters_, addConstraints(), solver_.weights()),
      groups_(engine, dates_, solver_.constraintCount()),
      alarm_(engine.addAlarm(kernel::Action::of<&FlowModel::onDate>(this))),
      crowd_(platform.hosts().size()), knownWaves_(platform.hosts().size()),
      profiles_(engine, platform, ProfilePlayer::Of::Links, *this) {
  if (profiles_.empty())
    return;
  changing_ = special_ = true;
  links_.assign(platform.links().begin(), platform.links().end());
  offBecause_.resize(links_.size());
  paths_.takeFiguresFrom(links_);
  profiles_.start();
}

/// A constraint for each link, and one for the loopback, whose index is returned.
solver::ConstraintIndex FlowModel::addConstraints() {
  for (const platform::Link &link : platform_.links())
    solver_.addConstraint(link.bandwidth, sharingOf(link.sharing));
  return solver_.addConstraint(parameters_.loopbackBandwidth, solver::Sharing::FatPipe);
}

void FlowModel::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                         kernel::Action done) {
  start(source, destination, bytes, done);
}

FlowModel::FlowIndex FlowModel::start(HostIndex source, HostIndex destination, uint64_t bytes,
                                      kernel::Action done) {
  lookUpFactors(bytes);
  const PathTable::Path &path = paths_.find(source, destination);
  const double latency = paths_.kind(path).latencySeconds * latencyFactor_;

  const FlowIndex index = allocateFlow();
  Flow &flow = flows_[index];
  flow.done = done; // what it has only while it shares links is set then
  flow.remainingBytes = factorSize_;
  flow.factor = bandwidthFactor_;
  flow.source = source;
  flow.destination = destination;
  flow.group = None;
  flow.number = messages_++;
  flow.sharing = false;
  flow.hadLatency = latency > 0;
  if (special_ && !startSpecial(index, bytes)) [[unlikely]]
    return index;
  if (latency > 0) {
    const SimTime paid = engine_.now() + latency;
    if (joinBatch(index, paid))
      return index;
    dates_.push(paid, index);
  } else {
    joinAtOnce(index);
  }
  arm();
  return index;
}

/// What only some platforms and models ask of a flow that starts; whether it can start at all.
[[gnu::noinline]] bool FlowModel::startSpecial(FlowIndex index, uint64_t bytes) {
  if (!divisors_.empty())
    divisors_[index] = 1;
  return !changing_ || startCourse(index, bytes);
}

/// Whether a flow that pays its latency until \p date has no event of its own, for another one has.
[[gnu::always_inline]] inline bool FlowModel::joinBatch(FlowIndex index, SimTime date) {
  if (date == lastDate_) {
    append(batches_[lastBatch_], index);
    return true;
  }
  const size_t place = spread(std::bit_cast<uint64_t>(date.seconds)) >> (64 - RecentBits);
  if (recentDates_[place] != date) {
    recentDates_[place] = date;
    recentFlows_[place] = index;
    return false;
  }
  const FlowIndex first = recentFlows_[place];
  if (flows_[first].group == None)
    beginBatch(first, index);
  else
    append(batches_[flows_[first].group], index);
  lastDate_ = date;
  lastBatch_ = flows_[first].group;
  return true;
}

[[gnu::noinline]] void FlowModel::beginBatch(FlowIndex first, FlowIndex second) {
  if (freeBatches_.empty()) {
    freeBatches_.push_back(static_cast<uint32_t>(batches_.size()));
    batches_.emplace_back();
  }
  flows_[first].group = freeBatches_.back();
  freeBatches_.pop_back();
  batches_[flows_[first].group].push_back(second);
}

/// Moves the flows that pay their latencies with \p first to due_, where it is itself.
[[gnu::noinline]] void FlowModel::takeBatch(FlowIndex first) {
  const uint32_t batch = std::exchange(flows_[first].group, None);
  due_.insert(due_.end(), batches_[batch].begin(), batches_[batch].end());
  freeBatch(batch);
}

void FlowModel::freeBatch(uint32_t batch) {
  // One of all ranks is large, and what it holds comes to stand in other lists.
  if (batches_[batch].size() > ManyAtOnce)
    std::vector<FlowIndex>().swap(batches_[batch]);
  batches_[batch].clear();
  freeBatches_.push_back(batch);
}

[[gnu::noinline]] void FlowModel::joinAtOnce(FlowIndex index) {
  dissolveWave();
  if (join(index))
    append(finished_, end(index));
}

inline FlowModel::FlowIndex FlowModel::allocateFlow() {
  ++flowCount_;
  if (firstFreeFlow_ == None) [[unlikely]]
    return newFlow();
  const FlowIndex index = firstFreeFlow_;
  firstFreeFlow_ = flows_[index].destination;
  return index;
}

[[gnu::noinline]] FlowModel::FlowIndex FlowModel::newFlow() {
  flows_.emplace_back();
  if (!divisors_.empty())
    divisors_.resize(flows_.size(), 1);
  return static_cast<FlowIndex>(flows_.size() - 1);
}

[[gnu::noinline]] void FlowModel::computeFactors(uint64_t bytes) {
  factorBytes_ = bytes;
  factorSize_ = static_cast<double>(bytes) + parameters_.envelopeBytes;
  bandwidthFactor_ = parameters_.bandwidthFactor(factorSize_);
  latencyFactor_ = parameters_.latencyFactor(factorSize_);
}

/// The latency is paid: the flow takes its share of the links; whether it has ended, for there are
/// none. Like what it calls, a part of what each message takes: no call is worth its registers there.
[[gnu::always_inline]] inline bool FlowModel::join(FlowIndex index) {
  const PathTable::Path &path = pathOf(index);
  if (paths_.kind(path).weights.empty()) // a mere distance
    return true;
  Flow &flow = flows_[index];
  flow.sharing = true;
  addVariable(index, path, engine_.now());
  requestSettle();
  return false;
}

/// The same for the batch of \p first.
[[gnu::noinline]] void FlowModel::joinAll(FlowIndex first) {
  due_.push_back(first);
  takeBatch(first);
  for (const uint64_t due : due_)
    if (const auto index = static_cast<FlowIndex>(due); join(index))
      append(finished_, end(index));
  due_.clear();
}

/// \p date: when the flow began to share links.
[[gnu::always_inline]] void FlowModel::addVariable(FlowIndex index, const PathTable::Path &path,
                                                   SimTime date) {
  Flow &flow = flows_[index];
  const PathTable::Kind &kind = paths_.kind(path);
  const double penalty = flow.hadLatency ? kind.penalty : 1;
  if (special_) [[unlikely]]
    flow.variable = addBounded(index, path, penalty, kind.bound);
  else if (paths_.isOfStar(path)) [[likely]]
    flow.variable = solver_.addUses(penalty, kind.clippedBound, paths_.starUses(), wordOf(flow));
  else
    flow.variable =
        solver_.addClipped(penalty, kind.clippedBound, paths_.usages(path), wordOf(flow));
  solver_.attached(flow.variable).owner = index;
  if (solver_.solved(flow.variable))
    runAlone(index, date);
}

/// The variable of a flow whose bound is its own: profiles or the model have changed it.
[[gnu::noinline]] solver::VariableIndex
FlowModel::addBounded(FlowIndex index, const PathTable::Path &path, double penalty, double bound) {
  if (changing_)
    applyCourse(index, penalty, bound);
  if (!divisors_.empty())
    bound /= divisors_[index];
  return solver_.add(penalty, bound, paths_.usages(path));
}

/// What profiles have made of the penalty and the bound of a flow's route.
void FlowModel::applyCourse(FlowIndex index, double &penalty, double &bound) const {
  const Course &course = courses_[index];
  penalty = course.weighted ? course.penalty : 1;
  bound = course.leastBandwidth;
  if (parameters_.tcpGammaBytes > 0 && course.latencySeconds > 0)
    bound = std::min(bound, parameters_.tcpGammaBytes / (2 * course.latencySeconds));
}

void FlowModel::divideBound(FlowIndex index, double divisor) {
  dissolveWave();
  special_ = true;
  if (divisors_.empty())
    divisors_.resize(flows_.size(), 1);
  if (divisors_[index] == divisor)
    return;
  divisors_[index] = divisor;
  if (!flows_[index].sharing)
    return;
  leaveGroup(index, engine_.now());
  solver_.remove(flows_[index].variable);
  addVariable(index, pathOf(index), engine_.now());
}

/// The last byte has arrived.
[[gnu::always_inline]] inline void FlowModel::leaveSolver(FlowIndex index) {
  solver_.remove(flows_[index].variable);
  requestSettle();
}

/// Computes the end of a flow that no other limits. What it had moved is counted by leaveGroup().
[[gnu::always_inline]] inline void FlowModel::runAlone(FlowIndex index, SimTime date) {
  const Flow &flow = flows_[index];
  Share &share = solver_.attached(flow.variable);
  share.date = date.seconds;
  share.event = dates_.push(date + flow.remainingBytes / rateAlone(flow), index);
}

void FlowModel::enterGroup(FlowIndex index, solver::ConstraintIndex bottleneck, SimTime date) {
  Flow &flow = flows_[index];
  flow.group = groups_.enter(index, bottleneck, solver_.level(bottleneck), amountOf(flow), date);
}

/// Counts what a flow has moved up to \p date; it has neither group nor event then.
void FlowModel::leaveGroup(FlowIndex index, SimTime date) {
  Flow &flow = flows_[index];
  Share &share = solver_.attached(flow.variable);
  if (flow.group != None) {
    flow.remainingBytes = groups_.leave(index, flow.group, date) *
                          solver_.inversePenalty(flow.variable) * flow.factor;
    flow.group = None;
  } else if (share.event) {
    flow.remainingBytes -= rateAlone(flow) * (date - SimTime{share.date});
    dates_.cancel(share.event);
    share.event = 0;
  }
  if (flow.remainingBytes < NothingLeftBytes)
    flow.remainingBytes = 0;
}

/// Keeps the alarm at the earliest date of a flow, which has changed.
[[gnu::noinline]] void FlowModel::moveAlarm() {
  const SimTime next = dates_.nextDate();
  armedDate_ = next;
  if (next == Never)
    engine_.clearAlarm(alarm_);
  else
    engine_.setAlarm(alarm_, std::max(next, engine_.now()));
}

/// Puts what happens together into the order in which the messages started, which an MPI program
/// can see; the order of dates and groups comes from rounding and from the solver's lists.
void FlowModel::orderDue() {
  uint32_t first = UINT32_MAX, last = 0;
  bool ordered = true;
  for (uint64_t &due : due_) {
    const uint32_t number = flows_[static_cast<FlowIndex>(due)].number;
    ordered &= number >= last;
    first = std::min(first, number);
    last = std::max(last, number);
    due |= uint64_t{number} << 32;
  }
  if (ordered)
    return;
  if (last - first + size_t{1} != due_.size()) {
    std::sort(due_.begin(), due_.end());
    return;
  }
  // Messages that start together mostly end together: then their numbers are their places.
  ordered_.resize(due_.size());
  for (const uint64_t due : due_)
    ordered_[static_cast<uint32_t>(due >> 32) - first] = static_cast<FlowIndex>(due);
  std::copy(ordered_.begin(), ordered_.end(), due_.begin());
}

/// Asks the processor for what flows need that come a little after the one at \p due.
[[gnu::noinline]] void FlowModel::prefetch(size_t due) {
  constexpr size_t Near = 3, Middle = 6, Far = 9, Farthest = 12;
  if (due + Farthest < due_.size())
    fetchToWrite(&flows_[dueFlow(due + Farthest)]);
  if (due + Near >= due_.size())
    return;
  prefetchConstraints(dueFlow(due + Near));
  if (due + Far >= due_.size())
    return;
  if (const Flow &middle = flows_[dueFlow(due + Middle)]; middle.sharing)
    solver_.prefetchUses(middle.variable);
  if (const Flow &far = flows_[dueFlow(due + Far)]; far.sharing)
    solver_.prefetchVariable(far.variable);
  else
    paths_.prefetch(far.source, far.destination);
}

void FlowModel::prefetchConstraints(FlowIndex index) {
  const Flow &flow = flows_[index];
  if (flow.sharing)
    return solver_.prefetchConstraints(flow.variable);
  for (const solver::Usage &usage : paths_.usagesAtHand(flow.source, flow.destination))
    solver_.prefetch(usage.constraint);
}

void FlowModel::onDate(uint64_t) {
  armedDate_ = Never;
  // A message alone, from the end of its latency to its last byte.
  do
    playDate();
  while (engine_.skipTo(std::max(dates_.nextDate(), engine_.now())));
  arm();
}

[[gnu::always_inline]] inline void FlowModel::playDate() {
  // All that is due is taken first: what follows from it comes in a later round, even if nearer
  // than the precision.
  const SimTime now = engine_.now(), limit = now + parameters_.timingPrecisionSeconds;
  const auto isDue = [&] { return dates_.nextDate() < limit || dates_.nextDate() <= now; };
  if (const uint64_t first = isDue() ? popDue() : Nothing; first != Nothing) {
    recentDates_.fill(Never);
    lastDate_ = Never;
    // With few flows under way, most are alone at a date.
    if (const auto index = static_cast<FlowIndex>(first);
        first >= FlowGroups::Event || isDue() || flows_[index].group != None)
      playSeveral(first, limit);
    else if (flows_[index].sharing) {
      leaveSolver(index);
      end(index)();
    } else if (!passAlone(index)) {
      joinAtOnce(index);
    }
  }
  for (size_t i = 0; i < finished_.size(); ++i) {
    const kernel::Action done = finished_[i];
    done(); // may start transfers, which finish no flow
  }
  finished_.clear();
  if (!settleRequested_ && groups_.changed()) // otherwise onSettle() does it
    groups_.arm(engine_.now());
}

/// The end of a latency: plays the end of the flow too where nothing else is under way or happens
/// before; whether it did. The rate is what the solver would give it, and nobody comes to share it.
[[gnu::always_inline]] inline bool FlowModel::passAlone(FlowIndex index) {
  if (!dates_.empty() || special_)
    return false;
  const Flow &flow = flows_[index];
  const PathTable::Kind &kind = paths_.kind(paths_.findAgain(flow.source, flow.destination));
  if (kind.weights.empty() ||
      !engine_.skipTo(engine_.now() + flow.remainingBytes / (kind.clippedBound * flow.factor)))
    return false;
  end(index)();
  return true;
}

/// The first event that stands for something due now; Nothing if there is none.
[[gnu::always_inline]] inline uint64_t FlowModel::popDue() {
  uint64_t event = dates_.pop();
  while (event >= FlowGroups::Event && groups_.putOff(event, engine_.now())) {
    if (dates_.nextDate() > engine_.now())
      return Nothing;
    event = dates_.pop();
  }
  return event;
}

/// Notes what an event of dates_ stands for.
void FlowModel::takeDue(uint64_t argument, SimTime limit) {
  if (!(argument & FlowGroups::Event)) {
    due_.push_back(argument);
    if (const auto first = static_cast<FlowIndex>(argument); flows_[first].group != None)
      takeBatch(first);
  } else if (!groups_.putOff(argument, limit)) {
    const size_t before = due_.size();
    groups_.takeDue(static_cast<FlowGroups::Index>(argument), limit, due_);
    for (size_t i = before; i < due_.size(); ++i)
      flows_[dueFlow(i)].group = None;
  }
}

/// What is due is more than one flow: a batch, a group, or several of these.
[[gnu::noinline]] void FlowModel::playSeveral(uint64_t first, SimTime limit) {
  const bool alone = dates_.nextDate() >= limit && dates_.nextDate() > engine_.now();
  if (alone && isEndOfWave(first))
    return endWave(limit);
  if (!alone && playSuccession(first, limit))
    return;
  KnownWave *lesson = nullptr;
  if (alone && first < FlowGroups::Event && waveMayBegin()) {
    if (beginWave(static_cast<FlowIndex>(first)))
      return;
    lesson = lessonOf(static_cast<FlowIndex>(first), 0);
  }
  if (isEndOfWave(first) && wave_.known) {
    enterWave(); // its flows have events of their own again, of which some are due
    first = dates_.pop();
  } else if (!wave_.isLearned()) {
    dissolveWave();
  }
  playDue(first, limit);
  if (lesson)
    learnWave(*lesson);
}

[[gnu::noinline]] void FlowModel::playDue(uint64_t first, SimTime limit) {
  takeDue(first, limit);
  while (dates_.nextDate() < limit || dates_.nextDate() <= engine_.now())
    takeDue(dates_.pop(), limit);
  if (due_.size() > 1)
    orderDue();
  const bool fetches = fetchesAhead(due_.size());
  const bool together = endTogether(first), learned = wave_.isLearned() && endsLearned();
  for (size_t i = 0; i < due_.size(); ++i) {
    if (learned && i == learned_.size()) [[unlikely]]
      noteEnded();
    if (fetches)
      prefetch(i);
    if (together)
      solver_.removeFromEmptied(flows_[dueFlow(i)].variable);
    else if (!happen(dueFlow(i)))
      due_[i] = Nothing;
  }
  if (learned && due_.size() == learned_.size())
    noteEnded();
  if (together)
    requestSettle();
  for (size_t i = 0; i < due_.size(); ++i) {
    if (fetches)
      prefetchEnds(i, due_.size(), [this](size_t at) { return due_[at]; });
    if (due_[i] != Nothing)
      end(dueFlow(i))(); // may start transfers, which end nobody
  }
  due_.clear();
}

/// Whether what is due are all flows of one bottleneck and its surroundings, as in a step of a
/// collective that all ranks take together: then the solver has been told that all go.
bool FlowModel::endTogether(uint64_t first) {
  if (!(first & FlowGroups::Event))
    return false;
  // Of other groups, or of flows that are alone, one more would be due than have this bottleneck.
  const auto group = static_cast<FlowGroups::Index>(first);
  const solver::ConstraintIndex bottleneck = groups_.bottleneck(group);
  if (!groups_.empty(group) || !solver_.isWhole(bottleneck, due_.size()))
    return false;
  solver_.empty(bottleneck);
  return true;
}

/// The end of a flow's latency, or of the flow; whether the latter.
inline bool FlowModel::happen(FlowIndex index) {
  if (!flows_[index].sharing)
    return join(index);
  leaveSolver(index);
  return true;
}

void FlowModel::requestSettle() {
  if (!settleRequested_ && solver_.pending())
    askToSettle();
}

[[gnu::noinline]] void FlowModel::askToSettle() {
  if (settleRequested_)
    return;
  settleRequested_ = true;
  engine_.settle(kernel::Action::of<&FlowModel::onSettle>(this));
}

void FlowModel::onSettle(uint64_t) {
  settleRequested_ = false;
  beforeSolving();
  if (wave_.isWaiting())
    settleWave();
  else
    solveShares(engine_.now());
  groups_.arm(engine_.now());
  arm();
}

/// \p date: when what is solved came to be so.
void FlowModel::solveShares(SimTime date) {
  solver_.solve();
  for (solver::ConstraintIndex bottleneck : solver_.changedLevels())
    groups_.setLevel(bottleneck, solver_.level(bottleneck), date);
  const std::span<const solver::VariableIndex> changed = solver_.changed();
  const bool fetches = fetchesAhead(changed.size());
  for (size_t i = 0; i < changed.size(); ++i) {
    constexpr size_t Near = 4, Far = 8;
    if (fetches && i + Far < changed.size()) {
      solver_.prefetchVariable(changed[i + Far]);
      fetchToWrite(&flows_[solver_.attached(changed[i + Near]).owner]);
    }
    const solver::VariableIndex variable = changed[i];
    const Share &share = solver_.attached(variable);
    const FlowIndex index = share.owner;
    if (flows_[index].group != None || share.event) // not one that has just come
      leaveGroup(index, date);
    if (solver_.bottleneck(variable) == solver::MaxMin::NoBottleneck)
      runAlone(index, date);
    else
      enterGroup(index, solver_.bottleneck(variable), date);
  }
}

} // namespace gnomon::models
