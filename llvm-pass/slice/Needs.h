// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each thing that a slice may need rests on in its turn, whichever scope the slice has: found when it is first asked
/// for, and kept for all slices of the program, of which there are a dozen and more. Of a branch, say: its operands, and
/// that its block runs. So a slice walks over arrays of numbers and looks at no code.
///
/// What is needed of a node is a list of steps. Some hold only while a block is in the scope.
#pragma once

#include "points-to/Interned.h"
#include "points-to/PointsTo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace gnomon {

class MemoryUse;
class Program;

/// A nonblocking or persistent call, and a window, act on memory long after they were called.
bool actsLater(const Program &program, const llvm::Instruction &writer);

class Needs {
public:
  /// Of a value, instruction, block, function or cell: what of it is needed. Of a value: that it is right where it is
  /// computed. Run: that the block runs where it should when its function is entered; Entry: that it is. A function of
  /// which nobody needs more than what it gives back need not be entered by those who do not ask for that. Local: that an
  /// instruction does what it does when its function is entered. Memory: what lies in the cell; Addresses: those of it that
  /// are addresses. Set: what is needed of all members of a set.
  enum Kind : unsigned { Value, Run, Keep, Effect, Local, Entry, Result, Memory, Addresses, Set };
  using Id = uint32_t;
  static constexpr Id Nothing = 0; ///< a set without members

  struct Step {
    enum What : unsigned {
      Add,      ///< the node is needed
      Relevant, ///< the instruction, a Value, is
      Enter,    ///< the set is needed, once in a slice
      EnterAnew, ///< the same, again where the scope has been widened: its members are where their blocks are
      Check,   ///< the value may be given or known: then all that follows is left out
      Require, ///< the same while the block, a Run, is not in the scope
      Guard, ///< what follows is left out while the block is not in the scope, until the next Guard or Always
      Runs, ///< the same while the block, which is in the scope, is left out where bursts are skipped
      Always, ///< what follows counts again
    };
    What what : 4;
    Id node : 28;
  };

  explicit Needs(const MemoryUse &memory);

  size_t size() const { return nodes_.size(); }
  /// Makes it where there is none yet.
  Id of(Kind kind, const void *item);
  Id of(Cell cell);
  Id ofAddresses(Cell cell);
  /// Nothing: nobody has asked for it.
  Id find(Kind kind, const void *item) const { return table_[placeOf(kind, item)]; }
  Id find(Cell cell) const { return cells_[cell]; }
  Id findAddresses(Cell cell) const { return addresses_.lookup(cell); }

  Kind kind(Id node) const { return nodes_[node].kind; }
  static bool isOfCell(Kind kind) { return kind == Memory || kind == Addresses; }
  /// The cell's number for Memory and Addresses.
  const void *item(Id node) const { return nodes_[node].item; }

  /// As places of steps, which stay where they are while others are made.
  struct Range {
    uint32_t begin, end;
  };
  Range steps(Id node) {
    if (nodes_[node].begin == Unmade)
      make(node);
    return {nodes_[node].begin, nodes_[node].end};
  }
  Step step(uint32_t place) const { return steps_[place]; }

  /// For what is asked about soon: the node, then, when that is there, its steps.
  void fetch(Id node) const { __builtin_prefetch(&nodes_[node]); }
  void fetchSteps(Id node) const {
    if (const Node &there = nodes_[node]; there.begin != Unmade)
      __builtin_prefetch(steps_.data() + there.begin);
  }

private:
  static constexpr uint32_t Unmade = (1U << 28) - 1;
  struct Node {
    const void *item;
    Kind kind : 4;
    uint32_t begin : 28;
    uint32_t end;
  };
  static_assert(sizeof(Node) == 16);
  using Steps = llvm::SmallVector<Step, 16>;

  Id addNode(Kind kind, const void *item);
  size_t placeOf(Kind kind, const void *item) const;
  void growTable();
  void make(Id node);
  void keep(Id node, llvm::ArrayRef<Step> steps);
  void makeSteps(Kind kind, const void *item);
  void fillSet(Id node, llvm::function_ref<void()> members);
  Id setOf(const void *set, unsigned part, llvm::function_ref<void()> members);

  void emit(Step::What what, Id node) { now_->push_back({what, node}); }
  void add(Kind kind, const void *item);
  void add(Cell cell) { emit(Step::Add, of(cell)); }
  void markRelevant(const llvm::Instruction &instruction);
  void require(const llvm::BasicBlock &block) { emit(Step::Require, of(Run, &block)); }
  void guard(const llvm::BasicBlock &block) { emit(Step::Guard, of(Run, &block)); }
  void guardWriter(const llvm::Instruction &writer);

  void followValue(const llvm::Instruction &instruction);
  void followArgument(const llvm::Argument &argument);
  void followArgumentOf(const llvm::CallBase &call, unsigned index);
  void followPhi(const llvm::PHINode &phi);
  void followCall(const llvm::CallBase &call);
  void followExternal(const llvm::CallBase &call);
  bool putsFlagsAside(const llvm::Instruction &writer, Cell cell) const;
  bool makesOwnData(const llvm::Instruction &writer, Cell cell) const;
  bool isLibrarysOwn(const llvm::Instruction &writer, Cell cell) const;
  void followMemory(Cell cell, bool onlyAddresses);
  void followCopyOfShapes(const llvm::Instruction &copy);
  void followCopyOfElements(const llvm::Instruction &copy);
  void followTransfer(const llvm::Instruction &transfer);
  void addPassing(const llvm::BasicBlock &block);
  void followRun(const llvm::BasicBlock &block);
  void followEffect(const llvm::Instruction &instruction);
  void followLocal(const llvm::Instruction &instruction);
  void followMpi(const llvm::CallBase &call);
  bool followPassed(const llvm::Instruction &writer, Cell cell);
  void followHandedCopies(const llvm::CallBase &call);
  void followEntry(const llvm::Function &function);
  void enterBy(const llvm::CallBase &call);
  void enterByOne(llvm::ArrayRef<const llvm::CallBase *> callers);
  void followResult(const llvm::Function &function);
  void needOperands(const llvm::Instruction &instruction);
  void needResults(const llvm::CallBase &call);
  void needReads(const llvm::Instruction &instruction);
  void needCells(llvm::ArrayRef<Cell> cells);
  void addPassed(llvm::ArrayRef<Cell> reads, const llvm::Argument &argument);
  void needPassed(llvm::ArrayRef<Cell> reads, const llvm::Argument &argument);

  const MemoryUse &memory_;
  const Program &program_;
  std::vector<Node> nodes_;
  std::vector<Step> steps_;
  /// Of all but cells and sets, by item and kind: numbers alone, a quarter of what a map takes. Nothing: a free place.
  std::vector<Id> table_;
  size_t taken_ = 0;
  std::vector<Id> cells_;
  llvm::DenseMap<Cell, Id> addresses_;
  /// Sets: of cells, of functions whose results, of calls whose blocks or whose argument of that number is needed, and of
  /// what a copy takes along.
  llvm::DenseMap<std::pair<const void *, unsigned>, Id> sets_;
  /// Of what is read at addresses that are arguments.
  llvm::DenseMap<std::pair<const void *, const llvm::Argument *>, Id> passed_;
  static constexpr unsigned Entered = ~0U - 2, Whole = ~0U - 3, Shapes = ~0U - 4,
                            Transferred = ~0U - 5, Elements = ~0U - 6, Frees = ~0U - 7;
  Interned<const llvm::CallBase *> passingCalls_; ///< of a function, that pass some object
  Steps *now_ = nullptr;                          ///< of what is being made
};

} // namespace gnomon
