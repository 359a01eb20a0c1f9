// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/PointHooks.h"

#include "bursts/Roots.h"
#include "gnomon/Burst.h"
#include "names/HookCode.h"
#include "names/HookNames.h"
#include "names/Names.h"
#include "names/Places.h"
#include "names/Records.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

std::string describe(const Instruction &value, const Roots &roots) {
  for (const User *user : value.users()) {
    const auto *at = cast<Instruction>(user);
    if (at->isTerminator() && roots.endsLoopWithMpi(*at))
      return "the end of the loop at " + roots.loopPlace(*at);
    if (const auto *call = dyn_cast<CallBase>(at))
      if (const MpiFunction *mpi = mpiFunction(*call))
        for (const Use &argument : call->args())
          if (argument.get() == &value)
            return mpiArgumentText(*mpi, call->getArgOperandNo(&argument));
  }
  if (std::string name = nameInSource(value); !name.empty())
    return "'" + name + "'";
  return value.getType()->isIntegerTy(1) ? "a condition" : "a number";
}

uint32_t lengthOf(MpiLength length) {
  switch (length) {
  case MpiLength::None:
    return GNOMON_LENGTH_ONE;
  case MpiLength::Peers:
    return GNOMON_LENGTH_PEERS;
  case MpiLength::PeersAtRoot:
    return GNOMON_LENGTH_PEERS_AT_ROOT;
  case MpiLength::Members:
    return GNOMON_LENGTH_MEMBERS;
  case MpiLength::Sources:
    return GNOMON_LENGTH_SOURCES;
  case MpiLength::Destinations:
    return GNOMON_LENGTH_DESTINATIONS;
  }
  llvm_unreachable("a length");
}

class PointHooks {
public:
  explicit PointHooks(Module &module)
      : module_(module), word_(Type::getInt64Ty(module.getContext())),
        hook_(module.getOrInsertFunction(hook::gnomon_decide, word_,
                                         PointerType::getUnqual(module.getContext()), word_)) {}

  void add(const PlacedPoint &point) {
    if (point.value)
      addValue(*point.value, point);
    else if (point.isArray())
      addArray(*point.argument, point);
    else
      addArgument(*point.argument, point);
  }

  void finish() {
    if (records_.empty())
      return;
    appendToCompilerUsed(
        module_, {&pointsSwitch(module_),
                  record::addTable(module_, records_, record::Access::Writable, names::Points)});
  }

private:
  /// All that used the value uses what the hook gives.
  void addValue(Instruction &value, const PlacedPoint &point) {
    Type *type = value.getType();
    SmallVector<Use *, 8> uses;
    for (Use &use : value.uses())
      uses.push_back(&use);
    Constant &record = addRecord(value, *type, point);
    Instruction &computed = point.isQuestion ? askOnlyWhereComputed(value, record) : value;
    BasicBlock &block = *computed.getParent();
    IRBuilder<> builder(&block, isa<PHINode>(computed) ? block.getFirstInsertionPt()
                                                       : std::next(computed.getIterator()));
    builder.SetCurrentDebugLocation(nearestPlace(value));
    Value *wide = widen(builder, computed);
    Value *given = decide(builder, *wide, record);
    given = narrow(builder, *given, *type);
    for (Use *use : uses)
      use->set(given);
  }

  /// MPI reads what the hook gives, in a variable of its own: the program's may be a constant.
  void addArgument(Use &argument, const PlacedPoint &point) {
    auto &call = *cast<CallBase>(argument.getUser());
    constexpr unsigned Bits = 8;
    Type *type = IntegerType::get(
        module_.getContext(), Bits * mpiFunction(call)->arguments[argument.getOperandNo()].bytes);
    BasicBlock &entry = call.getFunction()->getEntryBlock();
    auto *copy = new AllocaInst(type, module_.getDataLayout().getAllocaAddrSpace(), "gnomon.given",
                                entry.getFirstNonPHIOrDbgOrAlloca());
    markAsHook(*copy);
    IRBuilder<> builder(&call);
    Instruction *computed = builder.CreateLoad(type, argument.get());
    markAsHook(*computed);
    Value *given = decide(builder, *widen(builder, *computed), addRecord(call, *type, point));
    given = narrow(builder, *given, *type);
    markAsHook(*builder.CreateStore(given, copy));
    argument.set(copy);
  }

  /// MPI reads what lies where the hook says.
  void addArray(Use &argument, const PlacedPoint &point) {
    constexpr unsigned Bits = 8;
    auto &call = *cast<CallBase>(argument.getUser());
    const MpiFunction &mpi = *mpiFunction(call);
    IRBuilder<> builder(&call);
    PointerType *pointer = builder.getPtrTy();
    FunctionCallee hook = module_.getOrInsertFunction(hook::gnomon_decide_each, pointer, pointer,
                                                      word_, builder.getInt32Ty(), pointer);
    Value *comm = handle(builder, call, mpi.comm);
    if (const std::optional<unsigned> sent = sentInPlace(mpi, argument.getOperandNo()))
      comm = whereBufferIs(builder, call, *sent, *comm);
    Value *root =
        mpi.peer < 0 ? builder.getInt32(0) : number(builder, call, static_cast<unsigned>(mpi.peer));
    Type *element = builder.getIntNTy(Bits * mpiArgumentOf(argument).elementBytes);
    CallInst *given =
        builder.CreateCall(hook, {&addRecord(call, *element, point), comm, root, argument.get()});
    markAsHook(*given);
    argument.set(given);
  }

  /// An INTEGER of the call.
  Value *number(IRBuilderBase &builder, const CallBase &call, unsigned index) {
    Value *argument = call.getArgOperand(index);
    if (!mpiFunction(call)->arguments[index].byReference)
      return argument;
    LoadInst *loaded = builder.CreateLoad(builder.getInt32Ty(), argument);
    markAsHook(*loaded);
    return loaded;
  }

  /// A communicator's number, the same in every language.
  Value *handle(IRBuilderBase &builder, const CallBase &call, int index) {
    Value *argument = number(builder, call, static_cast<unsigned>(index));
    Value *wide = argument->getType()->isPointerTy() ? builder.CreatePtrToInt(argument, word_)
                                                     : builder.CreateZExt(argument, word_);
    if (auto *made = dyn_cast<Instruction>(wide))
      markAsHook(*made);
    return wide;
  }

  /// The buffer that an array of counts or displacements is of, where MPI_IN_PLACE in its stead has the array mean nothing:
  /// the one that is sent of a call that has arrays for both.
  static std::optional<unsigned> sentInPlace(const MpiFunction &mpi, unsigned array) {
    std::optional<unsigned> sent, received;
    for (auto [index, argument] : enumerate(mpi.arguments)) {
      const bool hasCounts =
          argument.count >= 0 && mpi.arguments[unsigned(argument.count)].length != MpiLength::None;
      if (hasCounts)
        (sent ? received : sent) = static_cast<unsigned>(index);
    }
    return received && array < *received ? sent : std::nullopt;
  }

  /// The communicator, or none where the call is in place.
  Value *whereBufferIs(IRBuilderBase &builder, const CallBase &call, unsigned index, Value &comm) {
    const MpiFunction &mpi = *mpiFunction(call);
    Value *inPlace = builder.CreateIntToPtr(builder.getInt64(1), builder.getPtrTy());
    if (mpi.fortran)
      inPlace = module_.getNamedGlobal("gnomon_mpi_in_place_");
    if (!inPlace)
      return &comm; // no code of the module can say so
    Value *buffer = call.getArgOperand(index);
    if (mpi.arguments[index].descriptor) // begins with the address
      buffer = builder.CreateLoad(builder.getPtrTy(), buffer);
    Value *isInPlace = builder.CreateICmpEQ(buffer, inPlace);
    Value *known = builder.CreateSelect(isInPlace, Constant::getNullValue(comm.getType()), &comm);
    for (Value *made : {buffer, isInPlace, known})
      if (auto *instruction = dyn_cast<Instruction>(made);
          instruction && made != call.getArgOperand(index))
        markAsHook(*instruction);
    return known;
  }

  Value *narrow(IRBuilderBase &builder, Value &given, Type &type) {
    if (&type == word_)
      return &given;
    Value *narrow = type.isIntegerTy() ? builder.CreateTrunc(&given, &type) : nullptr;
    if (type.isFloatTy()) { // recorded as the same number in 64 bits
      narrow = builder.CreateBitCast(&given, builder.getDoubleTy());
      markAsHook(*cast<Instruction>(narrow));
      narrow = builder.CreateFPTrunc(narrow, &type);
    } else if (type.isDoubleTy()) {
      narrow = builder.CreateBitCast(&given, &type);
    }
    markAsHook(*cast<Instruction>(narrow));
    return narrow;
  }

  Value *widen(IRBuilderBase &builder, Value &value) {
    if (value.getType()->isFloatingPointTy()) {
      Value *number = &value;
      if (number->getType()->isFloatTy()) {
        number = builder.CreateFPExt(number, builder.getDoubleTy());
        markAsHook(*cast<Instruction>(number));
      }
      number = builder.CreateBitCast(number, word_);
      markAsHook(*cast<Instruction>(number));
      return number;
    }
    Value *wide = value.getType()->isIntegerTy(1) ? builder.CreateZExt(&value, word_)
                                                  : builder.CreateSExt(&value, word_);
    if (wide != &value)
      if (auto *instruction = dyn_cast<Instruction>(wide))
        markAsHook(*instruction);
    return wide;
  }

  /// Data that are not right may have no end where they should, and an address lead anywhere: the call, or the read, is
  /// left out where its answer is given. The answer, or 0, is the instruction that comes back.
  Instruction &askOnlyWhereComputed(Instruction &question, Constant &record) {
    BasicBlock *before = question.getParent();
    IRBuilder<> builder(&question);
    FunctionCallee hook = module_.getOrInsertFunction(hook::gnomon_computes, builder.getInt32Ty(),
                                                      PointerType::getUnqual(module_.getContext()));
    CallInst *computes = builder.CreateCall(hook, {&record});
    Value *isComputed = builder.CreateICmpNE(computes, builder.getInt32(0));
    Instruction *then =
        SplitBlockAndInsertIfThen(isComputed, question.getIterator(), /*Unreachable=*/false);
    BasicBlock *asked = then->getParent(), *join = asked->getSingleSuccessor();
    question.moveBefore(then->getIterator());
    if (auto *load = dyn_cast<LoadInst>(&question))
      load->setVolatile(true); // else the optimiser would read where the type says that it may
    PHINode *answer = PHINode::Create(question.getType(), 2, "", join->begin());
    answer->setDebugLoc(question.getDebugLoc());
    answer->addIncoming(&question, asked);
    answer->addIncoming(Constant::getNullValue(question.getType()), before);
    for (Instruction *added : {cast<Instruction>(computes), cast<Instruction>(isComputed),
                               before->getTerminator(), then, cast<Instruction>(answer)})
      markAsHook(*added);
    return *answer;
  }

  Value *decide(IRBuilderBase &builder, Value &wide, Constant &record) {
    CallInst *call = builder.CreateCall(hook_, {&record, &wide});
    markAsHook(*call);
    return call;
  }

  Constant &addRecord(const Instruction &at, const Type &type, const PlacedPoint &point) {
    const DebugLoc place = nearestPlace(at);
    Constant *record =
        record::Point{
            .function = record::addText(module_, nameInSource(*at.getFunction())),
            .file = record::addText(module_, place ? place->getFilename() : ""),
            .what = record::addText(module_, point.what),
            .held = addList(point.held, "gnomon.held"),
            .rests = addList(point.rests, "gnomon.rests"),
            .sites = addNumbers(point.sites, "gnomon.rests.sites"),
            .held_count = uint32_t(point.held.size()),
            .rests_count = uint32_t(point.rests.size()),
            .site_count = uint32_t(point.sites.size()),
            .line = place ? place.getLine() : 0,
            .bits = type.isIntegerTy() ? type.getIntegerBitWidth() : 64,
            .real = type.isFloatingPointTy(),
            .length = point.isArray() ? lengthOf(mpiArgumentOf(*point.argument).length)
                                      : uint32_t{GNOMON_LENGTH_ONE},
        }
            .constant(module_);
    records_.push_back(new GlobalVariable(module_, record->getType(), /*isConstant=*/false,
                                          GlobalValue::InternalLinkage, record, "gnomon.point"));
    return *records_.back();
  }

  Constant *addList(ArrayRef<Constant *> entries, StringRef name) {
    return entries.empty() ? nullptr
                           : record::addTable(module_, entries, record::Access::ReadOnly, name);
  }

  Constant *addNumbers(ArrayRef<unsigned> numbers, StringRef name) {
    SmallVector<Constant *, 4> constants;
    for (unsigned number : numbers)
      constants.push_back(ConstantInt::get(Type::getInt32Ty(module_.getContext()), number));
    return addList(constants, name);
  }

  Module &module_;
  Type *word_;
  FunctionCallee hook_;
  SmallVector<Constant *, 16> records_;
};

} // namespace

bool PlacedPoint::isArray() const {
  return argument && mpiArgumentOf(*argument).length != MpiLength::None;
}

GlobalVariable &pointsSwitch(Module &module) {
  if (GlobalVariable *made = module.getNamedGlobal(names::PointsOn))
    return *made;
  Type *word = Type::getInt32Ty(module.getContext());
  auto *made = new GlobalVariable(module, word, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                  ConstantInt::get(word, 0), names::PointsOn);
  made->setExternallyInitialized(true); // the runtime sets it
  return *made;
}

std::vector<PlacedPoint> placePoints(const Points &points, const Roots &roots, Module &module) {
  std::vector<PlacedPoint> placed;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&instruction))
        for (Use &argument : call->args())
          if (points.arguments.contains(&argument))
            placed.push_back(
                {nullptr, &argument,
                 mpiArgumentText(*mpiFunction(*call), call->getArgOperandNo(&argument))});
      if (points.values.contains(&instruction))
        placed.push_back({&instruction, nullptr, describe(instruction, roots),
                          points.unread.contains(&instruction) || roots.isQuestion(instruction)});
    }
  return placed;
}

std::vector<Function *> addPointHooks(ArrayRef<PlacedPoint> points, Module &module) {
  PointHooks hooks(module);
  std::vector<Function *> changed;
  for (const PlacedPoint &point : points) {
    const auto *at = point.value ? point.value : cast<Instruction>(point.argument->getUser());
    changed.push_back(const_cast<Function *>(at->getFunction()));
  }
  // How long an array is rests on numbers of its call that are points, too.
  for (const bool arrays : {false, true})
    for (const PlacedPoint &point : points)
      if (point.isArray() == arrays)
        hooks.add(point);
  hooks.finish();
  return changed;
}

} // namespace gnomon
