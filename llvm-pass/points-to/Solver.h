// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inclusion constraints between sets of locations, and their least solution.
///
/// A node stands for a pointer: an SSA value, or the pointers that are kept at a location. With
/// P(n) the set of node n:
///
///     copy   f → t          P(t) ⊇ P(f)
///     step   f → t, s       P(t) ⊇ { l advanced by s | l ∈ P(f) }
///     load   p, d → t       P(t) ⊇ P(loaded(l + d)),  l ∈ P(p)
///     store  f → p, d       P(stored(l + d)) ⊇ P(f),  l ∈ P(p)
///     within b, s, t        P(stored(l advanced by t)) ∋ l advanced by s,  l ∈ P(b)
///     memory copy           P(stored(l + k)) ⊇ P(stored(m + k)),  l ∈ P(to), m ∈ P(from)
///
/// and loaded(l) ⊇ stored(m) for all m that overlap l in the same object: so a store with a
/// variable index reaches every field that it may hit, without mixing these with each other.
///
/// The solution is found in waves (Pereira and Berlin, "Wave propagation and deep propagation for
/// pointer analysis", 2009): cycles of copies are made one node, differences are pushed in
/// topological order, then the other constraints add their edges; until nothing changes.
///
/// Two things keep that near linear. What has escaped is one memory with what unknown code owns, so
/// a set that holds Unknown does not list it (implicit pointees: Krogstie, Bahmann, Själander and
/// Reissmann, "PIP: making Andersen's points-to analysis sound and practical for incomplete C
/// programs", CGO 2026). And where sets grow all the same (a step hands one element from one set to
/// another), the objects of the largest sets are pooled with that memory, then those of smaller
/// ones: less is told apart, and nothing that is said becomes wrong. The last stage is one set for
/// all, which is linear.
#pragma once

#include "points-to/IndexSet.h"
#include "points-to/Memory.h"

#include "llvm/ADT/DenseSet.h"

#include <tuple>

namespace llvm {
class Function;
} // namespace llvm

namespace gnomon::pointsto {

using LocationSet = IndexSet;

/// Who is told what the solver finds, and may add nodes and constraints then.
class SolverClient {
public:
  /// What the pointer that is called has been found to refer to.
  virtual void calls(unsigned callSite, const LocationSet &callees) = 0;
  virtual void escapes(ObjectId object) = 0;

protected:
  ~SolverClient() = default;
};

constexpr NodeId NoPointers = 0, EscapedNode = 1, LibraryNode = 2, ArgumentsNode = 3;

class Solver {
public:
  Solver(Memory &memory, SolverClient &client);

  NodeId addNode();
  void addAddress(NodeId node, LocationId location);
  void addCopy(NodeId from, NodeId to);
  void addStep(NodeId from, NodeId to, const Step &step);
  void addLoad(NodeId pointer, int64_t delta, NodeId to);
  void addStore(NodeId from, NodeId pointer, int64_t delta);
  /// A pointer into an object is stored in the same object: `base` advanced by the steps to the value, at the place where
  /// `base` advanced by those to the place points. Of n objects each refers to itself, and not to the n - 1 others.
  void addStoreWithin(NodeId base, llvm::ArrayRef<Step> value, llvm::ArrayRef<Step> place);
  /// Like a store and a load anywhere in the objects that `pointer` refers to.
  void addStoreAnywhere(NodeId from, NodeId pointer);
  void addLoadAnywhere(NodeId pointer, NodeId to);
  /// `bytes` is Highest where it is not known.
  void addMemoryCopy(NodeId to, NodeId from, int64_t bytes);
  void addCall(NodeId callee, unsigned callSite);
  /// What `node` refers to becomes part of the memory that unknown code reaches.
  void addEscape(NodeId node, const llvm::Instruction *cause);

  LocationId locate(ObjectId object, const Shape &shape);
  void solve();
  /// Frees all but the solution: nothing may be added from now on.
  void forgetConstraints();
  /// Whether it came to its end; else what it says is not all.
  bool complete() const { return spent_ <= MostSteps; }
  /// Objects that were given up to unknown memory because the program is large: 0 for most.
  unsigned pooled() const { return pooled_; }
  /// Equal ones are one set once the constraints are forgotten.
  const LocationSet &pointees(NodeId node) const {
    return solution_.empty() ? nodes_[find(node)].pointees : solution_[leader_[node]];
  }
  /// The first cause by which something escaped that leads to the object; null: none is known.
  const llvm::Instruction *causeOfEscape(ObjectId object) const;

private:
  class Cycles;

  /// Elements handed from set to set: about a second's work per thirty million.
  static constexpr uint64_t MostSteps = 4'000'000'000;
  uint64_t spent_ = 0;
  uint64_t budget_;        ///< steps until pooling begins, and then for each of its stages
  uint64_t limit_;         ///< of spent_ in this stage
  unsigned largest_ = ~0u; ///< sets of more locations than that are pooled
  unsigned pooled_ = 0;
  struct Stepping {
    NodeId to;
    unsigned index; ///< of the step
    Step step;
  };
  struct Access {
    NodeId value;
    int64_t delta; ///< or Anywhere (the whole object), or WithinBounds
  };
  struct StoreWithin {
    llvm::SmallVector<Stepping, 1> value, place; ///< from the base on; their `to` is not used
  };
  struct Others {
    llvm::SmallVector<Stepping, 0> steps;
    llvm::SmallVector<Access, 0> loads, stores;
    llvm::SmallVector<StoreWithin, 0> storesWithin;
    llvm::SmallVector<unsigned, 0> memoryCopies, calls;
  };
  struct Node {
    LocationSet pointees, pushed;
    uint32_t others = 0; ///< index into others_; 0: none
    /// escapes_ when `pointees` and `pushed` were reduced and found to be the same; or one of these.
    uint32_t settled = Always;
  };
  static constexpr uint32_t Never = ~0U;      ///< `pointees` has grown since
  static constexpr uint32_t Always = ~0U - 1; ///< without unknown memory: nothing reduces it
  struct MemoryCopy {
    NodeId to, from;
    int64_t bytes;
    bool coarse; ///< between so many objects that fields are not told apart
  };
  struct Watch {
    LocationId from, to;
    int64_t bytes;
    auto operator<=>(const Watch &) const = default;
  };
  static constexpr int64_t Anywhere = Highest;
  /// As far as the pointer's bounds let it go: in the room of a string, not all around it in the same structure.
  static constexpr int64_t WithinBounds = Highest - 1;

  Memory &memory_;
  SolverClient &client_;
  mutable std::vector<NodeId> leader_; ///< of a cycle; in the end, the place in solution_
  std::vector<Node> nodes_;
  std::vector<LocationSet> solution_; ///< none: it has not been found
  std::vector<IndexSet> targets_; ///< of copies, by node: the search for cycles reads nothing else
  std::vector<Others> others_;
  std::vector<MemoryCopy> memoryCopies_;
  std::vector<std::vector<Watch>> watches_; ///< by the object that is copied from
  std::map<Step, unsigned> stepNumbers_;
  llvm::DenseMap<std::pair<LocationId, unsigned>, LocationId> advanced_;
  llvm::DenseSet<std::tuple<LocationId, LocationId, int64_t>> watched_;
  std::vector<std::pair<NodeId, const llvm::Instruction *>> escapeCauses_;
  LocationSet escaped_;             ///< locations of objects that have escaped
  uint32_t escapes_ = 0;            ///< how often `escaped_` has grown
  LocationSet opaque_;              ///< of Unknown, Library, Arguments, State
  std::vector<uint32_t> loadedBy_;  ///< by node: the last load that it was copied from for
  uint32_t loads_ = 0;              ///< applied so far
  std::vector<NodeId> joinEscaped_; ///< nodes that have become the same as EscapedNode
  bool changed_ = false;

  NodeId find(NodeId node) const {
    while (leader_[node] != node) {
      leader_[node] = leader_[leader_[node]];
      node = leader_[node];
    }
    return node;
  }
  bool grow(NodeId leader, const LocationSet &more);
  bool isSettled(const Node &node) const {
    return node.settled == Always || node.settled == escapes_;
  }
  void setEscaped(LocationId location) { escapes_ += escaped_.insert(location); }
  Others &othersOf(NodeId node);
  void merge(NodeId into, NodeId from, llvm::SmallVectorImpl<NodeId> &moved);
  void addTargets(NodeId node, llvm::SmallVectorImpl<NodeId> &more);
  void add(NodeId node, const LocationSet &locations);
  void link(LocationId location);
  void linkEscaped(const Location &location, bool constant);
  void reduce(Node &node) const;
  void reduceAll();
  void keepSolution();
  void poolLarge();
  Stepping stepping(NodeId to, const Step &step);
  LocationId advance(LocationId location, const Stepping &stepping);
  LocationId move(LocationId location, int64_t delta);
  std::vector<NodeId> orderAndCollapse();
  struct Wave {
    std::vector<std::pair<NodeId, LocationSet>> differences; ///< of nodes with other constraints
    LocationSet escaping;
  };
  Wave pushDifferences(const std::vector<NodeId> &order);
  void applyOthers(NodeId node, const LocationSet &difference);
  void applyStep(const Stepping &stepping, const LocationSet &difference);
  void applyLoad(const Access &load, const LocationSet &difference);
  void applyStore(const Access &store, const LocationSet &difference);
  /// Nobody writes there, whatever set it is in.
  bool isConstant(LocationId location) const {
    return memory_.object(memory_.location(location).object).constant;
  }
  void applyStoreWithin(const StoreWithin &store, const LocationSet &difference);
  void applyMemoryCopies(NodeId node, llvm::ArrayRef<unsigned> copies,
                         const LocationSet &difference);
  void copyCoarsely(unsigned index);
  void watch(const Watch &watch);
  void copyLocation(const Watch &watch, LocationId location);
  void copyOpaque(const Watch &watch);
  unsigned applyEscapes(const LocationSet &difference);
};

} // namespace gnomon::pointsto
