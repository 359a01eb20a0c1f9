// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Program.h"

#include "facts/ExternalWork.h"
#include "facts/Finalizers.h"
#include "facts/Streams.h"
#include "names/HookNames.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// MPI calls that an error's way to its end may hold: they involve no other rank, or end MPI.
bool isHarmless(const MpiFunction &mpi) {
  return mpi.noReturn || mpi.effect == MpiEffect::Local || mpi.name == "MPI_Finalize";
}

/// MPI_Abort is no communication: who calls it meets nobody, and does not come back.
bool involvesRanks(const CallBase &call) {
  const MpiFunction *mpi = mpiFunction(call);
  return mpi && !mpi->noReturn;
}

/// A constant that is not 0.
bool isFailure(const Value *value) {
  const auto *constant = dyn_cast_or_null<ConstantInt>(value);
  return constant && !constant->isZero();
}

/// Whether the block returns a constant that is not 0, by itself or through the phi of a block that
/// only returns.
bool returnsFailure(const BasicBlock &block) {
  const Instruction *last = block.getTerminator();
  if (const auto *end = dyn_cast<ReturnInst>(last))
    return isFailure(end->getReturnValue());
  const BasicBlock *next = last->getNumSuccessors() == 1 ? last->getSuccessor(0) : nullptr;
  const auto *end = next ? dyn_cast<ReturnInst>(next->getTerminator()) : nullptr;
  const auto *phi = end ? dyn_cast_or_null<PHINode>(end->getReturnValue()) : nullptr;
  return phi && phi->getParent() == next && isFailure(phi->getIncomingValueForBlock(&block));
}

/// Whether the block returns, and not a failure for sure.
bool returnsSuccess(const BasicBlock &block) {
  const auto *end = dyn_cast<ReturnInst>(block.getTerminator());
  if (!end)
    return false;
  const auto *phi = dyn_cast_or_null<PHINode>(end->getReturnValue());
  return phi && phi->getParent() == &block
             ? !all_of(phi->incoming_values(), [](const Use &value) { return isFailure(value); })
             : !isFailure(end->getReturnValue());
}

/// A call that ends the program because something went wrong. A code that is computed may be 0.
bool isErrorEnd(const CallBase &call, Ending ending, bool caught,
                function_ref<bool(const Value &)> failing) {
  auto fails = [&](unsigned index) {
    return index < call.arg_size() && failing(*call.getArgOperand(index));
  };
  switch (ending) {
  case Ending::None:
    return false;
  case Ending::Error:
    return true;
  case Ending::Code:
    return fails(0);
  case Ending::Stop:
    return call.arg_size() >= 2 && isa<ConstantInt>(call.getArgOperand(0)) &&
           (fails(0) || fails(1));
  case Ending::Throw:
    return !caught;
  }
  return false;
}

/// Fortran's STOP.
bool isStop(const CallBase &call) {
  const Function *direct = call.getCalledFunction();
  return direct && direct->getName().starts_with("_FortranAStopStatement");
}

} // namespace

Program::Program(Module &module, const PointsTo &pointsTo, const Externals &externals,
                 ArrayRef<BasicBlock *> stayed, ClockReadings clocks)
    : module_(module), pointsTo_(pointsTo), externals_(externals), clocks_(std::move(clocks)),
      stayed_(stayed.begin(), stayed.end()) {
  std::vector<const InvokeInst *> invokes;
  for (const Function &function : module) {
    numbers_.try_emplace(&function, numbers_.size());
    for (const Instruction &instruction : instructions(function)) {
      ++instructionCount_;
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        addCall(*call);
      if (const auto *invoke = dyn_cast<InvokeInst>(&instruction))
        invokes.push_back(invoke);
    }
  }
  addCallers();
  for (const Function &function : module)
    if (!function.isDeclaration() && (!function.hasLocalLinkage() || callers(function).empty()))
      outside_.insert(&function);
  findReaching();
  findFinalizing();
  findLoopy();
  if (!invokes.empty())
    findThrowing(invokes);
  findErrorEnds();
}

void Program::addCall(const CallBase &call) {
  if (isa<IntrinsicInst>(call))
    return;
  SmallVector<const Function *, 8> found;
  if (const Function *direct = call.getCalledFunction()) {
    if (!direct->isDeclaration())
      found.push_back(direct);
    else if (const Function *order = orderedBy(call, externals_.of(call)))
      found.push_back(order);
    else
      for (const Use &argument : call.args())
        if (const auto *handed = dyn_cast<Function>(argument->stripPointerCasts()))
          if (!handed->isDeclaration()) {
            found.push_back(handed);
            outside_.insert(handed);
          }
    append_range(found, finalizersCalledBy(call));
  } else if (!call.isInlineAsm()) {
    ArrayRef<const Function *> all = pointsTo_.callees(call);
    auto [set, isNew] = defined_.try_emplace(all.data());
    if (isNew) {
      copy_if(all, std::back_inserter(found),
              [](const Function *function) { return !function->isDeclaration(); });
      set->second = functionSets_.of(found);
      if (any_of(all, [&](const Function *function) {
            return mpiFunction(*function) ||
                   externals_.of(*function).kind == EffectKind::Communicates;
          }))
        mpiSets_.insert(all.data());
    }
    if (!set->second.empty())
      callees_[&call] = set->second;
    return;
  }
  if (!found.empty())
    callees_[&call] = functionSets_.of(found);
}

/// Calls with the same callees are put together first; then each function's are those of the sets
/// that it is in, in the module's order.
void Program::addCallers() {
  struct Class {
    ArrayRef<const Function *> callees;
    SmallVector<unsigned, 2> calls; ///< indices into `calls`
  };
  std::vector<const CallBase *> calls;
  MapVector<const void *, Class> classes;
  for (const Function &function : module_)
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (ArrayRef<const Function *> found = callees(*call); !found.empty()) {
          Class &now = classes[found.data()];
          now.callees = found;
          now.calls.push_back(unsigned(calls.size()));
          calls.push_back(call);
        }
  DenseMap<const Function *, SmallVector<unsigned, 1>> memberships;
  for (auto [index, entry] : enumerate(classes))
    for (const Function *function : entry.second.callees)
      memberships[function].push_back(unsigned(index));
  DenseMap<const void *, ArrayRef<const CallBase *>> made; // of functions in the same classes
  Interned<unsigned> keys;
  for (const Function &function : module_) {
    auto found = memberships.find(&function);
    if (found == memberships.end())
      continue;
    ArrayRef<const CallBase *> &callers = made[keys.of(found->second).data()];
    if (callers.empty()) {
      SmallVector<unsigned, 16> order;
      for (unsigned index : found->second)
        append_range(order, (classes.begin() + index)->second.calls);
      sort(order);
      SmallVector<const CallBase *, 16> all;
      for (unsigned call : order)
        all.push_back(calls[call]);
      callers = callSets_.of(all);
    }
    callers_[&function] = callers;
  }
}

bool Program::calledFromOutside(const Function &function) const {
  return outside_.contains(&function);
}

/// Adds every function that can call one of the set, by calls other than \p except.
void Program::spreadUp(DenseSet<const Function *> &set,
                       const DenseSet<const CallBase *> &except) const {
  SmallVector<const Function *, 32> work(set.begin(), set.end());
  DenseSet<const void *> seen;
  while (!work.empty()) {
    ArrayRef<const CallBase *> calls = callers(*work.pop_back_val());
    if (!seen.insert(calls.data()).second)
      continue;
    for (const CallBase *call : calls)
      if (!except.contains(call) && set.insert(call->getFunction()).second)
        work.push_back(call->getFunction());
  }
}

void Program::findReaching() {
  for (const Function &function : module_)
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction)) {
        const Function *direct = call->getCalledFunction();
        bool pointerToMpi = !direct && mpiSets_.contains(pointsTo_.callees(*call).data());
        if (involvesRanks(*call) || pointerToMpi || communicates(*call) || mayBeUnknown(*call))
          reaching_.insert(&function);
      }
  spreadUp(reaching_);
  if (clocks_.betweenBursts)
    findTiming();
  findSets(reaching_, reachingSets_);
}

/// Who reads a clock that stands between bursts counts as reaching MPI.
void Program::findTiming() {
  DenseSet<const Function *> timing;
  for (const Function &function : module_)
    if (any_of(instructions(function), [&](const Instruction &instruction) {
          const auto *call = dyn_cast<CallBase>(&instruction);
          return call && isSeparateClock(*call);
        }))
      timing.insert(&function);
  spreadUp(timing, clocks_.inside);
  for (const Function *function : timing)
    if (reaching_.insert(function).second)
      timing_.insert(function);
}

/// The functions that call MPI_Finalize, or others that do.
void Program::findFinalizing() {
  for (const Function &function : module_)
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (const MpiFunction *mpi = mpiFunction(*call); mpi && mpi->name == "MPI_Finalize")
          finalizing_.insert(&function);
  spreadUp(finalizing_);
}

/// Whether MPI_Finalize may have been called when the block runs: then the end of the program there
/// is a good one.
bool Program::comesFromFinalize(const BasicBlock &block) const {
  SmallVector<const BasicBlock *, 16> work{&block};
  SmallPtrSet<const BasicBlock *, 16> seen{&block};
  while (!work.empty()) {
    const BasicBlock *now = work.pop_back_val();
    for (const Instruction &instruction : *now)
      if (const auto *call = dyn_cast<CallBase>(&instruction)) {
        const MpiFunction *mpi = mpiFunction(*call);
        if ((mpi && mpi->name == "MPI_Finalize") ||
            any_of(callees(*call),
                   [&](const Function *callee) { return finalizing_.contains(callee); }))
          return true;
      }
    for (const BasicBlock *before : predecessors(now))
      if (seen.insert(before).second)
        work.push_back(before);
  }
  return false;
}

/// The sets of callees with a function of \p members among them.
void Program::findSets(const DenseSet<const Function *> &members,
                       DenseSet<const void *> &sets) const {
  DenseSet<const void *> seen;
  for (const auto &[call, functions] : callees_)
    if (seen.insert(functions.data()).second &&
        any_of(functions, [&](const Function *function) { return members.contains(function); }))
      sets.insert(functions.data());
}

/// Code of another module may call MPI itself, but no virtual function of a stream's parts; a loop that waits for other ranks gives them their
/// turn.
bool Program::mayBeUnknown(const CallBase &call) const {
  if (const Function *callee = call.getCalledFunction())
    if (callee->getName() == hook::gnomon_spin)
      return true;
  return !isa<IntrinsicInst>(call) && !call.isInlineAsm() && !mpiFunction(call) &&
         pointsTo_.mayCallUnknown(call) && !pointsTo_.mayCallOnlyLibrary(call);
}

/// In a library that is no part of the program.
bool Program::communicates(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
         externals_.of(call).kind == EffectKind::Communicates;
}

bool Program::isSeparateClock(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  return clocks_.betweenBursts && callee && callee->isDeclaration() && !callee->isIntrinsic() &&
         pointsTo_.kindOf(call) == EffectKind::Time && !clocks_.inside.contains(&call);
}

bool Program::isTimer(const CallBase &call) const {
  if (isSeparateClock(call))
    return true;
  ArrayRef<const Function *> found = callees(call);
  return call.getCalledFunction() && !found.empty() && reachesMpi(call) &&
         all_of(found, [&](const Function *callee) {
           return timing_.contains(callee) && !hasLoops(*callee);
         });
}

bool Program::reachesMpi(const CallBase &call) const {
  if (clocks_.inside.contains(&call))
    return false; // it reaches clocks, and nothing else of MPI
  if (involvesRanks(call) || communicates(call) || mayBeUnknown(call) || isSeparateClock(call))
    return true;
  if (!call.getCalledFunction() && mpiSets_.contains(pointsTo_.callees(call).data()))
    return true;
  return reachingSets_.contains(callees(call).data());
}

bool Program::isLongCall(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
         (worksOnArrays(callee->getName()) || externals_.of(call).mayBeLong) &&
         pointsTo_.kindOf(call) != EffectKind::Unknown;
}

/// Loops of BLAS and LAPACK count as those of the functions that call them.
bool Program::callsLoopsOfLibrary(const Function &function) const {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && hasKnownWork(callee->getName()) &&
           pointsTo_.kindOf(*call) != EffectKind::Unknown;
  });
}

void Program::findLoopy() {
  for (const Function &function : module_) {
    if (function.isDeclaration())
      continue;
    if (callsLoopsOfLibrary(function))
      loopy_.insert(&function);
    for (scc_iterator<const Function *> part = scc_begin(&function); !part.isAtEnd(); ++part)
      if (part.hasCycle())
        loopy_.insert(&function);
  }
  DenseMap<const void *, DenseSet<const Function *>> members; // of sets of callees
  for (const auto &[call, functions] : callees_) {
    DenseSet<const Function *> &set = members[functions.data()];
    if (set.empty())
      set.insert(functions.begin(), functions.end());
    if (set.contains(call->getFunction()))
      loopy_.insert(call->getFunction());
  }
  spreadUp(loopy_);
  findSets(loopy_, entersLoops_);
}

bool Program::endsInError(const CallBase &call) const {
  if (const MpiFunction *mpi = mpiFunction(call))
    return mpi->noReturn;
  const Function *direct = call.getCalledFunction();
  if (!direct)
    return false;
  if (!direct->isDeclaration())
    return errorEnds_.contains(direct);
  if (direct->isIntrinsic())
    return direct->getIntrinsicID() == Intrinsic::trap ||
           direct->getIntrinsicID() == Intrinsic::ubsantrap;
  if (complainsOfLocale(call))
    return true;
  return isErrorEnd(call, externals_.of(call).ending, isCaught(call),
                    [&](const Value &code) { return isFailingCode(code, DeepestCode); });
}

/// A constant that is not 0, or an argument that all calls of the function are handed such ones for.
bool Program::isFailingCode(const Value &code, unsigned depth) const {
  if (isFailure(&code))
    return true;
  const auto *argument = dyn_cast<Argument>(&code);
  if (!argument || !depth || calledFromOutside(*argument->getParent()) ||
      argument->getParent()->hasAddressTaken())
    return false;
  ArrayRef<const CallBase *> calls = callers(*argument->getParent());
  return !calls.empty() && all_of(calls, [&](const CallBase *call) {
    return isFailingCode(*call->getArgOperand(argument->getArgNo()), depth - 1);
  });
}

/// main returns an error's code here, and elsewhere another.
bool Program::failsInMain(const BasicBlock &block) const {
  return returnsFailure(block) && block.getParent()->getName() == "main" &&
         any_of(*block.getParent(), returnsSuccess);
}

/// Whether the block returns, or involves other ranks: then it is on no error's way.
bool Program::isOrdinary(const BasicBlock &block) const {
  bool ends = false;
  for (const Instruction &instruction : block)
    if (const auto *call = dyn_cast<CallBase>(&instruction)) {
      if (endsInError(*call))
        return false;
      const MpiFunction *mpi = mpiFunction(*call);
      if (mpi ? !isHarmless(*mpi) : reachesMpi(*call))
        return true;
      ends |= call->doesNotReturn() || // flang does not say it of STOP
              (isStop(*call) && comesFromFinalize(block));
    }
  const Instruction *last = block.getTerminator();
  return (isa<ReturnInst>(last) && !failsInMain(block)) ||
         (isa<ResumeInst>(last) && isCaught(*last)) || (isa<UnreachableInst>(last) && ends);
}

DenseSet<const BasicBlock *> Program::errorBlocks(const Function &function) const {
  DenseSet<const BasicBlock *> ordinary;
  SmallVector<const BasicBlock *, 32> work;
  auto stops = [&](const BasicBlock &block) {
    return isStayed(block) || failsInMain(block) ||
           any_of(block, [&](const Instruction &instruction) {
             const auto *call = dyn_cast<CallBase>(&instruction);
             return call && endsInError(*call);
           });
  };
  for (const BasicBlock &block : function)
    if (isOrdinary(block)) {
      ordinary.insert(&block);
      work.push_back(&block);
    }
  // Loops without an end are ordinary too: they lead to no error.
  for (scc_iterator<const Function *> part = scc_begin(&function); !part.isAtEnd(); ++part)
    if (part.hasCycle() && none_of(*part, [&](const BasicBlock *block) {
          return any_of(successors(block), [&](const BasicBlock *next) {
            return !is_contained(*part, next) && !isUnwoundInVain(*block, *next);
          });
        }))
      for (const BasicBlock *block : *part)
        if (ordinary.insert(block).second)
          work.push_back(block);
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    for (const BasicBlock *before : predecessors(block))
      if (!isUnwoundInVain(*before, *block) && !stops(*before) && ordinary.insert(before).second)
        work.push_back(before);
  }
  if (withUnthrown_.contains(&function))
    leaveOutUnreached(function, ordinary);
  DenseSet<const BasicBlock *> errors;
  for (const BasicBlock &block : function)
    if (!ordinary.contains(&block))
      errors.insert(&block);
  return errors;
}

/// Handlers of exceptions that none throws.
void Program::leaveOutUnreached(const Function &function,
                                DenseSet<const BasicBlock *> &ordinary) const {
  SmallVector<const BasicBlock *, 32> work{&function.getEntryBlock()};
  SmallPtrSet<const BasicBlock *, 32> reached{&function.getEntryBlock()};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    for (const BasicBlock *next : successors(block))
      if (!isUnwoundInVain(*block, *next) && reached.insert(next).second)
        work.push_back(next);
  }
  for (const BasicBlock &block : function)
    if (!reached.contains(&block))
      ordinary.erase(&block);
}

/// Of which invokes no exception may come: neither from outside nor of a function that they enter. Exceptions that are
/// caught on the way count, too.
void Program::findThrowing(ArrayRef<const InvokeInst *> invokes) {
  throws_.emplace(module_, pointsTo_, externals_);
  DenseSet<const Function *> throwing;
  for (const Function &function : module_)
    if (any_of(instructions(function), [&](const Instruction &instruction) {
          const auto *call = dyn_cast<CallBase>(&instruction);
          return call && throws_->fromOutside(*call);
        }))
      throwing.insert(&function);
  spreadUp(throwing);
  DenseSet<const void *> sets;
  findSets(throwing, sets);
  for (const InvokeInst *invoke : invokes)
    if (invoke->doesNotThrow() ||
        (!throws_->fromOutside(*invoke) && !sets.contains(callees(*invoke).data()))) {
      unthrown_.insert(invoke);
      withUnthrown_.insert(invoke->getFunction());
    }
}

/// Whether the call may throw because of what the program computed. A stream that cannot be written
/// or closed fails whatever was written.
bool Program::mayThrow(const InvokeInst &call) const {
  const Function *direct = call.getCalledFunction();
  const bool prints =
      direct && direct->isDeclaration() && externals_.of(call).kind == EffectKind::Output;
  return !prints && !unthrown_.contains(&call);
}

bool Program::isUnwoundInVain(const BasicBlock &from, const BasicBlock &to) const {
  const auto *call = dyn_cast<InvokeInst>(from.getTerminator());
  return call && call->getUnwindDest() == &to && unthrown_.contains(call);
}

bool Program::branchesOnOwnThrows(const Instruction &instruction) const {
  const auto *call = dyn_cast<InvokeInst>(&instruction);
  if (!call || !throws_ || throws_->fromOutside(*call))
    return false;
  const Function *direct = call->getCalledFunction();
  return !direct || !direct->isDeclaration(); // else it may be a write to memory as well
}

bool Program::isCaught(const Instruction &thrower) const {
  const auto *call = dyn_cast<InvokeInst>(&thrower);
  return underCatcher_.contains(thrower.getFunction()) ||
         (call && catchers_.contains(call->getUnwindDest()));
}

/// Handlers behind which the program goes on, beside those that are known. What follows a handler that
/// tidies up and throws again, as containers have, or that ends the program, is an error's end, unless
/// another handler catches that. Whether there are any.
bool Program::addCatchers() {
  const size_t before = catchers_.size();
  for (const Function &function : module_) {
    std::optional<DenseSet<const BasicBlock *>> errors;
    for (const BasicBlock &block : function) {
      const LandingPadInst *pad = block.getLandingPadInst();
      if (!pad || pad->getNumClauses() == 0 || catchers_.contains(&block))
        continue;
      if (!errors)
        errors = errorBlocks(function);
      if (errors->contains(&block))
        continue;
      for (const BasicBlock *from : predecessors(&block))
        if (const auto &call = *cast<InvokeInst>(from->getTerminator()); mayThrow(call)) {
          catchers_.insert(&block);
          addUnderCatcher(call);
        }
    }
  }
  return catchers_.size() > before;
}

/// All functions that the call may lead to.
void Program::addUnderCatcher(const InvokeInst &call) {
  SmallVector<const Function *, 32> work;
  DenseSet<const void *> seen; // sets of callees
  auto addAll = [&](const auto &functions) {
    for (const Function *function : functions)
      if (underCatcher_.insert(function).second)
        work.push_back(function);
  };
  auto add = [&](const CallBase &next) {
    if (mayBeUnknown(next))
      addAll(outside_);
    if (ArrayRef<const Function *> found = callees(next); seen.insert(found.data()).second)
      addAll(found);
  };
  add(call);
  while (!work.empty())
    for (const Instruction &instruction : instructions(*work.pop_back_val()))
      if (const auto *next = dyn_cast<CallBase>(&instruction))
        add(*next);
}

/// First it is supposed that nothing is caught.
void Program::findErrorEnds() {
  do {
    errorEnds_.clear();
    closeErrorEnds();
  } while (addCatchers());
}

/// Functions of the program that end in an error whenever they are called (a user's `die`).
void Program::closeErrorEnds() {
  SmallVector<const Function *, 0> open;
  for (const Function &function : module_)
    if (!function.isDeclaration())
      open.push_back(&function);
  while (!open.empty()) {
    const Function &function = *open.pop_back_val();
    if (errorEnds_.contains(&function) ||
        !errorBlocks(function).contains(&function.getEntryBlock()))
      continue;
    errorEnds_.insert(&function);
    for (const CallBase *call : callers(function)) // which may end with it
      open.push_back(call->getFunction());
  }
}

/// Most questions are about the function that was asked about last.
const Program::Shape &Program::shape(const Function &function) const {
  if (lastShape_.first == &function)
    return *lastShape_.second;
  std::unique_ptr<Shape> &shape = shapes_[&function];
  if (!shape) {
    DenseSet<const BasicBlock *> errors = errorBlocks(function);
    ControlFlow flow(function, errors, [this](const BasicBlock &from, const BasicBlock &to) {
      return !isUnwoundInVain(from, to);
    });
    shape = std::make_unique<Shape>(Shape{std::move(errors), std::move(flow)});
  }
  lastShape_ = {&function, shape.get()};
  return *shape;
}

bool Program::isError(const BasicBlock &block) const {
  return shape(*block.getParent()).errors.contains(&block);
}

const ControlFlow &Program::flow(const Function &function) const { return shape(function).flow; }

void Program::forgetBlocks() const {
  lastShape_ = {};
  shapes_.clear();
}

} // namespace gnomon
