// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The linked program as a whole: who calls whom, which functions can reach MPI, where an error's
/// end is all that can follow, and the control flow of each function (made when first asked for).
#pragma once

#include "facts/Externals.h"
#include "facts/MpiRoles.h"
#include "points-to/Interned.h"
#include "points-to/PointsTo.h"
#include "slice/ControlFlow.h"
#include "slice/Throws.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <memory>
#include <optional>

namespace gnomon {

/// What readings of clocks are taken for: code of a burst, or, as calls of MPI, what stands between
/// bursts.
struct ClockReadings {
  bool betweenBursts = false;
  /// Calls that count as inside bursts all the same: of clocks, and of functions that read them.
  llvm::DenseSet<const llvm::CallBase *> inside = {};
};

class Program {
public:
  /// \p stayed: ways out of loops that are not taken where bursts may be skipped; they count as
  /// errors' ends.
  Program(llvm::Module &module, const PointsTo &pointsTo, const Externals &externals,
          llvm::ArrayRef<llvm::BasicBlock *> stayed, ClockReadings clocks = {});

  llvm::Module &module() const { return module_; }
  /// How many there were when it was made.
  size_t instructionCount() const { return instructionCount_; }
  /// Of its functions, in the order of the module.
  unsigned numberOf(const llvm::Function &function) const { return numbers_.lookup(&function); }
  const PointsTo &pointsTo() const { return pointsTo_; }

  /// Functions with a body that the call may enter: directly, through a pointer, or handed to an
  /// external function as an argument (qsort's comparison). Equal ones are one array, of calls that
  /// have them and of functions that are called from them: so its address tells a walk whether it has
  /// been there. Each of n functions in a table may be called by each of n calls, and that is n^2.
  llvm::ArrayRef<const llvm::Function *> callees(const llvm::CallBase &call) const {
    return callees_.lookup(&call);
  }
  llvm::ArrayRef<const llvm::CallBase *> callers(const llvm::Function &function) const {
    return callers_.lookup(&function);
  }

  /// main, constructors, and functions whose address code outside the module may call.
  bool calledFromOutside(const llvm::Function &function) const;

  /// Whether MPI (or a clock that separates bursts) can be called before the function, or the call,
  /// returns. MPI_Abort does not count: nothing returns from it.
  bool reachesMpi(const llvm::Function &function) const { return reaching_.contains(&function); }
  bool reachesMpi(const llvm::CallBase &call) const;
  /// Whether the call counts as one of MPI only because it reads a clock: itself, or in functions
  /// that hold no loops.
  bool isTimer(const llvm::CallBase &call) const;
  /// Whether a call of a function outside the program may take long, and its effects are known.
  bool isLongCall(const llvm::CallBase &call) const;

  /// Holds or reaches a loop, or calls itself: worth being a burst.
  bool hasLoops(const llvm::Function &function) const { return loopy_.contains(&function); }
  /// Whether the call may enter a function that does.
  bool entersLoops(const llvm::CallBase &call) const {
    return entersLoops_.contains(callees(call).data());
  }

  /// Whether only an error's end (MPI_Abort, abort, a failed assertion; an exit, or main's return,
  /// with an error's code, MPI_Finalize before it or not) can follow; or nobody comes there, since
  /// only exceptions lead there that none throws.
  bool isError(const llvm::BasicBlock &block) const;
  /// Of those, whether the block is a way out of a loop that is not taken because the user says so.
  bool isStayed(const llvm::BasicBlock &block) const { return stayed_.contains(&block); }
  const ControlFlow &flow(const llvm::Function &function) const;
  /// After blocks have been split: what isError and flow have said is found anew.
  void forgetBlocks() const;

  /// Whether an exception that is thrown there may be caught, and the program then goes on; if not, a
  /// throw is an error's end.
  bool isCaught(const llvm::Instruction &thrower) const;
  /// Whether an exception from outside the program may come of the call, and the program goes on behind a handler.
  bool mayThrowToHandler(const llvm::CallBase &call) const {
    return throws_ && isCaught(call) && throws_->fromOutside(call);
  }
  /// Whether the edge is an exception's, of a call of which none may come.
  bool isUnwoundInVain(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const;
  /// Whether the instruction branches on exceptions that functions of the program throw, or what they call: those are
  /// where it is decided, not what the functions are handed.
  bool branchesOnOwnThrows(const llvm::Instruction &instruction) const;

private:
  struct Shape {
    llvm::DenseSet<const llvm::BasicBlock *> errors;
    ControlFlow flow;
  };
  void addCall(const llvm::CallBase &call);
  void addCallers();
  void findSets(const llvm::DenseSet<const llvm::Function *> &members,
                llvm::DenseSet<const void *> &sets) const;
  void spreadUp(llvm::DenseSet<const llvm::Function *> &set,
                const llvm::DenseSet<const llvm::CallBase *> &except = {}) const;
  bool mayBeUnknown(const llvm::CallBase &call) const;
  bool communicates(const llvm::CallBase &call) const;
  bool isSeparateClock(const llvm::CallBase &call) const;
  void findReaching();
  void findTiming();
  void findFinalizing();
  bool comesFromFinalize(const llvm::BasicBlock &block) const;
  bool callsLoopsOfLibrary(const llvm::Function &function) const;
  void findLoopy();
  void findErrorEnds();
  void closeErrorEnds();
  void findThrowing(llvm::ArrayRef<const llvm::InvokeInst *> invokes);
  bool mayThrow(const llvm::InvokeInst &call) const;
  bool addCatchers();
  void addUnderCatcher(const llvm::InvokeInst &call);
  bool failsInMain(const llvm::BasicBlock &block) const;
  bool endsInError(const llvm::CallBase &call) const;
  static constexpr unsigned DeepestCode = 4; ///< calls that hand an exit code on
  bool isFailingCode(const llvm::Value &code, unsigned depth) const;
  bool isOrdinary(const llvm::BasicBlock &block) const;
  llvm::DenseSet<const llvm::BasicBlock *> errorBlocks(const llvm::Function &function) const;
  void leaveOutUnreached(const llvm::Function &function,
                         llvm::DenseSet<const llvm::BasicBlock *> &ordinary) const;
  const Shape &shape(const llvm::Function &function) const;

  llvm::Module &module_;
  const PointsTo &pointsTo_;
  const Externals &externals_;
  ClockReadings clocks_;
  llvm::DenseSet<const llvm::BasicBlock *> stayed_;
  size_t instructionCount_ = 0;
  llvm::DenseMap<const llvm::Function *, unsigned> numbers_;
  Interned<const llvm::Function *> functionSets_;
  Interned<const llvm::CallBase *> callSets_;
  llvm::DenseMap<const llvm::CallBase *, llvm::ArrayRef<const llvm::Function *>> callees_;
  llvm::DenseMap<const llvm::Function *, llvm::ArrayRef<const llvm::CallBase *>> callers_;
  llvm::DenseSet<const llvm::Function *> reaching_, timing_, finalizing_, loopy_, errorEnds_,
      outside_,
      underCatcher_;                                        ///< what calls may run that catch
  llvm::DenseSet<const llvm::BasicBlock *> catchers_;       ///< landing pads
  std::optional<Throws> throws_;                            ///< none: nothing could be caught
  llvm::DenseSet<const llvm::InvokeInst *> unthrown_;       ///< of which no exception may come
  llvm::DenseSet<const llvm::Function *> withUnthrown_;     ///< functions that hold such
  llvm::DenseSet<const void *> reachingSets_, entersLoops_; ///< of callees, by their address
  /// PointsTo's sets of callees, by their address: those with a body; whether MPI is among them.
  llvm::DenseMap<const void *, llvm::ArrayRef<const llvm::Function *>> defined_;
  llvm::DenseSet<const void *> mpiSets_;
  mutable llvm::DenseMap<const llvm::Function *, std::unique_ptr<Shape>> shapes_;
  mutable std::pair<const llvm::Function *, const Shape *> lastShape_{nullptr, nullptr};
};

} // namespace gnomon
