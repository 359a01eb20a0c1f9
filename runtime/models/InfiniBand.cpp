// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Counts messages by node, and bounds the flows whose counts changed when a date is settled.
#include "models/InfiniBand.h"

#include <algorithm>

namespace gnomon::models {

using platform::HostIndex;

InfiniBand::InfiniBand(kernel::Engine &engine, const platform::Platform &platform,
                       const Parameters &parameters)
    : FlowModel(engine, platform, parameters), factors_(parameters.infiniBand),
      nodes_(platform.hosts().size()) {}

void InfiniBand::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                          kernel::Action done) {
  if (source == destination) {
    start(source, destination, bytes, done);
    return;
  }
  MessageIndex index;
  if (freeMessages_.empty()) {
    index = static_cast<MessageIndex>(messages_.size());
    messages_.emplace_back();
  } else {
    index = freeMessages_.back();
    freeMessages_.pop_back();
  }
  FlowIndex flow =
      start(source, destination, bytes, kernel::Action::of<&InfiniBand::onEnd>(this, index));
  Node &sender = nodes_[source], &receiver = nodes_[destination];
  messages_[index] = {done, source, destination, flow,
                      static_cast<uint32_t>(sender.outgoing.size())};
  sender.outgoing.push_back(index);
  ++receiver.incoming;
  auto place = std::ranges::lower_bound(receiver.senders, source, {}, &Sender::node);
  if (place == receiver.senders.end() || place->node != source)
    place = receiver.senders.insert(place, {source, 0});
  ++place->messages;
  noteChange(source, destination);
}

void InfiniBand::onEnd(uint64_t argument) {
  const auto index = static_cast<MessageIndex>(argument);
  const Message message = messages_[index];
  Node &sender = nodes_[message.source], &receiver = nodes_[message.destination];
  sender.outgoing[message.place] = sender.outgoing.back();
  messages_[sender.outgoing.back()].place = message.place;
  sender.outgoing.pop_back();
  --receiver.incoming;
  auto place = std::ranges::lower_bound(receiver.senders, message.source, {}, &Sender::node);
  if (--place->messages == 0)
    receiver.senders.erase(place);
  freeMessages_.push_back(index);
  noteChange(message.source, message.destination);
  message.done();
}

void InfiniBand::noteChange(HostIndex source, HostIndex destination) {
  noteOutgoing(source);
  if (!nodes_[destination].incomingChanged) {
    nodes_[destination].incomingChanged = true;
    changedDestinations_.push_back(destination);
  }
  askToSettle();
}

void InfiniBand::noteOutgoing(HostIndex source) {
  if (nodes_[source].outgoingChanged)
    return;
  nodes_[source].outgoingChanged = true;
  changedSources_.push_back(source);
}

void InfiniBand::beforeSolving() {
  // What comes into a node is part of the penalty of all nodes that send to it.
  for (HostIndex destination : changedDestinations_) {
    nodes_[destination].incomingChanged = false;
    for (const Sender &sender : nodes_[destination].senders)
      noteOutgoing(sender.node);
  }
  changedDestinations_.clear();
  for (HostIndex source : changedSources_) {
    nodes_[source].outgoingChanged = false;
    penalise(source);
  }
  changedSources_.clear();
}

void InfiniBand::penalise(HostIndex source) {
  const Node &sender = nodes_[source];
  const double ofSender = penaltyOfSender(sender);
  for (MessageIndex index : sender.outgoing) {
    const Message &message = messages_[index];
    divideBound(message.flow,
                std::max(ofSender, penaltyOfReceiver(source, nodes_[message.destination])));
  }
}

double InfiniBand::penaltyOfSender(const Node &sender) const {
  if (sender.outgoing.size() == 1)
    return 1;
  double greatest = 0;
  for (MessageIndex index : sender.outgoing) {
    const bool crowded = nodes_[messages_[index].destination].incoming > 2;
    greatest = std::max(greatest, static_cast<double>(sender.outgoing.size()) * factors_.betaS *
                                      (crowded ? factors_.gammaS : 1));
  }
  return greatest;
}

double InfiniBand::penaltyOfReceiver(HostIndex source, const Node &receiver) const {
  if (receiver.incoming == 1)
    return 1;
  auto place = std::ranges::lower_bound(receiver.senders, source, {}, &Sender::node);
  return factors_.betaE * place->messages * static_cast<double>(receiver.senders.size());
}

} // namespace gnomon::models
