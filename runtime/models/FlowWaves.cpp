// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a wave (Wave.h): it begins when the latencies of a batch end, and nobody else shares
/// links then. When the date is settled, its first flow stands for all in the group of the link that
/// limits them. When that one ends, all do. Where another flow comes before, or something else is due
/// with its end, its flows enter the solver one by one (enterWave()), as if they had done so at the
/// beginning: everything is then as it would be without the wave, to the last bit.
///
/// Cost: O(1) for a flow, of which its own cache line and two counts are touched.
#include "models/FlowModel.h"

#include "support/Check.h"
#include "support/Prefetch.h"

#include <utility>

namespace gnomon::models {

using platform::HostIndex;

/// Whether the batch of \p first becomes a wave; if not, nothing has happened.
bool FlowModel::beginWave(FlowIndex first) {
  const Flow &flow = flows_[first];
  const size_t flows = batches_[flow.group].size() + 1;
  if (!solver_.mayPass(flows) || !isWave(first))
    return false;
  const PathTable::Kind &kind = paths_.kind(pathOf(first));
  const WaveLimit limit = limitOfWave(paths_.stars(), platform_.links(), kind, flows, crowd_);
  // To the solver the first of them is alone until others come: its end is armed, and moved when the
  // date is settled. The alarm must take the same places in the engine's order.
  const SimTime end = engine_.now() + flow.remainingBytes / (kind.clippedBound * flow.factor);
  if (limit.link == WaveLimit::None || !solver_.mayPass(limit.link, flows) || end <= engine_.now())
    return false;
  wave_ = {.first = first,
           .batch = std::exchange(flows_[first].group, None),
           .flows = flows,
           .limit = limit,
           .event = dates_.push(end, first)};
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

void FlowModel::settleWave() {
  dates_.cancel(std::exchange(wave_.event, 0));
  const Flow &flow = flows_[wave_.first];
  const double inversePenalty = 1 / paths_.kind(pathOf(wave_.first)).penalty;
  wave_.group = groups_.enter(wave_.first, wave_.limit.link, wave_.limit.level,
                              flow.remainingBytes / (inversePenalty * flow.factor));
}

/// The event of the wave's group has come, and nothing else is due.
void FlowModel::endWave(SimTime limit) {
  groups_.takeDue(wave_.group, limit, due_);
  if (due_.empty())
    return; // rounding: a little is left
  due_.clear();
  const Wave wave = std::exchange(wave_, {});
  if (!crowd_.allOwned())
    tellOwned(wave);
  solver_.pass(wave.limit.link, wave.flows, wave.limit.level);
  requestSettle();
  ending_.swap(batches_[wave.batch]);
  freeBatch(wave.batch);
  end(wave.first)();
  for (const FlowIndex index : ending_)
    end(index)(); // may start transfers, which end nobody
  if (ending_.size() > ManyAtOnce)
    std::vector<FlowIndex>().swap(ending_);
  ending_.clear();
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
  std::vector<FlowIndex> &flows = batches_[wave.batch];
  flows.insert(flows.begin(), wave.first);
  if (wave.event)
    dates_.cancel(wave.event);
  for (const FlowIndex index : flows) {
    flows_[index].sharing = true;
    addVariable(index, pathOf(index));
  }
  if (wave.group != None) {
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
  freeBatch(wave.batch);
}

} // namespace gnomon::models
