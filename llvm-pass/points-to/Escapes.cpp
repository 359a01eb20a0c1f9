// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What has escaped is one with unknown memory; and what a large program has too much of is given
/// to it (Solver.h).
#include "points-to/Solver.h"

using namespace llvm;

namespace gnomon::pointsto {

void Solver::linkEscaped(const Location &location, bool constant) {
  addCopy(location.stored, EscapedNode);
  if (constant)
    return;
  addCopy(EscapedNode, location.loaded);
  joinEscaped_.push_back(location.stored);
  joinEscaped_.push_back(location.loaded);
}

/// Who may point to unknown memory may point to all that has escaped: that is not written down.
void Solver::reduce(Node &node) const {
  static_assert(UnknownLocation == 0);
  if (!node.pointees.holdsZero())
    return;
  node.pointees -= escaped_;
  node.pushed -= escaped_;
}

void Solver::reduceAll() {
  for (NodeId node = 0; node < nodes_.size(); ++node)
    if (leader_[node] == node && !isSettled(nodes_[node]))
      reduce(nodes_[node]);
}

/// Gives how many objects have escaped by it.
unsigned Solver::applyEscapes(const LocationSet &difference) {
  unsigned count = 0;
  for (LocationId id : difference) {
    ObjectId objectId = memory_.location(id).object;
    Object &object = memory_.object(objectId);
    if (object.escaped || object.kind <= ObjectKind::Arguments || object.kind == ObjectKind::State)
      continue;
    object.escaped = true;
    ++count;
    changed_ = true;
    bool constant = object.constant;
    std::vector<LocationId> locations = object.locations;
    for (LocationId location : locations) {
      setEscaped(location);
      if (object.kind != ObjectKind::Function)
        linkEscaped(memory_.location(location), constant);
    }
    if (!constant && objectId < watches_.size()) {
      std::vector<Watch> watches = watches_[objectId];
      for (const Watch &watch : watches)
        copyOpaque(watch);
    }
    client_.escapes(objectId);
  }
  return count;
}

/// Sets that are too large become unknown memory with all that they hold.
void Solver::poolLarge() {
  constexpr unsigned Largest = 1024;
  if (spent_ > limit_) {
    largest_ = largest_ > Largest ? Largest : largest_ / 4;
    limit_ = spent_ + budget_;
  }
  if (largest_ > Largest)
    return;
  LocationSet pooled;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (leader_[id] != id)
      continue;
    if (nodes_[id].pointees.chunks().size() * IndexSet::Bits <= largest_)
      continue; // most: nothing is counted for them
    if (!isSettled(nodes_[id]))
      reduce(nodes_[id]);
    if (nodes_[id].pointees.count() <= largest_)
      continue;
    LocationSet objects = nodes_[id].pointees;
    objects -= opaque_;
    if (objects.count() <= largest_)
      continue;
    pooled |= objects;
    nodes_[id].pointees.set(UnknownLocation);
    nodes_[id].settled = Never;
    changed_ = true;
  }
  pooled_ += applyEscapes(pooled);
}

} // namespace gnomon::pointsto
