// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What must be right. For the communication: control arguments of MPI calls and that they run,
/// sizes of allocations, what leaves the program or comes into it. For the safety of code that runs
/// on data which skipped bursts did not compute: addresses, integer divisors, exits of loops.
#pragma once

#include "bursts/Console.h"
#include "bursts/Regions.h"
#include "bursts/Sites.h"
#include "bursts/WrittenFiles.h"
#include "slice/Slice.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/LoopInfo.h"

#include <map>

namespace gnomon {

/// The argument of a call of MPI, for people: "the count of MPI_Send".
std::string mpiArgumentText(const MpiFunction &mpi, unsigned index);

class Roots {
public:
  Roots(const MemoryUse &memory, const Regions &regions, llvm::FunctionAnalysisManager &analyses,
        FilesWish files, ConsoleWish console);

  /// What is asked below is meant of code of this scope: whether output can be read back depends on
  /// what is read in it. Gives whether what was asked before may have another answer now.
  bool enterScope(const Scope &scope);

  /// The instructions that the two below are for; others demand nothing.
  const Sites &sites() const { return sites_; }
  /// What \p instruction demands wherever it stands, in a burst or not.
  void addEffects(Slice &slice, const llvm::Instruction &instruction) const;

  /// What code outside the module sees: results of functions that it may call, and in a library the
  /// memory that it shares with it.
  void addInterface(Slice &slice, const Scope &scope) const;

  /// Values that \p instruction needs in order not to fault.
  using Use = llvm::function_ref<void(const llvm::Value &value, const char *what)>;
  void forEachUnsafe(const llvm::Instruction &instruction, Use use) const;
  /// Cells that it needs in order not to fault: what an external function takes as lengths or
  /// addresses.
  using CellUse = llvm::function_ref<void(Cell cell, const char *what)>;
  void forEachUnsafeCell(const llvm::Instruction &instruction, CellUse use) const;
  static constexpr char AlwaysRuns[] = "always runs";
  /// \p runs: what is known of the code that it stands in; lasts.
  void addSafety(Slice &slice, const llvm::Instruction &instruction,
                 const char *runs = AlwaysRuns) const;
  /// The same, with what of it is the same each time: a dozen slices ask.
  struct Unsafe {
    const llvm::Instruction *instruction;
    const llvm::BasicBlock *block;
    bool needsOne;       ///< it is no call, and no loop's head
    Needs::Id value;     ///< of that; Nothing: a constant
    llvm::StringRef why; ///< that is needed
  };
  llvm::ArrayRef<Unsafe> unsafe(const llvm::Function &function) const {
    const auto found = unsafe_.find(&function);
    return found == unsafe_.end() ? llvm::ArrayRef<Unsafe>() : llvm::ArrayRef(found->second);
  }
  void addSafety(Slice &slice, const Unsafe &unsafe) const;
  /// How often the region of that number is entered, as what must be right.
  llvm::StringRef entryText(unsigned region) const;
  /// Memory that code makes which runs is freed as it is in the program: else a run would need ever more.
  void addFrees(Slice &slice, const llvm::CallBase &maker) const;

  /// Whether the instruction may be left out of a copy: a store, or a call without an effect but on
  /// memory.
  bool isDroppable(const llvm::Instruction &instruction) const;
  /// A call of a library's function that only answers with a number.
  bool isQuestion(const llvm::Instruction &instruction) const;

  /// Whether the call prints to the console, inside a region: it holds none, and is left out of a
  /// copy unless all that it needs is there (KeptPrints.h).
  bool isPrintOfBurst(const llvm::Instruction &instruction) const {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && prints_.contains(call);
  }
  /// Cells that a print reads and that must be right lest it fault: text, descriptors.
  void forEachPrinted(const llvm::CallBase &call, llvm::function_ref<void(Cell cell)> use) const;
  /// Whether the argument must be right: all but numbers to be printed.
  bool valueMatters(const llvm::CallBase &call, unsigned index) const;

  /// Branches that decide how often the loop with this header iterates.
  llvm::SmallVector<const llvm::Instruction *, 4> loopExits(const llvm::BasicBlock &header) const;
  bool isLoopHeader(const llvm::BasicBlock &block) const;
  /// Whether the branch may leave a loop from which MPI is called.
  bool endsLoopWithMpi(const llvm::Instruction &branch) const;
  /// Whether the loop that the branch leaves has another end than by its conditions of that line.
  bool hasOtherEnd(const llvm::Instruction &exit, unsigned line) const;
  /// Where the innermost loop around the instruction begins: "a.c:12".
  std::string loopPlace(const llvm::Instruction &instruction) const;

  /// A call that writes to a file what counts as not needed, though the program reads files: only a
  /// check at run time makes that right. Null: there is none.
  const llvm::CallBase *checkedOutput() const { return checked_; }
  /// A call that writes to a file what is needed because of files().sign(); null: there is none.
  const llvm::CallBase *neededOutput() const { return needed_; }
  const WrittenFiles &files() const { return files_; }
  /// See WrittenFiles: as long as the result lives. What has been found of checkedOutput and neededOutput stays as it is.
  [[nodiscard]] auto assumeUnread(bool assumes) {
    auto set = [this](bool now) {
      files_.assumeUnread(now);
      remembersOutput_ = !now;
    };
    set(assumes);
    return llvm::scope_exit([set] { set(false); });
  }

private:
  void addMpi(Slice &slice, const llvm::CallBase &call, const MpiFunction &mpi) const;
  void addExternal(Slice &slice, const llvm::CallBase &call) const;
  void addLibrary(Slice &slice, const llvm::CallBase &call, Slice::RootId root) const;
  void addCallback(Slice &slice, const llvm::CallBase &call, Slice::RootId root) const;
  void addUnknown(Slice &slice, const llvm::CallBase &call, Slice::RootId root) const;
  void needOneOf(Slice &slice, const llvm::Value &value, Slice::RootId root) const;
  bool mayBeLeftToChance(const llvm::CallBase &call, const Effect &effect) const;
  bool isTextOfAnyNumber(const llvm::Value &value) const;
  bool mayBeReadBack(const llvm::CallBase &call) const;
  bool isNeededOutput(const llvm::CallBase &call) const;
  bool onlyPrintsVariables(const llvm::Function &function) const;
  bool onlyPrinted(const llvm::Value &list, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) const;
  bool isOfTemporary(const llvm::CallBase &call) const;
  bool isOfBurst(const llvm::CallBase &call) const;
  bool mayBeCaught(const llvm::CallBase &call) const;
  /// What points-to says of an argument, asked again in each phase.
  const llvm::SmallVector<Cell> &cellsFrom(const llvm::Value &pointer) const;
  const llvm::SmallVector<Cell> &argumentCells(const llvm::CallBase &call, unsigned index) const;
  const llvm::SmallVector<Cell> &reachableFrom(const llvm::Value &pointer) const;
  const llvm::LoopInfo &loops(const llvm::Function &function) const;
  Unsafe describe(const llvm::Instruction &instruction) const;
  void addOwnSafety(Slice &slice, const llvm::Instruction &instruction, const char *runs) const;
  /// Why code that \p runs needs \p what.
  llvm::StringRef safetyText(const char *what, const char *runs) const;

  const MemoryUse &memory_;
  const Program &program_;
  const Regions &regions_;
  llvm::FunctionAnalysisManager &analyses_;
  const Sites sites_;
  llvm::DenseSet<const llvm::Function *> ofRegions_; ///< functions that some region calls
  /// Functions that other modules may call, but main, and where they return.
  std::vector<std::pair<const llvm::Function *, llvm::SmallVector<const llvm::Instruction *, 1>>>
      seen_;
  using Answers = llvm::DenseMap<const llvm::Value *, std::unique_ptr<llvm::SmallVector<Cell>>>;
  mutable Answers cells_, reachable_;
  mutable llvm::DenseMap<const llvm::Use *, std::unique_ptr<llvm::SmallVector<Cell>>>
      arguments_; ///< of calls of MPI
  mutable std::map<std::pair<const char *, const char *>, std::string>
      safetyTexts_;                             ///< looked up only
  mutable std::vector<std::string> entryTexts_; ///< by region; empty: nobody has asked
  std::vector<const llvm::Instruction *> inputs_, mpiInputs_; ///< calls that read files
  bool readsFiles_ = true, readsByLibrary_ = true; ///< in the scope; the latter not by MPI
  WrittenFiles files_;
  bool mayMakeOperations_;                        ///< of reductions
  bool asksForPrints_;                            ///< then what is printed is data like any other
  llvm::DenseSet<const llvm::CallBase *> prints_; ///< to the console, inside regions
  llvm::DenseMap<const llvm::Function *, std::vector<Unsafe>> unsafe_; ///< looked up only
  mutable const llvm::CallBase *checked_ = nullptr, *needed_ = nullptr;
  bool remembersOutput_ = true;
};

} // namespace gnomon
