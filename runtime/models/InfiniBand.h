// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// InfiniBand: flows share links as in FlowModel.h, and messages of one node slow each other down
/// beyond that, because its adapter serves them in turn.
///
/// While a message from node a to another node d is under way (from its start, latency included,
/// to its end), let
///     out(a)      messages under way out of a
///     in(d)       messages under way into d
///     in(a, d)    those of them that come from a
///     senders(d)  different nodes that send to d
/// Its penalty is the greater one of what its receiver and its sender cost it:
///     p_in(a, d) = 1                                       when in(d) = 1
///                = betaE × in(a, d) × senders(d)           otherwise
///     p_out(a)   = 1                                       when out(a) = 1
///                = the greatest, over the messages of a to nodes e, of
///                  betaS × out(a) × (gammaS if in(e) > 2, else 1)
///     p          = max(p_in, p_out)
/// and the bound x of its flow (FlowModel.h: least bandwidth of the route, window) becomes x / p.
/// Links are shared max-min fairly below these bounds. Messages within a node have no penalty and
/// are not counted. Penalties follow every start and every end; those of one date count together.
///
/// betaE, betaS, gammaS are `ib/penalty-factors` (SMPI's `smpi/IB-penalty-factors`), by default
/// 0.965, 0.925, 1.35, which SimGrid took from a cluster with InfiniBand. The other parameters are
/// those of FlowModel, with factors of 1 (`network/model=IB`).
///
/// Source: Vienne 2010 (the penalties as functions of the numbers of concurrent messages), in the
/// form that SimGrid's model `IB` gives them.
///
/// Worked examples, of messages of 1 MB over links of 100 MB/s, without latency, envelope or
/// cross-traffic:
///     a to d and to e: out(a) = 2, p = 0.925 × 2 = 1.85, bounds 100 / 1.85 = 54.05 MB/s, but the link out
///       of a gives 50 each: both end at 20 ms
///     a, b and c to d: p_in = 0.965 × 1 × 3 = 2.895, bounds 34.54 MB/s, d's link gives 33.33 each: 30 ms
///     a to d and to e, while b and c send to d: p_out(a) = 0.925 × 2 × 1.35 = 2.4975, 40.04 MB/s for the
///       message to e: 24.975 ms
///
/// Cost: a start or an end looks at all messages of its sender and of the nodes that send to its
/// receiver, once for each date.
#pragma once

#include "models/FlowModel.h"

#include <vector>

namespace gnomon::models {

class InfiniBand : public FlowModel {
public:
  InfiniBand(kernel::Engine &engine, const platform::Platform &platform,
             const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;

private:
  using MessageIndex = uint32_t;

  struct Message {
    kernel::Action done;
    platform::HostIndex source, destination;
    FlowIndex flow;
    uint32_t place; ///< among the source's outgoing
  };
  struct Sender {
    platform::HostIndex node;
    uint32_t messages;
  };
  struct Node {
    std::vector<MessageIndex> outgoing;
    std::vector<Sender> senders; ///< by number of the node
    uint32_t incoming = 0;
    bool outgoingChanged = false, incomingChanged = false;
  };

  void onEnd(uint64_t message);
  void noteChange(platform::HostIndex source, platform::HostIndex destination);
  void noteOutgoing(platform::HostIndex source);
  void beforeSolving() override;
  void penalise(platform::HostIndex source);
  double penaltyOfSender(const Node &sender) const;
  double penaltyOfReceiver(platform::HostIndex source, const Node &receiver) const;

  Parameters::InfiniBand factors_;
  std::vector<Node> nodes_; ///< by host
  std::vector<Message> messages_;
  std::vector<MessageIndex> freeMessages_;
  std::vector<platform::HostIndex> changedSources_, changedDestinations_; ///< since the last solve
};

} // namespace gnomon::models
