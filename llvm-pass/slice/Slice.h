// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The backward slice: from what must be right (roots) to every instruction, piece of memory,
/// branch and message on which it may depend. Flow-sensitive in SSA values, flow-insensitive in
/// memory (PointsTo's cells), through calls without context, and through messages by channel.
///
/// Only code of a scope counts: the blocks that can still run from some point of the program on.
/// What ran before is exact, whatever is skipped later. A scope may be widened, and what is relevant
/// stays so: the slice of a wide scope costs no more for those of narrow ones on the way to it.
#pragma once

#include "slice/Demands.h"
#include "slice/MemoryUse.h"
#include "slice/Scope.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gnomon {

/// Whether the instruction may write to memory while code of the scope runs: it lies there, or it is a nonblocking or
/// persistent call, or of a window, which act long after they were called.
bool mayActIn(const Program &program, const Scope &scope, const llvm::Instruction &writer);

class Slice {
public:
  /// \p widest: what the scope may be widened to. Values of \p given come from elsewhere: they are right as soon as
  /// they are passed.
  Slice(const MemoryUse &memory, const Scope &scope, const Scope &widest,
        const Points &given = noPoints());
  static const Points &noPoints();
  /// Makes room for nearly all of the program's instructions at once.
  void expectWholeProgram();
  /// From now on all that is asked for is written down in \p demands, where \p candidates may be given. Before anything
  /// was asked, and in a scope that is not widened.
  void record(Demands &demands, const Points &candidates);
  /// From now on code of \p scope, which holds the present one, counts.
  void widen(const Scope &scope);

  /// A reason why something must be right. \p text names what rests on it, with % for its place:
  /// "the count of MPI_Send (%)".
  struct Root {
    llvm::StringRef text;
    const llvm::Instruction *at;
  };
  using RootId = unsigned;
  RootId addRoot(std::string text, const llvm::Instruction &at);
  /// The same with a text that lives longer than the slice.
  RootId addLastingRoot(llvm::StringRef text, const llvm::Instruction &at);

  void needValue(const llvm::Value &value, RootId root);
  void needCell(Cell cell, RootId root);
  /// What MPI reads where the argument points.
  void needArgument(const llvm::CallBase &call, unsigned index, llvm::ArrayRef<Cell> cells,
                    RootId root);
  /// That the block runs as often as it should.
  void needRun(const llvm::BasicBlock &block, RootId root);
  /// That the instruction runs when it should, whatever becomes of its operands: what cannot be
  /// skipped.
  void keep(const llvm::Instruction &instruction, RootId root);
  /// That the instruction does what it does: it runs, with the right operands.
  void needEffect(const llvm::Instruction &instruction, RootId root);
  /// Follows everything that was asked for. May be called again after more was.
  void close();
  /// From now on nothing more is followed once one of \p instructions has become relevant.
  void stopAt(llvm::ArrayRef<const llvm::Instruction *> instructions);
  bool hasStopped() const { return stopped_; }

  bool isRelevant(const llvm::Instruction &instruction) const {
    return seen_.lookup(&instruction).relevant != 0;
  }
  /// Of a call that is relevant: only for what it returns, not for what it does.
  bool isOnlyAsked(const llvm::CallBase &call) const {
    return (seen_.lookup(&call).kinds & (1U << Keep | 1U << Effect)) == 0;
  }
  bool isRelevant(Cell cell) const { return cells_[cell] != 0; }
  /// Whether something rests on the point, one of those given.
  bool isAsked(const void *point) const { return asked_.contains(point); }
  /// Why the instruction is relevant, as the way from it to its root.
  struct Way {
    const Root *root = nullptr;
    /// Branches behind which only control leads on to the root; the first has the data in its
    /// condition.
    llvm::SmallVector<const llvm::Instruction *, 2> deciders;
    /// The comparison with the data in it that they are decided by; null: there is none.
    const llvm::Instruction *condition = nullptr;
    /// The last instruction on the way that has a place in the source: where the data are used.
    const llvm::Instruction *use = nullptr;
    /// Memory that the data pass through: nearest to the instruction, and nearest to the root.
    std::optional<Cell> first, last;
    /// The first value on the way that has a name in the source; null: none has.
    const llvm::Value *value = nullptr;
  };
  /// Nothing when the instruction is not relevant.
  std::optional<Way> way(const llvm::Instruction &instruction) const;
  /// The instructions and blocks on that way, from the instruction on.
  llvm::SmallVector<const llvm::Value *, 0> itemsOnWay(const llvm::Instruction &instruction) const;

private:
  enum Kind : unsigned { Value, Run, Keep, Effect, Entry, Result, Memory, Set };
  struct Node {
    Node(Kind kind, const void *item, int parent, unsigned other = 0)
        : item(item), parent(parent), kind(kind), other(other) {}
    /// A value, instruction, block or function; for Memory: the cell's number; for Set: what is needed of all its members
    /// (of a point's argument: the use).
    const void *item;
    int parent; // index of the node that needs it; below 0: -1 - root
    Kind kind : 3;
    unsigned other : 29; ///< 1 + a node of another kind of the same item; 0: there is none
  };
  static_assert(sizeof(Node) == 16);
  void add(Kind kind, const void *item, int parent,
           Demands::Through through = Demands::Through::All);
  void add(Cell cell, int parent);
  void addEdge(int from, int to, Demands::Through through = Demands::Through::All);
  /// Calls \p follow for what is needed of all members of a set, once.
  void forSet(const void *set, unsigned part, bool anew, llvm::function_ref<void()> follow);
  void markRelevant(const llvm::Instruction &instruction);
  void followValue(const llvm::Instruction &instruction);
  void followArgument(const llvm::Argument &argument);
  void followArgumentOf(const llvm::CallBase &call, unsigned index);
  bool followKnown(const llvm::Instruction &instruction);
  void followPhi(const llvm::PHINode &phi);
  void followCall(const llvm::CallBase &call);
  void followExternal(const llvm::CallBase &call);
  bool makesOwnData(const llvm::Instruction &writer, Cell cell) const;
  bool isLibrarysOwn(const llvm::Instruction &writer, Cell cell) const;
  void followMemory(Cell cell);
  void followCopyOfShapes(const llvm::Instruction &copy);
  void followCopyOfElements(const llvm::Instruction &copy);
  void followTransfer(const llvm::Instruction &transfer);
  void followRun(const llvm::BasicBlock &block);
  void followEffect(const llvm::Instruction &instruction);
  void followMpi(const llvm::CallBase &call);
  void followEntry(const llvm::Function &function);
  void followResult(const llvm::Function &function);
  void needOperands(const llvm::Instruction &instruction);
  void needResults(const llvm::CallBase &call);
  void needReads(const llvm::Instruction &instruction);
  void follow(const Node &node);
  void followWhatCameIn();
  void fetchAhead() const;
  /// Asked while a node is followed: one that came to code outside is followed again when the scope
  /// has that.
  bool inScope(const llvm::BasicBlock &block);
  bool inScope(const llvm::Instruction &instruction) { return inScope(*instruction.getParent()); }
  bool mayActInScope(const llvm::Instruction &writer);

  const MemoryUse &memory_;
  const Program &program_;
  const Scope *scope_;
  const Scope &widest_;
  const Points &given_;
  llvm::DenseSet<const void *> asked_;
  Demands *demands_ = nullptr;
  const Points *candidates_ = nullptr;
  /// While demands are recorded: nodes of sets, by part.
  llvm::DenseMap<std::pair<const void *, unsigned>, int> numbers_;
  /// Blocks outside the scope, and the nodes that came to them.
  std::vector<std::pair<const llvm::BasicBlock *, int>> outside_;
  std::vector<int> known_; ///< nodes that stopped at what is known in the scope
  size_t earlier_ = 0;     ///< nodes of narrower scopes
  bool widened_ = false;   ///< and what came in has not been followed
  bool again_ = false;     ///< the node being followed has been followed before
  std::vector<Root> roots_;
  std::deque<std::string> texts_; ///< of roots, where nobody else keeps them
  std::vector<Node> nodes_;
  size_t followed_ = 0; // nodes_ before it are done
  int current_ = 0;     // the node being followed
  struct Seen {
    uint64_t kinds : 6 = 0;     ///< a bit each; memory is in cells_, sets are in seenSets_
    uint64_t node : 29 = 0;     ///< 1 + the last of its nodes
    uint64_t relevant : 29 = 0; ///< 1 + the first node by which the instruction is; 0: it is not
  };
  static_assert(sizeof(Seen) == 8);
  llvm::DenseMap<const void *, Seen> seen_;
  /// Sets that have been followed: of cells, of functions whose results, of calls whose blocks or whose argument of
  /// that number is needed, and of what a copy takes along.
  llvm::DenseSet<std::pair<const void *, unsigned>> seenSets_;
  static constexpr unsigned Entered = ~0U - 2, Whole = ~0U - 3, Shapes = ~0U - 4,
                            Addresses = ~0U - 5, Elements = ~0U - 6;
  std::vector<unsigned> cells_; ///< 1 + its node; 0: not needed
  llvm::DenseSet<const llvm::Instruction *> stops_;
  bool stopped_ = false;
};

} // namespace gnomon
