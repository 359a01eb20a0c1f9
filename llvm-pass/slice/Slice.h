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
#include "slice/Needs.h"
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
  /// Calls outside of \p running, which may grow, hand nothing on to functions: bursts that may be skipped leave them out.
  /// Null, as at first: all do.
  void setRunning(const Scope *running) { running_ = running; }

  /// A reason why something must be right. \p text names what rests on it, with % for its place:
  /// "the count of MPI_Send (%)".
  struct Root {
    llvm::StringRef text;
    const llvm::Instruction *at;
    int node = -1; ///< that asks in its stead: of a point; below 0: none
  };
  using RootId = unsigned;
  RootId addRoot(std::string text, const llvm::Instruction &at);
  /// The same with a text that lives longer than the slice.
  RootId addLastingRoot(llvm::StringRef text, const llvm::Instruction &at);
  /// The same of what \p read needs in order to be executed, one that mayBeUnread. Nothing: its value is given, and it is
  /// only passed.
  std::optional<RootId> addRootWhereRead(llvm::StringRef text, const llvm::Instruction &read);

  void needValue(const llvm::Value &value, RootId root);
  void needCell(Cell cell, RootId root);
  /// What Needs has that number.
  void need(Needs::Id node, RootId root);
  /// Soon something needs what Needs has that number.
  void expect(Needs::Id node) const {
    if (node < states_.size())
      __builtin_prefetch(&states_[node]);
  }
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
  /// The same whenever its function is entered: on memory that this has for itself.
  void needLocal(const llvm::Instruction &instruction, RootId root);
  /// Follows everything that was asked for. May be called again after more was.
  void close();
  /// From now on nothing more is followed once one of \p instructions has become relevant.
  void stopAt(llvm::ArrayRef<const llvm::Instruction *> instructions);
  bool hasStopped() const { return stopped_; }

  bool isRelevant(const llvm::Instruction &instruction) const {
    return relevantBy(instruction) != 0;
  }
  /// Of a call that is relevant: only for what it returns, not for what it does.
  bool isOnlyAsked(const llvm::CallBase &call) const {
    return !stateOf(needs_.find(Needs::Keep, &call)).node &&
           !stateOf(needs_.find(Needs::Effect, &call)).node &&
           !stateOf(needs_.find(Needs::Local, &call)).node;
  }
  bool isRelevant(Cell cell) const {
    return stateOf(needs_.find(cell)).node || stateOf(needs_.findAddresses(cell)).node;
  }
  /// Whether the value is given, or could be.
  bool mayBeGiven(const llvm::Instruction &value) const {
    return given_.values.contains(&value) || (demands_ && candidates_->values.contains(&value));
  }
  /// Whether it is a value that is left unread where it is given, and is given, or could be.
  bool mayBeUnread(const llvm::Instruction &value) const {
    return given_.unread.contains(&value) || (demands_ && candidates_->unread.contains(&value));
  }
  /// Whether the value must be right in code of the scope.
  bool isNeeded(const llvm::Value &value) const {
    return stateOf(needs_.find(Needs::Value, &value)).node != 0;
  }
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
  using Id = Needs::Id;
  struct Node {
    Id id;
    int parent; ///< index of the node that needs it; below 0: -1 - root
  };
  /// Of each id.
  struct State {
    unsigned node = 0;     ///< 1 + its node; of a set, not 0 when it has been entered
    unsigned relevant = 0; ///< 1 + the first node by which the instruction is; 0: it is not
  };
  State stateOf(Id id) const { return id < states_.size() ? states_[id] : State(); }
  unsigned relevantBy(const llvm::Instruction &instruction) const {
    return stateOf(needs_.find(Needs::Value, &instruction)).relevant;
  }
  /// Of what has been asked for from outside.
  void need(Needs::Kind kind, const void *item, RootId root);
  int parentOf(RootId root) const {
    const int node = roots_[root].node;
    return node < 0 ? -1 - static_cast<int>(root) : node;
  }
  int addPoint(const void *point, int parent);
  void add(Id id, int parent, Demands::Through through = Demands::Through::All);
  void addEdge(int from, int to, Demands::Through through = Demands::Through::All);
  void enter(Id set, bool anew);
  void markRelevant(Id instruction);
  void follow(Id id);
  bool isGiven(Id value);
  bool isKnown(Id value);
  void addRun(const llvm::BasicBlock &block, int parent,
              Demands::Through through = Demands::Through::All);
  void followWhatCameIn();
  void followWhatRuns();
  void followAgain(const std::vector<bool> &reached);
  void fetchAhead() const;
  void fit();
  void setScope(const Scope &scope);
  /// Of a block's id. Asked while a node is followed: one that came to code outside is followed again when the scope has
  /// that.
  bool inScope(Id block);
  /// The same of code that is left out, and of a node that comes to it.
  bool runs(Id block);
  enum class Where : uint8_t { NotAsked, Inside, Later, Outside };
  Where where(Id block);

  const MemoryUse &memory_;
  Needs &needs_;
  const Scope *scope_;
  const Scope &widest_;
  const Points &given_;
  llvm::DenseSet<const void *> asked_;
  Demands *demands_ = nullptr;
  const Points *candidates_ = nullptr;
  bool checks_ = false; ///< whether values may be given, be candidates, or be known
  /// Blocks outside the scope, and the nodes that came to them.
  std::vector<std::pair<Id, int>> outside_;
  const Scope *running_ = nullptr;
  std::vector<std::pair<Id, int>>
      leftOut_;            ///< blocks outside of it, and the nodes that came to them
  std::vector<int> known_; ///< nodes that stopped at what is known in the scope
  size_t earlier_ = 0;     ///< nodes of narrower scopes
  bool widened_ = false;   ///< and what came in has not been followed
  bool again_ = false;     ///< the node being followed has been followed before
  std::vector<Root> roots_;
  std::deque<std::string> texts_; ///< of roots, where nobody else keeps them
  std::vector<Node> nodes_;
  size_t followed_ = 0; // nodes_ before it are done
  int current_ = 0;     // the node being followed
  std::vector<State> states_;
  std::vector<Where> places_; ///< of blocks, by their ids
  llvm::DenseSet<Id> stops_;
  bool stopped_ = false;
};

} // namespace gnomon
