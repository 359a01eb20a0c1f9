// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The flow-level network model: a message is a fluid that first waits for its latency and then
/// shares the links of its route with all other flows, max-min fairly. With the default parameters
/// it is SMPI's model.
///
/// A message of b user bytes over a route of links l with latencies L_l and bandwidths B_l:
///     size        s = b + 16                               (the envelope)
///     latency     T = latencyFactor(s) × sum of L_l        (the flow does not share yet)
///     penalty     p = sum of L_l + sum of weightS / B_l    (round-trip unfairness of TCP; 1 when T = 0)
///     bound       x <= min B_l, and x <= gamma / (2 × sum of L_l) when gamma > 0 and the route has latency
///     sharing     x from the solver: weight 1 on the links of the route, 0.05 on those of the way back
///     rate        r = bandwidthFactor(s) × x
///     end         start + T + the time in which the integral of r reaches s
/// Sources: Velho & Legrand 2009 (latency factor, gamma, weight-S); Velho et al. 2013
/// (cross-traffic); Clauss et al. 2011 (factors by size); Bedaride et al. 2013.
///
/// Worked example: 1 byte over two links of 24 us and 125 MB/s:
///     s = 17, T = 2.01467 × 48 us = 96.70416 us, r = 0.812084 × 125 MB/s,
///     so it takes 96.70416 us + 0.16747 us = 96.8716 us.
///
/// Flow events closer together than the timing precision (1 ns) happen together at the earlier
/// date, as in SimGrid, in the order in which their messages started. All changes of a date are
/// solved together when the date has nothing else left to do.
///
/// Flows of one bottleneck (MaxMin.h) all move at rates that are fixed multiples of its level, so
/// they are kept as a *group* with one event (FlowGroups.h).
///
/// Messages that start together mostly pay one latency: all whose latencies end at one date have one
/// event, that of the first of them, and stand in a *batch* with it. A message that has the network
/// to itself until it ends never becomes a variable of the solver (passAlone()), and neither do
/// alike messages that have it to themselves together (a *wave*, Wave.h), or had it when they were
/// sent before (KnownWaves.h).
///
/// Profiles change links while flows are on them, as in SimGrid (FlowProfiles.cpp, O(flows) per
/// change). Bandwidth: the links' capacities at once, and p of every flow on the link, in either
/// direction, by weightS / B_new - weightS / B_old; x <= min B_l stays what it was at the start.
/// Latency: T of flows that start later; p by L_new - L_old and the bound of gamma at once. State:
/// a flow on a link that is off, in either direction, is a Failure.
///
/// Cost: a flow whose links all have room to spare costs two events and O(links of its route), no
/// allocation once warm. Routes are cached per pair of hosts (PathTable.h).
#pragma once

#include "kernel/Engine.h"
#include "models/FlowGroups.h"
#include "models/NetworkModel.h"
#include "models/Parameters.h"
#include "models/PathTable.h"
#include "models/ProfilePlayer.h"
#include "models/Wave.h"
#include "solver/MaxMin.h"
#include "support/Append.h"
#include "support/Prefetch.h"

#include <array>

namespace gnomon::models {

class FlowModel : public NetworkModel, private ProfileListener {
public:
  FlowModel(kernel::Engine &engine, const platform::Platform &platform,
            const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { failed_ = handler; }
  void expect(platform::HostIndex source, platform::HostIndex destination) override {
    paths_.prefetch(source, destination);
    if (firstFreeFlow_ != None)
      fetchToWrite(&flows_[firstFreeFlow_]);
  }

  size_t flowsInFlight() const { return flowCount_; }
  /// How many waves have begun (Wave.h).
  uint64_t waves() const { return waves_; }

protected:
  using FlowIndex = models::FlowIndex;

  /// What transfer does. The index is the flow's own until \p done runs.
  FlowIndex start(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                  kernel::Action done);

  // For a model that bounds single flows beyond what their routes do (InfiniBand.h).
  /// Divides the bound of a flow by \p divisor, from the present date on. Only from beforeSolving.
  void divideBound(FlowIndex index, double divisor);
  /// Has the present date settled even if no link has changed.
  void askToSettle();
  /// Called once for each date at which something changed, before the rates are solved.
  virtual void beforeSolving() {}

private:
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr size_t FewAtOnce = 8;
  static constexpr uint64_t Nothing = UINT64_MAX; ///< in place of the argument of an event

  struct alignas(64) Flow { ///< a cache line
    kernel::Action done;
    double remainingBytes; ///< when its share last changed; not kept in a group
    double factor;         ///< of the solver's rate
    platform::HostIndex source;
    platform::HostIndex destination;
    solver::VariableIndex variable; ///< while it shares links
    uint32_t group;                 ///< while the latency is paid: the batch that ends with it
    uint32_t number;                ///< of the message, modulo 2^32
    bool sharing;                   ///< whether it is a variable of the solver
    bool hadLatency;
  };
  /// What a flow has while it is a variable of the solver: its index (owner), the end of the transfer
  /// (event; 0 in a group), and when it began to run alone, at its bound (date).
  using Share = solver::MaxMin::Attached;

  /// What profiles make of a flow since it started; kept only when there are profiles.
  struct Course {
    double leastBandwidth; ///< of the route's links at the start
    double latencySeconds; ///< now, without factor
    double penalty;
    uint64_t bytes;
    bool weighted; ///< whether the penalty counts: not without latency, until a link changes
  };

  void lookUpFactors(uint64_t bytes) {
    if (bytes != factorBytes_)
      computeFactors(bytes);
  }
  void computeFactors(uint64_t bytes);
  FlowIndex allocateFlow();
  FlowIndex newFlow();
  bool startSpecial(FlowIndex index, uint64_t bytes);
  bool joinBatch(FlowIndex index, SimTime date);
  void beginBatch(FlowIndex first, FlowIndex second);
  void takeBatch(FlowIndex first);
  void freeBatch(uint32_t batch);

  solver::ConstraintIndex addConstraints();
  void orderDue();
  FlowIndex dueFlow(size_t due) const { return static_cast<FlowIndex>(due_[due]); }
  /// Whether \p flows that happen together are worth it that what they need is asked for ahead: they
  /// are some, and as many were under way once as stay in no near cache.
  bool fetchesAhead(size_t flows) const { return flows > FewAtOnce && flows_.size() > FewFibers; }
  void prefetch(size_t due);
  void prefetchConstraints(FlowIndex index);
  template <class FlowAt> void prefetchEnds(size_t at, size_t count, FlowAt flowAt) const;
  bool join(FlowIndex index);
  void joinAtOnce(FlowIndex index);
  void joinAll(FlowIndex first);
  bool passAlone(FlowIndex index);
  void addVariable(FlowIndex index, const PathTable::Path &path, SimTime date);
  solver::VariableIndex addBounded(FlowIndex index, const PathTable::Path &path, double penalty,
                                   double bound);
  void leaveSolver(FlowIndex index);
  void freeFlow(FlowIndex index) {
    flows_[index].source = UINT32_MAX;
    flows_[index].destination = firstFreeFlow_;
    firstFreeFlow_ = index;
    --flowCount_;
  }
  [[gnu::always_inline]] kernel::Action end(FlowIndex index) {
    freeFlow(index);
    return flows_[index].done;
  }
  void runAlone(FlowIndex index, SimTime date);
  /// Bytes/s of a flow that no other limits.
  double rateAlone(const Flow &flow) const { return solver_.bound(flow.variable) * flow.factor; }
  void enterGroup(FlowIndex index, solver::ConstraintIndex bottleneck, SimTime date);
  void leaveGroup(FlowIndex index, SimTime date);
  double amountOf(const Flow &flow) const {
    return flow.remainingBytes / (solver_.inversePenalty(flow.variable) * flow.factor);
  }
  uint64_t popDue();
  void takeDue(uint64_t event, SimTime limit);
  void playSeveral(uint64_t first, SimTime limit);
  void playDue(uint64_t first, SimTime limit);
  bool happen(FlowIndex index);
  bool endTogether(uint64_t first);
  void arm() {
    if (dates_.nextDate() != armedDate_)
      moveAlarm();
  }
  void moveAlarm();
  void onDate(uint64_t);
  void playDate();
  void onSettle(uint64_t);
  void solveShares(SimTime date);
  void requestSettle();

  // Waves (FlowWaves.cpp).
  bool waveMayBegin() const {
    return wave_.first == None && solver_.idle() && !special_ && !settleRequested_ &&
           !groups_.changed();
  }
  bool beginWave(FlowIndex first) {
    return beginKnownWave(first, 0) || (paths_.shareOneLink() && beginLimitedWave(first));
  }
  /// Whether what comes at \p date does not happen together with what happens now.
  bool isLater(SimTime date) const {
    return date > engine_.now() && date >= engine_.now() + parameters_.timingPrecisionSeconds;
  }
  bool beginLimitedWave(FlowIndex first);
  bool isWave(FlowIndex first);
  bool beginKnownWave(FlowIndex first, uint64_t follows);
  uint64_t keyOf(FlowIndex first, uint64_t follows) const;
  bool isKnown(FlowIndex first, const KnownWave &known) const;
  void settleWave();
  bool isEndOfWave(uint64_t event) const {
    if (wave_.first == None || wave_.isLearned())
      return false;
    return event == (wave_.known ? wave_.first : FlowGroups::Event | wave_.group);
  }
  void endWave(SimTime limit);
  bool leaveLimit(SimTime limit);
  void endFlows(const Wave &wave);
  bool playSuccession(uint64_t first, SimTime limit);
  bool mayFollow(FlowIndex first, SimTime limit) const;
  void follow(FlowIndex first);
  void tellOwned(const Wave &wave);
  void dissolveWave() {
    if (wave_.first != None) [[unlikely]]
      enterWave();
  }
  void enterWave();
  void enterLimit(const Wave &wave, const std::vector<FlowIndex> &flows);
  // How a wave becomes known.
  KnownWave *lessonOf(FlowIndex first, uint64_t follows);
  void learnWave(KnownWave &known);
  void noteEnds(KnownWave &known) const;
  bool endsLearned();
  void noteEnded();
  HostPair pairOf(const Flow &flow) const { return models::pairOf(flow.source, flow.destination); }
  /// What its penalty, its bound and its uses rest on, for the solver; not where special_.
  uint64_t wordOf(const Flow &flow) const {
    constexpr uint64_t WithoutLatency = uint64_t{1} << 63; // a host's number has fewer bits
    return pairOf(flow) | (flow.hadLatency ? 0 : WithoutLatency);
  }

  bool startCourse(FlowIndex index, uint64_t bytes);
  void applyCourse(FlowIndex index, double &penalty, double &bound) const;
  [[gnu::always_inline]] const PathTable::Path &pathOf(FlowIndex index) {
    return paths_.find(flows_[index].source, flows_[index].destination);
  }
  std::vector<FlowIndex> flowsOn(platform::LinkIndex link);
  void takeOut(const std::vector<FlowIndex> &flows);
  void putBack(const std::vector<FlowIndex> &flows);
  void profileChanged(const platform::ProfileUse &use,
                      const platform::Profile::Step &step) override;
  void changeBandwidth(platform::LinkIndex link, double value);
  void changeLatency(platform::LinkIndex link, double value);
  void changeState(const platform::ProfileUse &use, const platform::Profile::Step &step);
  void fail(platform::LinkIndex link, platform::HostIndex source, platform::HostIndex destination,
            uint64_t bytes);

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  Parameters parameters_;
  solver::MaxMin solver_;
  PathTable paths_;

  std::vector<Flow> flows_;
  FlowIndex firstFreeFlow_ = None; ///< its destination is the next free one
  size_t flowCount_ = 0;           ///< under way
  uint32_t messages_ = 0;          ///< so far, modulo 2^32
  std::vector<double> divisors_;   ///< of flows' bounds; empty: none was ever given

  FlowDates dates_; ///< of flows and groups; the alarm is for the earliest
  FlowGroups groups_;
  kernel::AlarmId alarm_;
  SimTime armedDate_ = Never; ///< of the alarm
  // Ends of latencies that wait in dates_, by a hash of the date, and the first flow of each; Never
  // where there is none. Forgotten when any of them comes: most messages have started by then.
  static constexpr uint32_t RecentBits = 2;
  std::array<SimTime, 1U << RecentBits> recentDates_ = {Never, Never, Never, Never};
  std::array<FlowIndex, 1U << RecentBits> recentFlows_ = {};
  // The last of these batches to which a flow came, and its date: mostly the next one comes there.
  SimTime lastDate_ = Never;
  uint32_t lastBatch_ = 0;
  std::vector<std::vector<FlowIndex>> batches_; ///< the flows after the first
  std::vector<uint32_t> freeBatches_;
  bool settleRequested_ = false;
  bool changing_ = false;          ///< whether there are profiles
  bool special_ = false;           ///< whether there are profiles or divisors
  std::vector<uint64_t> due_;      ///< flows; in orderDue() their numbers << 32 as well
  std::vector<FlowIndex> ordered_; ///< what orderDue() works with
  std::vector<kernel::Action> finished_;
  Wave wave_;
  uint64_t waves_ = 0;
  Crowd crowd_;
  KnownWaves knownWaves_;
  std::vector<FlowIndex> learned_; ///< the flows of a wave that is learned
  std::vector<FlowIndex> ending_;  ///< the flows of a wave that end

  // Of the last message: they come in runs of one size.
  uint64_t factorBytes_ = UINT64_MAX;
  double factorSize_ = 0; ///< with the envelope
  double bandwidthFactor_ = 1;
  double latencyFactor_ = 1;

  // Apart from what every message touches.
  /// The links' present figures, and why one is off; empty when there are no profiles.
  std::vector<platform::Link> links_;
  std::vector<std::string> offBecause_;
  std::vector<Course> courses_;
  FailureHandler failed_ = nullptr;
  ProfilePlayer profiles_;
};

/// Asks the processor for what is told of the ends of flows a little after the one at \p at, of \p count
/// that are about to end; \p flowAt: the index of one, or Nothing.
template <class FlowAt>
inline void FlowModel::prefetchEnds(size_t at, size_t count, FlowAt flowAt) const {
  constexpr size_t Between = 4;
  for (uint32_t step = 3; step > 0; --step)
    if (const size_t ahead = at + step * Between; ahead < count && flowAt(ahead) != Nothing)
      engine_.fetchFor(flows_[static_cast<FlowIndex>(flowAt(ahead))].done, step);
}

} // namespace gnomon::models
