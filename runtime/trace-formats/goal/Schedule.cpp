// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/goal/Schedule.h"

#include <algorithm>
#include <limits>

namespace gnomon::trace::goal {

uint32_t Schedule::add(const Operation &operation) {
  operations_.push_back(operation);
  states_.emplace_back();
  return static_cast<uint32_t>(operations_.size() - 1);
}

void Schedule::depend(uint32_t then, uint32_t first, bool startOnly) {
  states_[first].successors.push_back({then, startOnly});
  ++states_[then].unstarted;
  if (startOnly)
    return;
  states_[then].required.push_back(first);
  ++states_[then].unfinished;
}

uint64_t Schedule::write(uint32_t rank, CallSink &sink) {
  rank_ = rank;
  sink_ = &sink;
  for (uint32_t node = 0; node < states_.size(); ++node)
    if (states_[node].unstarted == 0)
      ready(node);
  size_t begun = 0;
  while (!messages_.empty() || !calcs_.empty() || !waiting_.empty()) {
    if (!messages_.empty() || !calcs_.empty()) {
      std::set<uint32_t> &from = messages_.empty() ? calcs_ : messages_;
      const uint32_t node = *from.begin();
      from.erase(from.begin());
      begin(node);
      ++begun;
    } else {
      wait(states_[*waiting_.begin()].required); // which makes it ready
    }
  }
  wait({open_.begin(), open_.end()});
  for (uint32_t node = 0; begun < states_.size(); ++node)
    if (states_[node].unstarted > 0)
      return operations_[node].line;
  return 0;
}

/// All that \p node requires to start has started.
void Schedule::ready(uint32_t node) {
  if (states_[node].unfinished > 0)
    waiting_.insert(node);
  else
    (operations_[node].what == Operation::What::Calc ? calcs_ : messages_).insert(node);
}

void Schedule::begin(uint32_t node) {
  release();
  const Operation &operation = operations_[node];
  if (operation.what == Operation::What::Calc) {
    if (operation.amount > 0)
      sink_->compute(rank_, "", std::numeric_limits<double>::quiet_NaN(),
                     static_cast<double>(operation.amount) / 1e9);
    finish(node);
  } else {
    held_ = node;
    open_.insert(node);
  }
  for (const Edge &edge : states_[node].successors)
    if (--states_[edge.to].unstarted == 0)
      ready(edge.to);
}

void Schedule::finish(uint32_t node) {
  states_[node].finished = true;
  open_.erase(node);
  for (const Edge &edge : states_[node].successors) {
    State &then = states_[edge.to];
    if (!edge.startOnly && --then.unfinished == 0 && then.unstarted == 0 &&
        waiting_.erase(edge.to) > 0)
      ready(edge.to);
  }
}

void Schedule::message(uint32_t node, bool blocking) {
  const Operation &of = operations_[node];
  const bool isSend = of.what == Operation::What::Send;
  if (blocking)
    return sink_->append(rank_, isSend ? Call::Send : Call::Recv,
                         {of.amount, 1, of.peer, of.tag, World});
  states_[node].slot = slots_.take();
  sink_->append(rank_, isSend ? Call::Isend : Call::Irecv,
                {of.amount, 1, of.peer, of.tag, World, states_[node].slot});
}

/// Something else follows the message that started last: it was nonblocking.
void Schedule::release() {
  if (held_ != None)
    message(held_, false);
  held_ = None;
}

void Schedule::wait(const std::vector<uint32_t> &nodes) {
  std::vector<uint32_t> open;
  for (const uint32_t node : nodes)
    if (!states_[node].finished)
      open.push_back(node);
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  if (open.size() == 1 && open[0] == held_) {
    held_ = None;
    message(open[0], true);
  } else if (!open.empty()) {
    release();
    std::vector<int64_t> values;
    for (const uint32_t node : open)
      values.push_back(states_[node].slot);
    for (const int64_t slot : values)
      slots_.give(slot);
    if (values.size() > 1)
      values.insert(values.begin(), static_cast<int64_t>(open.size()));
    sink_->append(rank_, open.size() > 1 ? Call::Waitall : Call::Wait, values);
  }
  for (const uint32_t node : open)
    finish(node);
}

} // namespace gnomon::trace::goal
