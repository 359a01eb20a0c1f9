// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Solver.h"

#include "llvm/ADT/StringRef.h"

#include <cstdlib>
#include <numeric>
#include <utility>

using namespace llvm;

namespace gnomon::pointsto {
namespace {

/// Pointers are kept in slots of this size: what is stored closer together than that may be parts
/// of one pointer.
constexpr int64_t PointerBytes = 8;

/// Pairs of locations that one copy of memory may concern before it is treated as a whole.
constexpr unsigned MostCopies = 64;

/// Steps before objects are pooled. Programs of 100,000 lines take some millions.
constexpr uint64_t Budget = 30'000'000;

/// For tests, which make small programs too large by it; 0: all is pooled from the start.
uint64_t budget() {
  const char *text = std::getenv("GNOMON_POINTS_TO_BUDGET");
  uint64_t steps = 0;
  return text && !StringRef(text).getAsInteger(10, steps) ? steps : Budget;
}

} // namespace

Solver::Solver(Memory &memory, SolverClient &client)
    : budget_(budget()), limit_(budget_), memory_(memory), client_(client) {
  if (!budget_)
    largest_ = 0;
  others_.emplace_back();
  for (NodeId node = NoPointers; node <= ArgumentsNode; ++node)
    addNode();
}

NodeId Solver::addNode() {
  NodeId node = NodeId(nodes_.size());
  nodes_.emplace_back();
  targets_.emplace_back();
  leader_.push_back(node);
  return node;
}

/// Whether there are more members now.
bool Solver::grow(NodeId leader, const LocationSet &more) {
  Node &node = nodes_[leader];
  if (!(node.pointees |= more))
    return false;
  node.settled = Never;
  return true;
}

Solver::Others &Solver::othersOf(NodeId node) {
  if (!nodes_[node].others) {
    nodes_[node].others = uint32_t(others_.size());
    others_.emplace_back();
  }
  return others_[nodes_[node].others];
}

void Solver::add(NodeId node, const LocationSet &locations) {
  node = find(node);
  if (node != NoPointers && grow(node, locations))
    changed_ = true;
}

void Solver::addAddress(NodeId node, LocationId location) {
  node = find(node);
  if (node == NoPointers || !nodes_[node].pointees.insert(location))
    return;
  nodes_[node].settled = Never;
  changed_ = true;
}

void Solver::addCopy(NodeId from, NodeId to) {
  from = find(from);
  to = find(to);
  if (from == to || from == NoPointers || to == NoPointers)
    return;
  if (targets_[from].insert(to)) {
    changed_ = true;
    grow(to, nodes_[from].pushed); // the rest follows as a difference
  }
}

// A new constraint on a node sees what was pushed from it before; the rest comes as a difference.

void Solver::addStep(NodeId from, NodeId to, const Step &step) {
  if (step.isZero())
    return addCopy(from, to);
  from = find(from);
  if (from == NoPointers)
    return;
  const Stepping added = stepping(to, step);
  othersOf(from).steps.push_back(added);
  if (const LocationSet present = nodes_[from].pushed; !present.empty())
    applyStep(added, present);
}

Solver::Stepping Solver::stepping(NodeId to, const Step &step) {
  const unsigned index =
      stepNumbers_.try_emplace(step, unsigned(stepNumbers_.size())).first->second;
  return {to, index, step};
}

void Solver::addLoad(NodeId pointer, int64_t delta, NodeId to) {
  pointer = find(pointer);
  if (pointer == NoPointers || to == NoPointers)
    return;
  const Access load{to, delta};
  othersOf(pointer).loads.push_back(load);
  if (const LocationSet present = nodes_[pointer].pushed; !present.empty())
    applyLoad(load, present);
}

void Solver::addStore(NodeId from, NodeId pointer, int64_t delta) {
  pointer = find(pointer);
  if (pointer == NoPointers || from == NoPointers)
    return;
  const Access store{from, delta};
  othersOf(pointer).stores.push_back(store);
  if (const LocationSet present = nodes_[pointer].pushed; !present.empty())
    applyStore(store, present);
}

void Solver::addStoreWithin(NodeId base, ArrayRef<Step> value, ArrayRef<Step> place) {
  base = find(base);
  if (base == NoPointers)
    return;
  StoreWithin store;
  for (const Step &step : value)
    store.value.push_back(stepping(NoPointers, step));
  for (const Step &step : place)
    store.place.push_back(stepping(NoPointers, step));
  othersOf(base).storesWithin.push_back(store);
  if (const LocationSet present = nodes_[base].pushed; !present.empty())
    applyStoreWithin(store, present);
}

void Solver::addStoreAnywhere(NodeId from, NodeId pointer) { addStore(from, pointer, Anywhere); }

void Solver::addLoadAnywhere(NodeId pointer, NodeId to) { addLoad(pointer, Anywhere, to); }

void Solver::addMemoryCopy(NodeId to, NodeId from, int64_t bytes) {
  to = find(to);
  from = find(from);
  if (to == NoPointers || from == NoPointers)
    return;
  unsigned index = unsigned(memoryCopies_.size());
  memoryCopies_.push_back({to, from, bytes, false});
  othersOf(to).memoryCopies.push_back(index);
  othersOf(from).memoryCopies.push_back(index);
  const LocationSet present = nodes_[from].pushed;
  applyMemoryCopies(from, index, present);
}

void Solver::addCall(NodeId callee, unsigned callSite) {
  callee = find(callee);
  if (callee == NoPointers)
    return;
  othersOf(callee).calls.push_back(callSite);
  LocationSet present = nodes_[callee].pushed;
  client_.calls(callSite, present);
}

void Solver::forgetConstraints() {
  keepSolution();
  std::vector<Node>().swap(nodes_);
  std::vector<IndexSet>().swap(targets_);
  std::vector<Others>().swap(others_);
  std::vector<MemoryCopy>().swap(memoryCopies_);
  std::vector<std::vector<Watch>>().swap(watches_);
  advanced_.shrink_and_clear();
  watched_ = llvm::DenseSet<std::tuple<LocationId, LocationId, int64_t>>();
}

void Solver::addEscape(NodeId node, const Instruction *cause) {
  if (cause && node != NoPointers)
    escapeCauses_.push_back({node, cause});
  addCopy(node, EscapedNode);
}

const Instruction *Solver::causeOfEscape(ObjectId object) const {
  for (auto [node, cause] : escapeCauses_) {
    DenseSet<ObjectId> seen;
    std::vector<NodeId> open = {node};
    while (!open.empty()) {
      NodeId next = open.back();
      open.pop_back();
      for (LocationId id : pointees(next)) {
        ObjectId reached = memory_.location(id).object;
        if (reached == object)
          return cause;
        if (memory_.object(reached).kind > ObjectKind::Arguments && seen.insert(reached).second)
          for (LocationId part : memory_.object(reached).locations)
            open.push_back(memory_.location(part).stored);
      }
    }
  }
  return nullptr;
}

LocationId Solver::locate(ObjectId object, const Shape &shape) {
  bool isNew = false;
  if (memory_.isDissolved(object))
    return memory_.object(object).locations.front();
  LocationId location = memory_.locate(object, shape, isNew);
  if (isNew)
    link(location);
  return location;
}

/// Gives a new location its nodes, and edges to and from the locations that overlap it.
void Solver::link(LocationId id) {
  ObjectId objectId = memory_.location(id).object;
  ObjectKind kind = memory_.object(objectId).kind;
  if (kind <= ObjectKind::Arguments || kind >= ObjectKind::Function) {
    NodeId shared = kind == ObjectKind::Unknown     ? EscapedNode
                    : kind == ObjectKind::Library   ? LibraryNode
                    : kind == ObjectKind::Arguments ? ArgumentsNode
                                                    : NoPointers;
    memory_.location(id).stored = memory_.location(id).loaded = shared;
    if (kind != ObjectKind::Function)
      opaque_.set(id);
    return;
  }
  NodeId stored = addNode(), loaded = addNode();
  Location &location = memory_.location(id);
  location.stored = stored;
  location.loaded = loaded;
  const Object &object = memory_.object(objectId);
  for (LocationId otherId : object.locations) {
    const Location &other = memory_.location(otherId);
    if (!overlap(location.shape, PointerBytes, other.shape, PointerBytes))
      continue;
    addCopy(other.stored, loaded);
    addCopy(stored, other.loaded);
  }
  if (object.escaped) { // a constant
    setEscaped(id);
    linkEscaped(location, true);
  }
  if (objectId < watches_.size()) {
    std::vector<Watch> watches = watches_[objectId];
    for (const Watch &watch : watches)
      copyLocation(watch, id);
  }
}

LocationId Solver::move(LocationId location, int64_t delta) {
  ObjectId object = memory_.location(location).object;
  if (delta == Anywhere)
    return locate(object, Shape::whole());
  if (delta == WithinBounds) {
    const Shape &shape = memory_.location(location).shape;
    return locate(object, shape.stride ? Shape{0, 1, shape.low, shape.high} : Shape::whole());
  }
  if (!delta)
    return location;
  return locate(object, memory_.advance(location, {delta, 0, Lowest, Highest, false}));
}

LocationId Solver::advance(LocationId location, const Stepping &stepping) {
  auto [place, isNew] = advanced_.try_emplace({location, stepping.index}, 0);
  if (!isNew)
    return place->second;
  ObjectId object = memory_.location(location).object;
  LocationId reached = locate(object, memory_.advance(location, stepping.step));
  advanced_[{location, stepping.index}] = reached;
  return reached;
}

void Solver::applyStep(const Stepping &stepping, const LocationSet &difference) {
  SmallVector<LocationId, 16> reached;
  for (LocationId location : difference)
    if (!stepping.step.text || memory_.mayBeText(memory_.location(location).object))
      reached.push_back(advance(location, stepping));
  add(stepping.to, LocationSet::of(reached));
}

/// Many locations of a large set have become one node. What is copied to lies anywhere in memory, so it is asked for
/// ahead: first who leads a node, then its targets' place, then these.
void Solver::applyLoad(const Access &load, const LocationSet &difference) {
  constexpr size_t Far = 24, Middle = 16, Near = 8; // nodes
  SmallVector<NodeId, 64> loaded;
  for (LocationId location : difference)
    loaded.push_back(memory_.location(move(location, load.delta)).loaded);
  loadedBy_.resize(nodes_.size(), 0);
  ++loads_;
  for (size_t i = 0; i < loaded.size(); ++i) {
    if (i + Far < loaded.size())
      __builtin_prefetch(&leader_[loaded[i + Far]]);
    if (i + Middle < loaded.size())
      __builtin_prefetch(&targets_[leader_[loaded[i + Middle]]]);
    if (i + Near < loaded.size())
      targets_[leader_[loaded[i + Near]]].fetch();
    const NodeId from = find(loaded[i]);
    if (std::exchange(loadedBy_[from], loads_) != loads_)
      addCopy(from, load.value);
  }
}

/// What addCopy() does for each location, all at once.
void Solver::applyStore(const Access &store, const LocationSet &difference) {
  SmallVector<NodeId, 16> stored;
  for (LocationId location : difference)
    if (!isConstant(location))
      stored.push_back(memory_.location(move(location, store.delta)).stored);
  const NodeId from = find(store.value);
  if (from == NoPointers)
    return;
  SmallVector<NodeId, 16> reached;
  for (NodeId node : stored)
    if (NodeId to = find(node); to != from && to != NoPointers)
      reached.push_back(to);
  IndexSet added = IndexSet::of(reached);
  added -= targets_[from];
  if (!(targets_[from] |= added))
    return;
  changed_ = true;
  for (NodeId to : added)
    grow(to, nodes_[from].pushed); // the rest follows as a difference
}

void Solver::applyStoreWithin(const StoreWithin &store, const LocationSet &difference) {
  for (const LocationId location : difference) {
    if (isConstant(location))
      continue;
    LocationId value = location, place = location;
    for (const Stepping &step : store.value)
      value = advance(value, step);
    for (const Stepping &step : store.place)
      place = advance(place, step);
    addAddress(memory_.location(place).stored, value);
  }
}

void Solver::applyMemoryCopies(NodeId node, ArrayRef<unsigned> copies,
                               const LocationSet &difference) {
  for (unsigned index : copies) {
    const MemoryCopy copy = memoryCopies_[index];
    if (copy.coarse)
      continue;
    NodeId to = find(copy.to), from = find(copy.from);
    const LocationSet targets = nodes_[to].pointees, sources = nodes_[from].pointees;
    if (targets.count() * sources.count() > MostCopies) {
      copyCoarsely(index);
      continue;
    }
    for (LocationId target : to == node ? difference : targets)
      for (LocationId source : sources)
        watch({source, target, copy.bytes});
    if (from != node)
      continue;
    for (LocationId target : targets)
      for (LocationId source : difference)
        watch({source, target, copy.bytes});
  }
}

void Solver::copyCoarsely(unsigned index) {
  memoryCopies_[index].coarse = true;
  NodeId copied = addNode();
  addLoad(memoryCopies_[index].from, WithinBounds, copied);
  addStore(copied, memoryCopies_[index].to, WithinBounds);
}

/// From now on, each location of the source's object that lies in what is copied has its
/// counterpart in the target's.
void Solver::watch(const Watch &watch) {
  if (isConstant(watch.to) || !watched_.insert({watch.from, watch.to, watch.bytes}).second)
    return;
  ObjectId object = memory_.location(watch.from).object;
  if (memory_.object(object).kind <= ObjectKind::Arguments ||
      memory_.object(memory_.location(watch.to).object).kind <= ObjectKind::Arguments)
    return copyOpaque(watch);
  if (watches_.size() <= object)
    watches_.resize(object + 1);
  watches_[object].push_back(watch);
  std::vector<LocationId> locations = memory_.object(object).locations;
  for (LocationId location : locations)
    copyLocation(watch, location);
  if (memory_.object(object).escaped && !memory_.object(object).constant)
    copyOpaque(watch);
}

/// One of the two is memory whose layout is not known: pointers may come from, or go, anywhere.
void Solver::copyOpaque(const Watch &watch) {
  LocationId target = move(watch.to, Anywhere);
  LocationId source = move(watch.from, Anywhere);
  addCopy(memory_.location(source).loaded, memory_.location(target).stored);
}

void Solver::copyLocation(const Watch &watch, LocationId id) {
  const Location location = memory_.location(id), from = memory_.location(watch.from),
                 to = memory_.location(watch.to);
  if (!overlap(from.shape, watch.bytes, location.shape, PointerBytes))
    return;
  bool exact = !from.shape.stride && !location.shape.stride;
  if (exact && location.shape.offset < from.shape.offset)
    return; // the end of a pointer that begins before
  Shape target = to.shape;
  int64_t stride = std::gcd(from.shape.stride, std::gcd(location.shape.stride, to.shape.stride));
  int64_t delta = location.shape.offset - from.shape.offset;
  if (from.shape.stride && from.shape.stride == location.shape.stride && !to.shape.stride &&
      watch.bytes <= stride) { // one element of an array of structures into a structure
    delta = ((delta % stride) + stride) % stride;
    stride = 0;
  }
  if (stride) {
    target.offset = (((to.shape.offset + delta) % stride) + stride) % stride;
    if (!to.shape.stride && watch.bytes < Highest) {
      target.low = to.shape.offset;
      target.high = to.shape.offset + watch.bytes;
    }
  } else {
    target.offset = to.shape.offset + delta;
  }
  target.stride = stride;
  int64_t size = memory_.object(to.object).bytes;
  if (!stride && size && (target.offset < 0 || target.offset >= size))
    return;
  LocationId targetId = locate(to.object, target);
  addCopy(location.stored, memory_.location(targetId).stored);
}

} // namespace gnomon::pointsto
