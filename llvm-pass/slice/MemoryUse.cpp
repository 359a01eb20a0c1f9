// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/MemoryUse.h"

#include "points-to/AccessClass.h"
#include "slice/Needs.h"
#include "slice/Temporaries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// MPI_ANY_TAG of the standard ABI.
constexpr int64_t AnyTag = -2;

void unite(SmallVector<Cell> &all) {
  sort(all);
  all.erase(llvm::unique(all), all.end());
}

bool isIn(MpiRole role) {
  return role == MpiRole::ReceiveBuffer || role == MpiRole::SendReceiveBuffer;
}
bool isOut(MpiRole role) {
  return role == MpiRole::SendBuffer || role == MpiRole::SendReceiveBuffer;
}

/// The collective's name without the I of the nonblocking form: "MPI_Ibcast" meets no "MPI_Bcast",
/// so the name stays whole; only the large-count suffix goes.
StringRef collectiveName(StringRef name) {
  name.consume_back("_c");
  return name;
}

Channel::Family familyOf(const MpiFunction &mpi) {
  StringRef name = mpi.name;
  if (name.starts_with("MPI_File_"))
    return Channel::File;
  constexpr StringLiteral OneSided[] = {"MPI_Win_",    "MPI_Put",   "MPI_Get_accumulate",
                                        "MPI_Accumul", "MPI_Fetch", "MPI_Compare_and",
                                        "MPI_Rput",    "MPI_Rget",  "MPI_Raccumulate"};
  if (name == "MPI_Get" || name == "MPI_Get_c" ||
      any_of(OneSided, [&](StringRef prefix) { return name.starts_with(prefix); }))
    return Channel::Window;
  return mpi.effect == MpiEffect::Collective ? Channel::Collective : Channel::PointToPoint;
}

/// Where the type of the argument is read from memory and nothing else is known of it: the reading; null: not so.
const LoadInst *typeLoadedFor(const CallBase &call, const MpiArgument &argument) {
  if (argument.datatype < 0 || unsigned(argument.datatype) >= call.arg_size() ||
      (!isIn(argument.role) && !isOut(argument.role)) ||
      gnomon::dataOf(call, argument.datatype) != MpiData::Other)
    return nullptr;
  return dyn_cast<LoadInst>(call.getArgOperand(unsigned(argument.datatype)));
}

/// Whether the instruction writes nothing but zeros, which are no type: calloc, memset.
bool clears(const Instruction &writer) {
  if (const auto *set = dyn_cast<MemSetInst>(&writer)) {
    const auto *value = dyn_cast<ConstantInt>(set->getValue());
    return value && value->isZero();
  }
  const auto *call = dyn_cast<CallBase>(&writer);
  const Attribute kind = call ? call->getFnAttr(Attribute::AllocKind) : Attribute();
  return kind.isValid() && (kind.getAllocKind() & AllocFnKind::Zeroed) != AllocFnKind::Unknown;
}

bool loadsType(const CallBase &call, const MpiFunction &mpi) {
  return any_of(mpi.arguments,
                [&](const MpiArgument &argument) { return typeLoadedFor(call, argument); });
}

} // namespace

bool Channel::meets(const Channel &other) const {
  if (family != other.family || (family == Collective && name != other.name))
    return false;
  auto distinct = [](MpiData a, MpiData b) {
    return a == MpiData::Integer && b == MpiData::Floating;
  };
  if (distinct(data, other.data) || distinct(other.data, data))
    return false;
  auto differ = [](const std::optional<int64_t> &a, const std::optional<int64_t> &b) {
    return a && b && *a != *b;
  };
  if (differ(tag, other.tag) || differ(operation, other.operation))
    return false;
  // All callers of a reduction give the same count; those of a broadcast may count elements of
  // another type.
  bool sameUnit = operation || other.operation || (datatype && datatype == other.datatype);
  return !sameUnit || !differ(count, other.count);
}

MemoryUse::MemoryUse(const Program &program, const Externals &externals, Reloads::PieceOf pieceOf)
    : program_(&program), externals_(externals), heap_(program.module(), program.pointsTo()),
      writers_(program.pointsTo().cellCount()), readers_(program.pointsTo().cellCount()),
      reloads_(std::make_unique<Reloads>(*this, std::move(pieceOf))) {
  findAddressed();
  SmallVector<const CallBase *>
      typedByMemory; // what they write is known when all other writers are
  for (const Function &function : program.module())
    for (const Instruction &instruction : instructions(function)) {
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (const MpiFunction *mpi = mpiFunction(*call)) {
          mpiCalls_.push_back(call);
          callsFortran_ |= mpi->fortran;
          if (loadsType(*call, *mpi))
            typedByMemory.push_back(call);
          else
            addMpi(*call, *mpi);
          continue;
        }
      const ArrayRef<Cell> writes = program.pointsTo().writes(instruction);
      for (Cell cell : writes)
        writers_[cell].push_back(&instruction);
      if (!writes.empty())
        writes_[&instruction] = writes;
      const ArrayRef<Cell> reads = program.pointsTo().reads(instruction);
      for (Cell cell : reads)
        readers_[cell].push_back(&instruction);
      if (!reads.empty())
        reads_[&instruction] = reads;
    }
  findStoredTypes(typedByMemory);
  for (const CallBase *call : typedByMemory)
    addMpi(*call, *mpiFunction(*call));
}

void MemoryUse::renew(const Program &program, Reloads::PieceOf pieceOf) {
  program_ = &program;
  reloads_ = std::make_unique<Reloads>(*this, std::move(pieceOf));
  needs_.reset();
  temporaries_.clear();
}

/// The kind of the types that lie where the load reads: predefined ones, all of one kind. Other: that is not known.
MpiData MemoryUse::storedType(const LoadInst &load) const {
  std::optional<MpiData> common;
  for (Cell cell : reads(load)) {
    const auto *global = dyn_cast_or_null<GlobalVariable>(program_->pointsTo().originOf(cell));
    if (cell == PointsTo::Unknown ||
        (global && (!global->hasInitializer() || !global->getInitializer()->isNullValue())))
      return MpiData::Other;
    for (const Instruction *writer : writers(cell)) {
      if (clears(*writer))
        continue;
      const auto *store = dyn_cast<StoreInst>(writer);
      const auto *stored = store ? dyn_cast<Constant>(store->getValueOperand()) : nullptr;
      const std::optional<int64_t> type = stored ? integerOf(*stored) : std::nullopt;
      const MpiData data = type ? dataOfType(*type) : MpiData::Other;
      if (data == MpiData::Other || (common && *common != data))
        return MpiData::Other;
      common = data;
    }
  }
  return common.value_or(MpiData::Other);
}

/// A program that keeps the type of its numbers in a variable (`comm->real = MPI_DOUBLE`) hands that to calls that may
/// write next to it. Supposed that they find what was stored, do they leave it alone? Then that is so: the first of them
/// to write there would have found it.
void MemoryUse::findStoredTypes(ArrayRef<const CallBase *> calls) {
  for (const CallBase *call : calls)
    for (const MpiArgument &argument : mpiFunction(*call)->arguments)
      if (const LoadInst *load = typeLoadedFor(*call, argument))
        if (const MpiData data = storedType(*load); data != MpiData::Other)
          storedTypes_[&call->getArgOperandUse(unsigned(argument.datatype))] = data;
  if (mayWriteTypes(calls))
    storedTypes_.clear();
}

/// Whether one of the calls may write where one of storedTypes_ lies.
bool MemoryUse::mayWriteTypes(ArrayRef<const CallBase *> calls) const {
  DenseSet<Cell> types;
  for (const auto &[use, data] : storedTypes_)
    for (Cell cell : reads(*cast<LoadInst>(use->get())))
      types.insert(cell);
  return any_of(calls, [&](const CallBase *call) {
    return any_of(describe(*call, *mpiFunction(*call)).written,
                  [&](Cell cell) { return types.contains(cell); });
  });
}

MpiData MemoryUse::dataOf(const CallBase &call, int index) const {
  if (index >= 0 && unsigned(index) < call.arg_size())
    if (auto found = storedTypes_.find(&call.getArgOperandUse(unsigned(index)));
        found != storedTypes_.end())
      return found->second;
  return gnomon::dataOf(call, index);
}

void MemoryUse::addMpi(const CallBase &call, const MpiFunction &mpi) {
  MpiMemory memory = describe(call, mpi);
  for (Cell cell : memory.written)
    writers_[cell].push_back(&call);
  for (Cell cell : memory.control)
    readers_[cell].push_back(&call);
  for (Cell cell : memory.sent)
    if (!is_contained(memory.control, cell))
      readers_[cell].push_back(&call);
  SmallVector<Cell> reads = memory.control;
  append_range(reads, memory.sent);
  unite(reads);
  if (!reads.empty())
    reads_[&call] = program_->pointsTo().setOf(reads);
  mpi_[&call] = std::move(memory);
}

namespace {
bool asksForAddress(const MpiFunction &mpi) {
  return mpi.name == "MPI_Get_address" || mpi.name == "MPI_Address";
}
} // namespace

/// A datatype of absolute addresses, or of distances between variables, reaches what
/// MPI_Get_address was asked about.
void MemoryUse::findAddressed() {
  for (const Function &function : program_->module())
    for (const Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const MpiFunction *mpi = call ? mpiFunction(*call) : nullptr;
      if (mpi && asksForAddress(*mpi))
        append_range(addressed_, mpi->arguments[0].descriptor
                                     ? program_->pointsTo().cellsBehind(call->getArgOperand(0))
                                     : program_->pointsTo().cellsOf(call->getArgOperand(0)));
    }
  unite(addressed_);
}

using namespace pointsto;

namespace {

/// Of as many integers as the argument says; below 0: that is not known.
int64_t bytesOf(const CallBase &call, int number) {
  constexpr int64_t IntegerBytes = 4, Most = 1 << 20;
  const std::optional<int64_t> count =
      number < 0 ? std::nullopt : constantArgument(call, unsigned(number));
  return count && *count >= 0 && *count <= Most ? *count * IntegerBytes : -1;
}

} // namespace

SmallVector<Cell> MemoryUse::argumentCells(const CallBase &call, unsigned index) const {
  const MpiFunction &mpi = *mpiFunction(call);
  const MpiArgument &argument = mpi.arguments[index];
  const int number = integersBy(mpi, index);
  const MpiData data = dataOf(call, argument.datatype);
  const uint8_t classes = number >= 0 ? uint8_t(IntegerBit) : classesOf(mpi, argument, data);
  const int64_t bytes = isIn(argument.role) || isOut(argument.role)
                            ? bytesOfBuffer(call, mpi, argument, data)
                            : bytesOf(call, number);
  SmallVector<Cell> cells = program_->pointsTo().cellsFrom(
      call.getArgOperand(index), argument.bytes ? argument.bytes : bytes, classes);
  // Flang's numbers are of both classes where they lie; bounds beside addresses are a descriptor's.
  if (mpi.fortran && classes == (IntegerBit | FloatingBit))
    erase_if(cells, [&](Cell cell) {
      return (program_->pointsTo().classesOf(cell) & PointerBit) && isShape(cell);
    });
  return cells;
}

MpiMemory MemoryUse::describe(const CallBase &call, const MpiFunction &mpi) const {
  MpiMemory memory;
  const bool asks = asksForAddress(mpi); // and touches nothing there
  auto add = [&](SmallVector<Cell> &to, ArrayRef<Cell> cells) { append_range(to, cells); };
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value *value = call.getArgOperand(i);
    MpiRole role = i < mpi.arguments.size() ? mpi.arguments[i].role : MpiRole::Ignored;
    bool byReference = i < mpi.arguments.size() && mpi.arguments[i].byReference;
    if (!value->getType()->isPointerTy() || role == MpiRole::Ignored ||
        (role == MpiRole::Control && !byReference) || (role == MpiRole::Memory && asks))
      continue;
    SmallVector<Cell> cells = argumentCells(call, i);
    if (i < mpi.arguments.size() && mpi.arguments[i].descriptor) {
      add(memory.control, cells);
      cells = program_->pointsTo().cellsBehind(value);
    }
    if ((isIn(role) || isOut(role)) && !addressed_.empty() &&
        dataOf(call, mpi.arguments[i].datatype) == MpiData::Other)
      append_range(cells, addressed_);
    bool controls = role == MpiRole::Control || role == MpiRole::ControlArray ||
                    role == MpiRole::InOut || role == MpiRole::Text;
    if (controls)
      add(memory.control, cells);
    if (isOut(role) || role == MpiRole::Memory)
      add(memory.sent, cells);
    if (isIn(role) || role == MpiRole::Memory)
      add(memory.received, cells);
    if (role == MpiRole::Output || role == MpiRole::InOut || role == MpiRole::WindowMemory)
      add(memory.written, cells);
    // The memory itself has escaped (Externals.def).
    if (role == MpiRole::WindowMemory) {
      memory.sent.push_back(PointsTo::Unknown);
      memory.received.push_back(PointsTo::Unknown);
    }
  }
  append_range(memory.written, memory.received);
  unite(memory.received);
  unite(memory.control);
  unite(memory.sent);
  unite(memory.written);
  return memory;
}

ArrayRef<Cell> MemoryUse::writes(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (auto found = call ? mpi_.find(call) : mpi_.end(); found != mpi_.end())
    return found->second.written;
  return writes_.lookup(&instruction);
}

namespace {

/// Where a call of Fortran's leaves its error; null: nowhere.
const Value *errorOf(const CallBase &call, const MpiFunction &mpi) {
  if (!mpi.fortran)
    return nullptr;
  // Behind it come the lengths of strings, by value.
  for (size_t i = std::min<size_t>(mpi.arguments.size(), call.arg_size()); i-- > 0;)
    if (const Value *argument = call.getArgOperand(i); argument->getType()->isPointerTy())
      return mpi.arguments[i].role == MpiRole::Output && mpi.arguments[i].bytes == 4 ? argument
                                                                                     : nullptr;
  return nullptr;
}

} // namespace

bool MemoryUse::mayWriteAny(const Instruction &instruction, ArrayRef<Cell> cells) const {
  if (!instruction.mayWriteToMemory() || isa<DbgInfoIntrinsic>(instruction) ||
      instruction.isLifetimeStartOrEnd())
    return false;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (call && !mpi_.contains(call) && !isa<IntrinsicInst>(call))
    return true; // what the callee writes is not asked
  return any_of(writes(instruction), [&](Cell cell) { return is_contained(cells, cell); });
}

const CallBase *MemoryUse::writerOf(const LoadInst &load) const {
  constexpr unsigned Furthest = 64; // instructions
  if (!callsFortran_ || !load.getType()->isIntegerTy(32) || !load.isSimple())
    return nullptr;
  const Value *place = load.getPointerOperand()->stripPointerCasts();
  const Instruction *before = &load;
  for (unsigned steps = 0; steps < Furthest; ++steps) {
    const BasicBlock *block = before->getParent();
    if (before == &block->front()) {
      const BasicBlock *only = block->getUniquePredecessor();
      if (!only || only == load.getParent())
        return nullptr;
      before = only->getTerminator();
    } else {
      before = before->getPrevNode();
    }
    if (const auto *call = dyn_cast<CallBase>(before))
      if (const MpiFunction *mpi = mpiFunction(*call))
        if (const Value *error = errorOf(*call, *mpi); error && error->stripPointerCasts() == place)
          return call;
    if (mayWriteAny(*before, reads(load)))
      return nullptr;
  }
  return nullptr;
}

namespace {

/// The instruction in front, in the block or in the only one that leads to it; null: there is more than one way, or it
/// leads back to \p end.
const Instruction *before(const Instruction &instruction, const BasicBlock &end) {
  const BasicBlock *block = instruction.getParent();
  if (&instruction != &block->front())
    return instruction.getPrevNode();
  const BasicBlock *only = block->getUniquePredecessor();
  return only && only != &end ? only->getTerminator() : nullptr;
}

/// Whether both are errno's address, which is the same one in all of a function.
bool isSamePlace(const Value &one, const Value &other) {
  const auto *first = dyn_cast<CallBase>(&one), *second = dyn_cast<CallBase>(&other);
  return &one == &other || (first && second && first->getCalledFunction() &&
                            first->getCalledFunction() == second->getCalledFunction());
}

} // namespace

SmallVector<const Instruction *, 4> MemoryUse::writersSince(const LoadInst &load) const {
  constexpr unsigned Furthest = 64; // instructions
  SmallVector<const Instruction *, 4> writers;
  const ArrayRef<Cell> cells = reads(load);
  if (cells.empty() ||
      !all_of(cells, [&](Cell cell) { return program_->pointsTo().isState(cell); }))
    return writers;
  const Instruction *at = before(load, *load.getParent());
  for (unsigned steps = 0; at && steps < Furthest; ++steps) {
    if (any_of(writes(*at), [&](Cell cell) { return is_contained(cells, cell); }))
      writers.push_back(at);
    const auto *store = dyn_cast<StoreInst>(at);
    if (store && isSamePlace(*store->getPointerOperand(), *load.getPointerOperand()))
      return writers;
    const auto *call = dyn_cast<CallBase>(at);
    if (call && !isa<IntrinsicInst>(call) &&
        (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration()))
      break; // what the callee writes is not asked
    at = before(*at, *load.getParent());
  }
  return {};
}

const MpiMemory &MemoryUse::mpi(const CallBase &call) const { return mpi_.find(&call)->second; }

SmallVector<Channel, 2> MemoryUse::findChannels(const CallBase &call, bool in) const {
  SmallVector<Channel, 2> found;
  const MpiFunction *mpi = mpiFunction(call);
  // What a call that asks nobody (MPI_Win_attach) makes part of a window is reached by messages.
  if (!mpi || (mpi->effect == MpiEffect::Local && familyOf(*mpi) != Channel::Window))
    return found;
  for (auto [index, argument] : enumerate(mpi->arguments)) {
    bool memory = argument.role == MpiRole::Memory || argument.role == MpiRole::WindowMemory;
    if (!memory && (in ? !isIn(argument.role) : !isOut(argument.role)))
      continue;
    const Channel::Family family = familyOf(*mpi);
    // A file may be read as another type than it was written.
    const bool untyped = memory || family == Channel::File;
    Channel channel{family,
                    collectiveName(mpi->name),
                    untyped ? MpiData::Other : dataOf(call, argument.datatype),
                    {},
                    {},
                    {},
                    {}};
    // A call that both sends and receives has two tags, of which the table names one.
    bool both = mpi->name.starts_with("MPI_Sendrecv") || mpi->name.starts_with("MPI_Isendrecv");
    if (mpi->tag >= 0 && !both)
      channel.tag = constantArgument(call, mpi->tag);
    if (channel.tag == AnyTag)
      channel.tag.reset();
    // What one call puts into a window another may get in other portions, by another operation.
    bool matched = channel.family != Channel::Window;
    if (matched && (mpi->reduction || mpi->name == "MPI_Bcast" || mpi->name == "MPI_Ibcast")) {
      if (argument.count >= 0)
        channel.count = constantArgument(call, argument.count);
      if (argument.datatype >= 0)
        channel.datatype = constantArgument(call, argument.datatype);
      if (mpi->op >= 0)
        channel.operation = constantArgument(call, mpi->op);
    }
    found.push_back(channel);
  }
  return found;
}

const MemoryUse::Channels &MemoryUse::channels(const CallBase &call) const {
  std::unique_ptr<Channels> &known = channels_[&call];
  if (!known)
    known =
        std::make_unique<Channels>(Channels{findChannels(call, true), findChannels(call, false)});
  return *known;
}

ArrayRef<Channel> MemoryUse::incoming(const CallBase &call) const {
  return channels(call).incoming;
}

ArrayRef<Channel> MemoryUse::outgoing(const CallBase &call) const {
  return channels(call).outgoing;
}

bool MemoryUse::passesData(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || !call->getCalledFunction() ||
      !call->getCalledFunction()->isDeclaration())
    return true;
  if (effect(*call).verdict || effect(*call).readsFlags)
    return true;
  switch (program_->pointsTo().kindOf(*call)) {
  case EffectKind::Output:
  case EffectKind::Input:
  case EffectKind::Allocate:
  case EffectKind::Free:
  case EffectKind::Clock:
  case EffectKind::Time:
  case EffectKind::NoReturn:
  case EffectKind::Communicates:
    return false;
  default:
    return true;
  }
}

bool MemoryUse::isShape(Cell cell) const { return holdsNoNumbers(cell); }

bool MemoryUse::holdsNoNumbers(Cell cell) const {
  return !(program_->pointsTo().classesOf(cell) & (IntegerBit | FloatingBit));
}

bool MemoryUse::holdsNoAddresses(Cell cell) const {
  const uint8_t classes = program_->pointsTo().classesOf(cell);
  return (classes & FloatingBit) && !(classes & PointerBit);
}

bool MemoryUse::copiesByShape(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && !callee->isIntrinsic() && !mpiFunction(*callee) &&
         effect(*call).byShape;
}

ArrayRef<Cell> MemoryUse::touches(const Instruction &copy, bool written, bool behind) const {
  auto [entry, isNew] = touches_.try_emplace({&copy, written, behind});
  if (isNew)
    entry->second = program_->pointsTo().touches(copy, written, behind);
  return entry->second;
}

bool MemoryUse::isOnlyBehind(const Instruction &copy, Cell cell, bool written) const {
  return binary_search(touches(copy, written, /*behind=*/true), cell) &&
         !binary_search(touches(copy, written, /*behind=*/false), cell);
}

bool MemoryUse::isOnlyInFront(const Instruction &copy, Cell cell, bool written) const {
  return binary_search(touches(copy, written, /*behind=*/false), cell) &&
         !binary_search(touches(copy, written, /*behind=*/true), cell);
}

ArrayRef<const CallBase *> MemoryUse::freesOfTemporary(const CallBase &allocation) const {
  auto [entry, isNew] = temporaries_.try_emplace(&allocation);
  if (isNew)
    entry->second = gnomon::freesOfTemporary(
        allocation, [this](const CallBase &call) -> const Effect & { return effect(call); });
  return entry->second;
}

/// The object to which all addresses lead by which the call, of an external function, writes the program's memory; null:
/// there is no one such.
static const Value *onlyWrittenBy(const CallBase &call, const Effect &effect) {
  const Value *object = nullptr;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    const ArgumentEffect used = effect.argument(index);
    if (effect.mayKeep(index, call.arg_size()) || used.list || used.behind || used.moved ||
        used.storesUnit)
      return nullptr;
    if (!used.written)
      continue;
    const Value *written = getUnderlyingObject(call.getArgOperand(index));
    if (object && written != object)
      return nullptr;
    object = written;
  }
  return object;
}

/// The same of any instruction.
const Value *MemoryUse::onlyWritten(const Instruction &writer) const {
  if (const auto *store = dyn_cast<StoreInst>(&writer))
    return getUnderlyingObject(store->getPointerOperand());
  if (const auto *intrinsic = dyn_cast<AnyMemIntrinsic>(&writer))
    return getUnderlyingObject(intrinsic->getRawDest());
  if (const auto *start = dyn_cast<VAStartInst>(&writer))
    return getUnderlyingObject(start->getArgList());
  const auto *call = dyn_cast<CallBase>(&writer);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || mpiFunction(*callee))
    return nullptr;
  return onlyWrittenBy(*call, effect(*call));
}

bool MemoryUse::writesOwn(const Instruction &writer, Cell cell) const {
  const auto *object = cell == PointsTo::Unknown
                           ? nullptr
                           : dyn_cast_or_null<Instruction>(program_->pointsTo().originOf(cell));
  if (!object || object->getFunction() != writer.getFunction() || onlyWritten(writer) != object)
    return false;
  const auto *allocation = dyn_cast<CallBase>(object);
  return isa<AllocaInst>(object) || (allocation && !freesOfTemporary(*allocation).empty());
}

/// The object as an argument of a function of which all calls can be asked what they pass.
const Argument *MemoryUse::askable(const Value *object) const {
  constexpr size_t MostCallers = 64;
  const auto *argument = dyn_cast_or_null<Argument>(object);
  return argument && !argument->hasByValAttr() &&
                 program_->callers(*argument->getParent()).size() <= MostCallers
             ? argument
             : nullptr;
}

const Argument *MemoryUse::writesBy(const Instruction &writer) const {
  return askable(onlyWritten(writer));
}

const Argument *MemoryUse::readsBy(const Instruction &reader) const {
  const auto *load = dyn_cast<LoadInst>(&reader);
  return load ? askable(getUnderlyingObject(load->getPointerOperand())) : nullptr;
}

bool MemoryUse::mayPass(const CallBase &call, unsigned index, Cell cell) const {
  const Function *callee = call.getCalledFunction();
  if (callee && callee->isDeclaration()) // calls back, with what it chooses
    return true;
  if (index >= call.arg_size())
    return false;
  auto [entry, isNew] = passed_.try_emplace(&call.getArgOperandUse(index));
  const PointsTo &pointsTo = program_->pointsTo();
  if (isNew) {
    SmallVector<uint32_t> objects;
    for (Cell reached : pointsTo.cellsOf(call.getArgOperand(index)))
      if (const uint32_t object = pointsTo.objectOf(reached);
          objects.empty() || objects.back() != object)
        objects.push_back(object);
    sort(objects);
    objects.erase(llvm::unique(objects), objects.end());
    entry->second = passedSets_.of(objects);
  }
  return binary_search(entry->second, pointsTo.objectOf(cell));
}

const Effect &MemoryUse::effect(const CallBase &call) const {
  std::unique_ptr<Effect> &effect = effects_[&call];
  if (!effect)
    effect = std::make_unique<Effect>(externals_.of(call));
  return *effect;
}

MemoryUse::~MemoryUse() = default;

Needs &MemoryUse::needs() const {
  if (!needs_)
    needs_ = std::make_unique<Needs>(*this);
  return *needs_;
}

} // namespace gnomon
