// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Roots.h"

#include "bursts/Console.h"
#include "facts/Operations.h"
#include "facts/Streams.h"
#include "names/Places.h"
#include "slice/Temporaries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;

namespace gnomon {
namespace {

/// Output of one scalar: the value is printed, no more.
bool printsScalar(StringRef name) {
  if (name.consume_front("_ZNSolsE")) // of a fundamental type
    return name.size() == 1;
  if (name.starts_with("_ZNSo9_M_insertI") || name == "_ZNSo3putEc")
    return true;
  return name.starts_with("_FortranAioOutputReal") ||
         name.starts_with("_FortranAioOutputComplex") ||
         name.starts_with("_FortranAioOutputInteger") ||
         name.starts_with("_FortranAioOutputLogical");
}

/// Output of bytes, or of a whole array of Fortran's: whatever the data are, it cannot fail on them.
/// The argument whose own object must be right all the same, the array's descriptor; none: -1.
std::optional<int> printsAnything(StringRef name) {
  if (name == "fwrite" || name == "fwrite_unlocked" || name == "write" || name == "pwrite" ||
      name == "pwrite64" || name == "_FortranAioOutputAscii" ||
      name.starts_with("_ZSt16__ostream_insert"))
    return -1;
  if (name == "_FortranAioOutputDescriptor")
    return 1;
  return std::nullopt;
}

/// What it reads is new memory, so that it is no Input.
bool readsLine(const CallBase &call) {
  StringRef name = call.getCalledFunction()->getName();
  return name == "getline" || name == "getdelim" || name == "__getdelim";
}

/// Whether an operation of a reduction may be one of the program's own that does other work on other numbers: the program
/// makes such, or code that is not known may, and hand it over.
bool mayMakeOperations(const MemoryUse &memory) {
  if (!memory.program().module().getFunction("main"))
    return true;
  auto makesHarmless = [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    const Function *operation = call ? operationMadeBy(*call) : nullptr;
    return operation && isHarmlessOperation(*operation, memory.externals());
  };
  return any_of(memory.program().module(), [&](const Function &function) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      return false;
    if (const MpiFunction *mpi = mpiFunction(function))
      return mpi->name.starts_with("MPI_Op_create") && !all_of(function.users(), makesHarmless);
    return memory.effect(function).isUnknown();
  });
}

std::string calleeName(const CallBase &call) {
  const Function *direct = call.getCalledFunction();
  return direct ? "'" + direct->getName().str() + "'" : "a function behind a pointer";
}

} // namespace

std::string mpiArgumentText(const MpiFunction &mpi, unsigned index) {
  const MpiArgument &argument = mpi.arguments[index];
  std::string what = argument.length == MpiLength::None ? "an argument" : "the displacements";
  if (static_cast<int>(index) == mpi.peer)
    what = "the peer";
  else if (static_cast<int>(index) == mpi.tag)
    what = "the tag";
  else if (static_cast<int>(index) == mpi.comm)
    what = "the communicator";
  else
    for (const MpiArgument &buffer : mpi.arguments)
      if (buffer.count == static_cast<int>(index))
        what = argument.length == MpiLength::None ? "the count" : "the counts";
      else if (buffer.datatype == static_cast<int>(index))
        what = "the datatype";
  if (argument.role == MpiRole::SendBuffer || argument.role == MpiRole::ReceiveBuffer ||
      argument.role == MpiRole::SendReceiveBuffer)
    what = "the buffer's address";
  return what + " of " + mpi.name.str();
}

Roots::Roots(const MemoryUse &memory, const Regions &regions, FunctionAnalysisManager &analyses,
             FilesWish files, ConsoleWish console)
    : memory_(memory), program_(memory.program()), regions_(regions), analyses_(analyses),
      sites_(program_.module(), [this](const BasicBlock &block) { return isLoopHeader(block); }),
      ofRegions_(functionsCalled(program_, regions)), files_(memory.program(), files),
      mayMakeOperations_(mayMakeOperations(memory)), asksForPrints_(asksForPrints(memory)) {
  for (const Function &function : program_.module())
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction);
          call && !isa<IntrinsicInst>(call) && call->getCalledFunction() &&
          call->getCalledFunction()->isDeclaration()) {
        if (const MpiFunction *mpi = mpiFunction(*call)) {
          if (mpi->name.starts_with("MPI_File_") && !memory_.incoming(*call).empty())
            mpiInputs_.push_back(call);
        } else if (program_.pointsTo().kindOf(*call) == EffectKind::Input || readsLine(*call) ||
                   memory_.effect(*call).readsFiles) {
          inputs_.push_back(call);
        }
      }
  append_range(inputs_, files_.looksAtFiles());
  for (const Function &function : program_.module())
    if (ArrayRef<const Instruction *> sites = sites_.unsafe(function); !sites.empty()) {
      std::vector<Unsafe> &all = unsafe_[&function];
      all.reserve(sites.size());
      for (const Instruction *instruction : sites)
        all.push_back(describe(*instruction));
    }
  for (const Function &function : program_.module())
    if (!function.isDeclaration() && function.getName() != "main" &&
        program_.calledFromOutside(function)) {
      SmallVector<const Instruction *, 1> &returns = seen_.emplace_back(&function, 0).second;
      for (const BasicBlock &block : function)
        if (isa<ReturnInst>(block.getTerminator()))
          returns.push_back(block.getTerminator());
    }
  if (console == ConsoleWish::Leave && !asksForPrints_)
    for (const CallBase *print : findPrints(memory))
      if (regions.of(*print) >= 0
              ? none_of(print->users(), [](const User *user) { return isa<ReturnInst>(user); })
              : ofRegions_.contains(print->getFunction()))
        prints_.insert(print);
}

bool Roots::enterScope(const Scope &scope) {
  const auto before = std::pair(readsByLibrary_, readsFiles_);
  auto inScope = [&](const Instruction *input) { return scope.contains(input->getParent()); };
  readsByLibrary_ = any_of(inputs_, inScope);
  readsFiles_ = readsByLibrary_ || any_of(mpiInputs_, inScope);
  const bool filesChanged = files_.enterScope(scope);
  return filesChanged || before != std::pair(readsByLibrary_, readsFiles_);
}

const SmallVector<Cell> &Roots::cellsFrom(const llvm::Value &pointer) const {
  std::unique_ptr<SmallVector<Cell>> &answer = cells_[&pointer];
  if (!answer)
    answer = std::make_unique<SmallVector<Cell>>(program_.pointsTo().cellsFrom(&pointer));
  return *answer;
}

const SmallVector<Cell> &Roots::argumentCells(const CallBase &call, unsigned index) const {
  std::unique_ptr<SmallVector<Cell>> &answer = arguments_[&call.getArgOperandUse(index)];
  if (!answer)
    answer = std::make_unique<SmallVector<Cell>>(memory_.argumentCells(call, index));
  return *answer;
}

const SmallVector<Cell> &Roots::reachableFrom(const llvm::Value &pointer) const {
  std::unique_ptr<SmallVector<Cell>> &answer = reachable_[&pointer];
  if (!answer)
    answer = std::make_unique<SmallVector<Cell>>(program_.pointsTo().reachableFrom(&pointer));
  return *answer;
}

void Roots::addEffects(Slice &slice, const Instruction &instruction) const {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (const MpiFunction *mpi = mpiFunction(*call))
      return addMpi(slice, *call, *mpi);
    if (isa<IntrinsicInst>(call)) {
      if (call->isVolatile())
        slice.needEffect(*call, slice.addRoot("a volatile access (%)", *call));
      return;
    }
    if (call->isInlineAsm()) {
      if (call->mayHaveSideEffects())
        addUnknown(slice, *call, slice.addRoot("inline assembly (%)", *call));
      return;
    }
    const Function *direct = call->getCalledFunction();
    if (direct && !direct->isDeclaration()) {
      // What a function with `...` does with the rest of its arguments is not followed, but to prints.
      const bool prints = call->arg_size() > direct->arg_size() && onlyPrintsVariables(*direct);
      for (unsigned i = direct->arg_size(); i < call->arg_size(); ++i)
        if (!prints || call->getArgOperand(i)->getType()->isPointerTy())
          slice.needValue(
              *call->getArgOperand(i),
              slice.addRoot("a variable argument of " + calleeName(*call) + " (%)", *call));
      return;
    }
    return addExternal(slice, *call);
  }
  if (instruction.isVolatile())
    slice.needEffect(instruction, slice.addRoot("a volatile access (%)", instruction));
  else if (instruction.isAtomic() && !isa<LoadInst>(instruction))
    slice.needEffect(instruction, slice.addRoot("an atomic operation (%)", instruction));
  else if (isa<ResumeInst>(instruction) && program_.isCaught(instruction))
    slice.keep(instruction, slice.addRoot("an exception (%)", instruction));
}

/// Whether all that the function does with its variable arguments is to print them, where the program cannot see it.
bool Roots::onlyPrintsVariables(const Function &function) const {
  SmallPtrSet<const llvm::Value *, 8> seen;
  return all_of(instructions(function), [&](const Instruction &instruction) {
    const auto *start = dyn_cast<VAStartInst>(&instruction);
    return !start || onlyPrinted(*start->getArgList(), seen);
  });
}

/// The same of a list of such arguments: it may be handed on to functions of the program that do so.
bool Roots::onlyPrinted(const llvm::Value &list, SmallPtrSetImpl<const llvm::Value *> &seen) const {
  const llvm::Value &whole = *getUnderlyingObject(&list);
  if (!seen.insert(&whole).second)
    return true;
  if (!isa<AllocaInst, Argument>(whole))
    return false;
  SmallVector<const llvm::Value *, 4> pointers{&whole};
  while (!pointers.empty())
    for (const llvm::Use &use : pointers.pop_back_val()->uses()) {
      if (isa<GetElementPtrInst>(use.getUser())) {
        pointers.push_back(use.getUser());
        continue;
      }
      if (isa<VAStartInst, VAEndInst, LifetimeIntrinsic>(use.getUser()))
        continue;
      const auto *call = dyn_cast<CallBase>(use.getUser());
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !call->isArgOperand(&use))
        return false;
      const unsigned index = call->getArgOperandNo(&use);
      if (!callee->isDeclaration()) {
        if (index >= callee->arg_size() || !onlyPrinted(*callee->getArg(index), seen))
          return false;
        continue;
      }
      const Effect &effect = memory_.effect(*call);
      if (effect.kind != EffectKind::Output || !effect.argument(index).list || mayBeReadBack(*call))
        return false;
    }
  return true;
}

void Roots::addInterface(Slice &slice, const Scope &scope) const {
  const Function *main = program_.module().getFunction("main");
  bool library = !main || main->isDeclaration();
  for (const auto &[function, returns] : seen_) {
    const Instruction &first = function->getEntryBlock().front();
    Slice::RootId root = slice.addLastingRoot("what other modules see (%)", first);
    if (library)
      slice.needCell(PointsTo::Unknown, root);
    for (const Instruction *end : returns)
      if (scope.contains(end->getParent()))
        slice.needEffect(*end, root);
  }
}

void Roots::addMpi(Slice &slice, const CallBase &call, const MpiFunction &mpi) const {
  slice.keep(call, slice.addRoot("whether " + mpi.name.str() + " is called (%)", call));
  if (mpi.reduction && mpi.op >= 0 && mayMakeOperations_ && !constantArgument(call, mpi.op))
    for (Cell cell : memory_.mpi(call).sent)
      slice.needCell(
          cell,
          slice.addRoot("an operation of the program's own in " + mpi.name.str() + " (%)", call));
  // What MPI writes to a file, a library's function may read.
  if (readsByLibrary_ && mpi.name.starts_with("MPI_File_") && !memory_.mpi(call).sent.empty()) {
    if (isNeededOutput(call))
      for (Cell cell : memory_.mpi(call).sent)
        slice.needCell(cell, slice.addRoot("what " + mpi.name.str() + " writes (%)", call));
  }
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (i >= mpi.arguments.size() || mpi.arguments[i].role == MpiRole::Ignored)
      continue;
    const MpiArgument &argument = mpi.arguments[i];
    Slice::RootId root = slice.addRoot(mpiArgumentText(mpi, i) + " (%)", call);
    slice.needValue(*call.getArgOperand(i), root);
    bool reads = (argument.role == MpiRole::Control && argument.byReference) ||
                 argument.role == MpiRole::ControlArray || argument.role == MpiRole::InOut ||
                 argument.role == MpiRole::Text || argument.descriptor;
    if (reads && call.getArgOperand(i)->getType()->isPointerTy())
      slice.needArgument(call, i, argumentCells(call, i), root);
  }
}

/// Whether the program may see what the call has written, or that it has been there at all.
bool Roots::mayBeReadBack(const CallBase &call) const {
  if (asksForPrints_ && isConsole(call))
    return true;
  if (!readsFiles_ || isConsole(call))
    return false;
  if (!files_.isContents(call))
    return true;
  return isNeededOutput(call);
}

/// Of what is written while files are read.
bool Roots::isNeededOutput(const CallBase &call) const {
  if (remembersOutput_)
    (files_.needed() ? needed_ : checked_) = &call;
  return files_.needed();
}

bool Roots::valueMatters(const CallBase &call, unsigned index) const {
  const llvm::Value *value = call.getArgOperand(index);
  if (value->getType()->isPointerTy())
    return true;
  if (memory_.effect(call).kind != EffectKind::Output)
    return true;
  if (mayBeReadBack(call))
    return true;
  const Function *direct = call.getCalledFunction();
  if (value->getType()->isFloatingPointTy() || printsScalar(direct->getName()))
    return false;
  return index < direct->getFunctionType()->getNumParams();
}

void Roots::addUnknown(Slice &slice, const CallBase &call, Slice::RootId root) const {
  slice.keep(call, root);
  for (const llvm::Use &argument : call.args()) {
    slice.needValue(*argument, root);
    if (argument->getType()->isPointerTy())
      for (Cell cell : reachableFrom(*argument))
        slice.needCell(cell, root);
  }
  for (Cell cell : program_.pointsTo().environment())
    slice.needCell(cell, root);
  slice.needCell(PointsTo::Unknown, root);
}

/// A virtual function of a library's object: it is called, on the right arguments and what they
/// point to. What the library keeps is its own. One that a print to the console calls, between
/// bursts, is left to chance with that, and what such a stream keeps is right whatever was printed.
void Roots::addLibrary(Slice &slice, const CallBase &call, Slice::RootId root) const {
  const PointsTo &pointsTo = program_.pointsTo();
  const bool prints = isOfPartOfConsole(call) && !asksForPrints_;
  if (!prints || ofRegions_.contains(call.getFunction()) || regions_.of(call) >= 0)
    slice.keep(call, root);
  slice.needValue(*call.getCalledOperand(), root);
  for (const llvm::Use &argument : call.args())
    slice.needValue(*argument, root);
  for (Cell cell : memory_.reads(call))
    if (cell != PointsTo::Unknown &&
        !(prints && (pointsTo.isOfLibrary(cell) || pointsTo.isOfLibraryVariable(cell))))
      slice.needCell(cell, root);
}

/// A known function that calls what it is handed: code of the program, whose demands are its own, or
/// a library's function (a destructor at exit), which may use all that the other arguments reach.
void Roots::addCallback(Slice &slice, const CallBase &call, Slice::RootId root) const {
  const Effect &effect = memory_.effect(call);
  bool byLibrary = false;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value *argument = call.getArgOperand(i)->stripPointerCasts();
    const auto *handed = dyn_cast<Function>(argument);
    const auto *constant = dyn_cast<Constant>(argument);
    const bool number = constant && integerOf(*constant); // SIG_IGN
    if (effect.argument(i).called && !handed && !number)
      return addUnknown(slice, call, root); // what was chosen may be code that is not known
    if (!handed || !handed->isDeclaration())
      continue;
    if (memory_.effect(*handed).isUnknown())
      return addUnknown(slice, call, root);
    byLibrary = true;
  }
  slice.keep(call, root);
  for (const llvm::Use &argument : call.args()) {
    slice.needValue(*argument, root);
    // The mark of the module that a destructor belongs to is no memory of the program's.
    if (byLibrary && argument->getType()->isPointerTy() && !isa<Function>(argument) &&
        argument->getName() != "__dso_handle")
      for (Cell cell : reachableFrom(*argument))
        slice.needCell(cell, root);
  }
}

/// A choice between values that are right is good enough where any of them will do (a format's
/// text, say).
void Roots::needOneOf(Slice &slice, const llvm::Value &value, Slice::RootId root) const {
  SmallVector<const llvm::Value *, 8> work{&value}, needed;
  DenseSet<const llvm::Value *> seen{&value};
  auto add = [&](const llvm::Value *next) {
    if (seen.insert(next).second)
      work.push_back(next);
  };
  while (!work.empty()) {
    const llvm::Value *next = work.pop_back_val();
    if (const auto *choice = dyn_cast<SelectInst>(next)) {
      add(choice->getTrueValue());
      add(choice->getFalseValue());
    } else if (const auto *phi = dyn_cast<PHINode>(next)) {
      for (const llvm::Use &incoming : phi->incoming_values())
        add(incoming.get());
    } else if (isConsoleStream(*next) && isa<CallBase>(next)) {
      const auto &call = *cast<CallBase>(next);
      const Effect &effect = memory_.effect(call);
      if (effect.returnsArgument(effect.returnedArgument)) { // a stream, whatever was printed to it
        add(call.getArgOperand(effect.returnedArgument));
        continue;
      }
      for (const llvm::Use &argument : call.args())
        if (!isa<Constant>(argument)) // a statement's line
          add(argument.get());
    } else if (isTextOfAnyNumber(*next)) {
      continue;
    } else if (isa<ConstantPointerNull, UndefValue>(next)) {
      return slice.needValue(value, root); // Not any of them will do.
    } else {
      needed.push_back(next);
    }
  }
  for (const llvm::Value *next : needed)
    slice.needValue(*next, root);
}

/// A text that there is for each number, looked up outside bursts: strerror(errno).
bool Roots::isTextOfAnyNumber(const llvm::Value &value) const {
  const auto *call = dyn_cast<CallBase>(&value);
  const Function *direct = call ? call->getCalledFunction() : nullptr;
  return direct && direct->isDeclaration() && !direct->isIntrinsic() && !mpiFunction(*direct) &&
         memory_.effect(*call).argument(0).anyNumber && regions_.of(*call) < 0 &&
         !ofRegions_.contains(call->getFunction());
}

/// Output for people, outside bursts: it runs when the program's branches say so; whether those are
/// right matters to nobody else.
bool Roots::mayBeLeftToChance(const CallBase &call, const Effect &effect) const {
  return effect.kind == EffectKind::Output && !mayBeReadBack(call) && !mayBeCaught(call) &&
         (!readsFiles_ || isConsole(call) || files_.isOpenedToWrite(call)) &&
         !ofRegions_.contains(call.getFunction()) && regions_.of(call) < 0;
}

void Roots::addExternal(Slice &slice, const CallBase &call) const {
  const Effect &effect = memory_.effect(call);
  // What is freed must be only where such memory is made (addFrees).
  if (isDroppable(call) || isPrintOfBurst(call) || memory_.heap().frees(call))
    return;
  Slice::RootId root = slice.addRoot("the call of " + calleeName(call) + " (%)", call);
  bool indirect = !call.getCalledFunction();
  if (indirect && !program_.pointsTo().mayCallUnknown(call) &&
      !program_.pointsTo().mayCallDeclaration(call))
    return;
  if (effect.kind == EffectKind::Callback && !program_.pointsTo().mayCallUnknown(call))
    return addCallback(slice, call, root);
  if (indirect && program_.pointsTo().mayCallOnlyLibrary(call))
    return addLibrary(slice, call, root);
  if (indirect || effect.kind == EffectKind::Unknown || effect.kind == EffectKind::Callback ||
      effect.kind == EffectKind::Order)
    return addUnknown(slice, call, root);
  if (!mayBeLeftToChance(call, effect))
    slice.keep(call, root);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (valueMatters(call, i)) {
      if (mayBeLeftToChance(call, effect))
        needOneOf(slice, *call.getArgOperand(i), root);
      else
        slice.needValue(*call.getArgOperand(i), root);
    }
  // A generator of random numbers fills an array that a descriptor tells it of.
  if (effect.kind == EffectKind::Clock)
    for (const llvm::Use &argument : call.args())
      if (argument->getType()->isPointerTy())
        for (Cell cell : cellsFrom(*argument))
          if (program_.pointsTo().classOf(cell) != DataClass::Floating)
            slice.needCell(cell, root);
  if (effect.kind == EffectKind::Renew)
    return; // What lies there goes where the memory goes.
  if (effect.kind == EffectKind::Output && !mayBeReadBack(call))
    return forEachPrinted(call, [&](Cell cell) { slice.needCell(cell, root); });
  // Whatever was left behind, it can run: who looks at what it says needs that (Needs).
  for (Cell cell : memory_.reads(call))
    if (!program_.pointsTo().isState(cell))
      slice.needCell(cell, root);
}

void Roots::forEachPrinted(const CallBase &call, function_ref<void(Cell cell)> use) const {
  const Function *direct = call.getCalledFunction();
  if (std::optional<int> shape = direct ? printsAnything(direct->getName()) : std::nullopt) {
    if (*shape >= 0)
      for (Cell cell : cellsFrom(*call.getArgOperand(unsigned(*shape))))
        use(cell);
    return;
  }
  // How std::cout writes numbers rests on what was printed there; that it can, does not. Variable arguments are as
  // right as who hands them makes them.
  const PointsTo &pointsTo = program_.pointsTo();
  for (Cell cell : memory_.reads(call))
    if (pointsTo.classOf(cell) != DataClass::Floating && !pointsTo.isOfLibraryVariable(cell) &&
        !pointsTo.isOfVariables(cell) && !pointsTo.isState(cell))
      use(cell);
}

/// Whether the call makes or frees memory that one burst has for itself, or code between bursts.
bool Roots::isOfTemporary(const CallBase &call) const {
  const CallBase *freed = allocationFreedBy(call);
  const CallBase &allocation = freed ? *freed : call;
  ArrayRef<const CallBase *> frees = memory_.freesOfTemporary(allocation);
  return !frees.empty() && all_of(frees, [&](const CallBase *free) {
    return regions_.of(*free) == regions_.of(allocation);
  });
}

/// Whether the call makes or frees a block while a burst runs: whoever needs what lies there brings the call with it.
bool Roots::isOfBurst(const CallBase &call) const {
  return (memory_.heap().makes(call) || memory_.heap().frees(call)) &&
         (regions_.of(call) >= 0 || ofRegions_.contains(call.getFunction()));
}

/// Whether a handler behind which the program goes on may catch what the call throws. That a constant number of bytes is
/// too much is none of the data's doing.
bool Roots::mayBeCaught(const CallBase &call) const {
  const Function *direct = call.getCalledFunction();
  const bool isNew =
      direct && (direct->getName().starts_with("_Znw") || direct->getName().starts_with("_Zna"));
  return program_.mayThrowToHandler(call) && !(isNew && isa<Constant>(call.getArgOperand(0)));
}

bool Roots::isDroppable(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return isa<StoreInst>(instruction);
  if (isa<IntrinsicInst>(call))
    return isa<MemIntrinsic>(call);
  const Function *direct = call->getCalledFunction();
  if (!direct || !direct->isDeclaration() || mpiFunction(*direct) || mayBeCaught(*call))
    return false;
  EffectKind kind = program_.pointsTo().kindOf(*call);
  if (kind == EffectKind::Order)
    return orderedBy(*call, memory_.effect(*call));
  if (kind == EffectKind::Allocate || kind == EffectKind::Free || kind == EffectKind::Renew)
    return isOfTemporary(*call) || isOfBurst(*call);
  return kind == EffectKind::Pure || kind == EffectKind::Numeric || kind == EffectKind::Copy ||
         kind == EffectKind::Fill || kind == EffectKind::Time;
}

void Roots::forEachUnsafe(const Instruction &instruction, Use use) const {
  if (const llvm::Value *pointer = getLoadStorePointerOperand(&instruction))
    return use(*pointer, "an address");
  switch (instruction.getOpcode()) {
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return use(*instruction.getOperand(0), "an address");
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return use(*instruction.getOperand(1), "a divisor");
  case Instruction::Alloca:
    return use(*instruction.getOperand(0), "the size of a local array");
  case Instruction::Call:
  case Instruction::Invoke:
    break;
  default:
    return;
  }
  const auto &call = cast<CallBase>(instruction);
  if (!call.getCalledFunction() && !call.isInlineAsm())
    use(*call.getCalledOperand(), "the function that is called");
  bool external = !call.getCalledFunction() || call.getCalledFunction()->isDeclaration();
  if (external && !mpiFunction(call))
    for (const llvm::Use &argument : call.args()) {
      llvm::Type *type = argument->getType();
      bool bounds = type->isIntegerTy() &&
                    (isPrintOfBurst(call) ? valueMatters(call, call.getArgOperandNo(&argument))
                                          : isDroppable(call) && !call.doesNotAccessMemory());
      bounds &= !memory_.effect(call).argument(call.getArgOperandNo(&argument)).anyNumber;
      const bool number = type->isFloatingPointTy() && memory_.effect(call).strict;
      if (type->isPointerTy() || bounds || number)
        use(*argument, "an argument of a library's function");
    }
}

void Roots::forEachUnsafeCell(const Instruction &instruction, CellUse use) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (call && isPrintOfBurst(*call))
    return forEachPrinted(*call, [&](Cell cell) { use(cell, "what is printed"); });
  if (!call || isa<IntrinsicInst>(call) || mpiFunction(*call) || !isDroppable(*call))
    return;
  const EffectKind kind = memory_.effect(*call).kind;
  if (kind == EffectKind::Order || kind == EffectKind::Renew)
    return; // Whatever the order is, or the data are, they stay in the array.
  const bool byShape = memory_.copiesByShape(*call), strict = memory_.effect(*call).strict;
  const PointsTo &pointsTo = program_.pointsTo();
  for (Cell cell : memory_.reads(*call))
    if ((pointsTo.classOf(cell) != DataClass::Floating || strict) &&
        !pointsTo.isOfLibraryVariable(cell) && !pointsTo.isState(cell) &&
        (!byShape || memory_.isShape(cell)))
      use(cell, "an argument of a library's function");
}

StringRef Roots::safetyText(const char *what, const char *runs) const {
  std::string &text = safetyTexts_[{what, runs}];
  if (text.empty())
    text = std::string(what) + " (%) of code that " + runs;
  return text;
}

StringRef Roots::entryText(unsigned region) const {
  entryTexts_.resize(regions_.all().size());
  std::string &text = entryTexts_[region];
  if (text.empty()) {
    const Region &what = regions_.all()[region];
    text = "how often the burst at " +
           (what.place ? placeOf(what.place) : placeOf(*what.entry->getFirstNonPHIIt())) +
           " is entered";
  }
  return text;
}

Roots::Unsafe Roots::describe(const Instruction &instruction) const {
  const BasicBlock *block = instruction.getParent();
  Unsafe unsafe{&instruction, block, false, Needs::Nothing, {}};
  const auto *call = dyn_cast<CallBase>(&instruction);
  unsafe.needsOne = call && memory_.heap().frees(*call); // left out where its block is not known
  if (unsafe.needsOne || isa<CallBase>(instruction) ||
      (&instruction == &block->front() && isLoopHeader(*block)))
    return unsafe;
  unsafe.needsOne = true;
  forEachUnsafe(instruction, [&](const llvm::Value &value, const char *what) {
    if (!isa<Instruction, Argument>(value))
      return;
    unsafe.value = memory_.needs().of(Needs::Value, &value);
    unsafe.why = safetyText(what, AlwaysRuns);
  });
  return unsafe;
}

void Roots::addSafety(Slice &slice, const Unsafe &unsafe) const {
  if (!unsafe.needsOne || slice.mayBeUnread(*unsafe.instruction))
    return addSafety(slice, *unsafe.instruction);
  if (unsafe.value != Needs::Nothing)
    slice.need(unsafe.value, slice.addLastingRoot(unsafe.why, *unsafe.instruction));
}

void Roots::addFrees(Slice &slice, const CallBase &maker) const {
  const Slice::RootId root = slice.addLastingRoot("what frees the memory made at %", maker);
  const ArrayRef<const CallBase *> ofFunction = memory_.freesOfTemporary(maker);
  for (const CallBase *free : memory_.heap().freesOf(maker)) {
    // Code that does not enter the function makes no such memory.
    if (is_contained(ofFunction, free))
      slice.needLocal(*free, root);
    else
      slice.needEffect(*free, root);
  }
}

/// It answers with a number, and does nothing else: strlen, memcmp, atoi.
bool Roots::isQuestion(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *direct = call ? call->getCalledFunction() : nullptr;
  return direct && direct->isDeclaration() && !direct->isIntrinsic() && !mpiFunction(*direct) &&
         call->getType()->isIntegerTy() && program_.pointsTo().kindOf(*call) == EffectKind::Pure &&
         memory_.writes(*call).empty();
}

void Roots::addSafety(Slice &slice, const Instruction &instruction, const char *runs) const {
  if (slice.mayBeUnread(instruction)) {
    if (const auto root = slice.addRootWhereRead(safetyText("an address", runs), instruction))
      slice.needValue(*getLoadStorePointerOperand(&instruction), *root);
  } else if (slice.mayBeGiven(instruction) && isQuestion(instruction)) {
    // Where its answer is given, it is not called.
    slice.needValue(
        instruction,
        slice.addLastingRoot(safetyText("an argument of a library's function", runs), instruction));
  } else {
    addOwnSafety(slice, instruction, runs);
  }
  if (&instruction == &instruction.getParent()->front() && isLoopHeader(*instruction.getParent()))
    for (const Instruction *exit : loopExits(*instruction.getParent()))
      for (const llvm::Use &operand : exit->operands())
        slice.needValue(*operand,
                        slice.addRoot(std::string("the end of a loop (%) that ") + runs, *exit));
}

/// Of the instruction alone, which is executed.
void Roots::addOwnSafety(Slice &slice, const Instruction &instruction, const char *runs) const {
  forEachUnsafe(instruction, [&](const llvm::Value &value, const char *what) {
    if (!isa<Instruction, Argument>(value))
      return;
    Slice::RootId root = slice.addLastingRoot(safetyText(what, runs), instruction);
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (call && !isa<IntrinsicInst>(call) && call->getCalledFunction() &&
        program_.pointsTo().kindOf(*call) == EffectKind::Output)
      needOneOf(slice, value, root);
    else
      slice.needValue(value, root);
  });
  forEachUnsafeCell(instruction, [&](Cell cell, const char *what) {
    slice.needCell(cell,
                   slice.addRoot(std::string(what) + " (%) in code that " + runs, instruction));
  });
}

} // namespace gnomon
