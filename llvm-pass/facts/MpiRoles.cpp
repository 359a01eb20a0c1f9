// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/MpiRoles.h"

#include "facts/ConstantField.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

struct Entry {
  StringRef key; ///< the symbol without a leading P or p and without trailing underscores
  MpiFunction function;
};

struct Type {
  int64_t value;
  MpiData data;
};

#include "MpiRoles.inc"

/// The key of a symbol; empty when it is not of MPI's form.
StringRef keyOf(StringRef symbol) {
  StringRef name = symbol;
  if (!name.consume_front("P"))
    name.consume_front("p");
  if (name.starts_with("MPI_"))
    return symbol.starts_with("p") ? StringRef() : name;
  if (name.starts_with("mpi_"))
    return symbol.starts_with("P") ? StringRef() : name.rtrim('_');
  return symbol.starts_with("gnomon_") ? symbol.rtrim('_') : StringRef();
}

/// The integer that lies at \p address, of a global that never changes.
std::optional<int64_t> integerAt(const Value *address, llvm::Type *type, const DataLayout &layout) {
  auto *constant = dyn_cast<Constant>(const_cast<Value *>(address));
  const Constant *found = constant ? ConstantFoldLoadFromConstPtr(constant, type, layout) : nullptr;
  return found ? integerOf(*found) : std::nullopt;
}

std::optional<int64_t> valueOf(const Value *value, const DataLayout &layout) {
  if (const auto *constant = dyn_cast<Constant>(value))
    return integerOf(*constant);
  if (const auto *load = dyn_cast<LoadInst>(value); load && !load->isVolatile())
    return integerAt(load->getPointerOperand(), load->getType(), layout);
  return std::nullopt;
}

/// Whether the use of a variable's address leaves the variable as it is.
bool onlyReads(const Use &use) {
  const User *user = use.getUser();
  if (isa<LoadInst>(user))
    return true;
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(user))
    return intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic);
  const auto *call = dyn_cast<CallBase>(user);
  const MpiFunction *function = call && call->isArgOperand(&use) ? mpiFunction(*call) : nullptr;
  unsigned index = function ? call->getArgOperandNo(&use) : 0;
  return function && index < function->arguments.size() &&
         function->arguments[index].role == MpiRole::Control;
}

/// What \p variable, which only stores change, holds at \p call. Either every store stores the same
/// constant (what flang makes of a constant argument), or the last one before the call in its block
/// decides.
std::optional<int64_t> storedBefore(const AllocaInst &variable, const CallBase &call,
                                    const DataLayout &layout) {
  SmallPtrSet<const Instruction *, 4> stores;
  std::optional<int64_t> common;
  bool same = true;
  for (const Use &use : variable.uses()) {
    const auto *store = dyn_cast<StoreInst>(use.getUser());
    if (store && use.getOperandNo() == StoreInst::getPointerOperandIndex()) {
      std::optional<int64_t> value = valueOf(store->getValueOperand(), layout);
      same = same && value && (stores.empty() || common == value);
      common = value;
      stores.insert(store);
    } else if (!onlyReads(use)) {
      return std::nullopt;
    }
  }
  if (same)
    return common;
  for (const Instruction *at = call.getPrevNode(); at; at = at->getPrevNode())
    if (stores.contains(at))
      return valueOf(cast<StoreInst>(at)->getValueOperand(), layout);
  return std::nullopt;
}

std::optional<int64_t> referencedBy(const CallBase &call, unsigned index) {
  const DataLayout &layout = call.getModule()->getDataLayout();
  const Value *address = call.getArgOperand(index)->stripPointerCasts();
  if (const auto *variable = dyn_cast<AllocaInst>(address))
    return storedBefore(*variable, call, layout);
  llvm::Type *integer = llvm::Type::getInt32Ty(call.getContext());
  return integerAt(address, integer, layout);
}

/// The only type that the program gives to the variable in which the call finds its type.
std::optional<int64_t> onlyTypeOf(const CallBase &call, unsigned index) {
  const MpiFunction *function = mpiFunction(call);
  if (!function || index >= call.arg_size())
    return std::nullopt;
  const DataLayout &layout = call.getModule()->getDataLayout();
  const Value *address = call.getArgOperand(index);
  unsigned bytes = 4;
  if (!function->fortran) {
    const auto *load = dyn_cast<LoadInst>(address);
    if (!load)
      return std::nullopt;
    address = load->getPointerOperand();
    bytes = layout.getPointerSize();
  }
  APInt offset(64, 0);
  const Value *base = address->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto *global = dyn_cast<GlobalVariable>(base);
  return global && !offset.isNegative() ? onlyStored(*global, offset.getZExtValue(), bytes)
                                        : std::nullopt;
}

/// What the last store before \p call, in its block, puts at the start of a descriptor: the address
/// of the payload; null when that is not seen.
const Value *baseBefore(const Value *descriptor, const CallBase &call) {
  for (const Instruction *at = call.getPrevNode(); at; at = at->getPrevNode()) {
    const auto *store = dyn_cast<StoreInst>(at);
    if (!store || store->getPointerOperand()->stripPointerCasts() != descriptor)
      continue;
    const Value *value = store->getValueOperand();
    while (const auto *insert = dyn_cast<InsertValueInst>(value)) {
      if (insert->getIndices() == ArrayRef<unsigned>{0})
        return insert->getInsertedValueOperand()->stripPointerCasts();
      value = insert->getAggregateOperand();
    }
    if (const auto *whole = dyn_cast<ConstantStruct>(value))
      value = whole->getOperand(0);
    return value->stripPointerCasts();
  }
  return nullptr;
}

/// Whether a handle is one of several predefined types of numbers: `kind == 1 ? MPI_INT : MPI_DOUBLE`.
bool isChoiceOfNumbers(const Value &handle) {
  constexpr unsigned Most = 16;
  SmallSetVector<const Value *, 8> seen;
  seen.insert(&handle);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (const auto *constant = dyn_cast<Constant>(seen[i])) {
      const std::optional<int64_t> type = integerOf(*constant);
      const MpiData data = type ? dataOfType(*type) : MpiData::Other;
      if (data != MpiData::Integer && data != MpiData::Floating)
        return false;
    } else if (const auto *choice = dyn_cast<SelectInst>(seen[i])) {
      seen.insert(choice->getTrueValue());
      seen.insert(choice->getFalseValue());
    } else if (const auto *phi = dyn_cast<PHINode>(seen[i])) {
      seen.insert(phi->op_begin(), phi->op_end());
    } else {
      return false;
    }
    if (seen.size() > Most)
      return false;
  }
  return true;
}

/// Whether a buffer of the function holds as many elements as its count says, and no more.
bool holdsOnlyCount(StringRef name) {
  if (!name.consume_front("MPI_"))
    return false;
  name.consume_back("_c");
  name.consume_back("_init");
  constexpr StringLiteral Names[] = {"Send",   "Bsend",       "Ssend",     "Rsend",
                                     "Recv",   "Mrecv",       "Sendrecv",  "Sendrecv_replace",
                                     "Bcast",  "Reduce",      "Allreduce", "Scan",
                                     "Exscan", "Reduce_local"};
  if (is_contained(Names, name))
    return true;
  // Nonblocking: MPI_Isend is Send.
  const std::string plain =
      name.consume_front("I") && !name.empty()
          ? std::string(1, llvm::toUpper(name.front())) + name.drop_front().str()
          : std::string();
  return is_contained(Names, plain);
}

/// Of one element of the predefined type, which is of the kind \p data; none: it is not known which.
/// The ABI writes the size of types that have the same everywhere into the handle. None is longer
/// than a complex number of long doubles. Source: MPI 5.0, chapter 20.
int64_t mostBytesOf(std::optional<int64_t> type, MpiData data) {
  constexpr int64_t Longest = 32, FixedFrom = 0x240, FixedTo = 0x300;
  constexpr std::pair<int64_t, int64_t> Usual[] = {{0x208, 2}, {0x209, 4}, {0x20a, 8}, {0x20b, 8},
                                                   {0x20c, 2}, {0x20d, 4}, {0x20e, 8}, {0x20f, 8},
                                                   {0x210, 4}, {0x214, 8}};
  if (data == MpiData::Bytes)
    return 1;
  if (!type)
    return Longest;
  if (*type >= FixedFrom && *type < FixedTo)
    return int64_t(1) << (*type >> 3 & 7);
  const auto *usual = find_if(Usual, [&](const auto &entry) { return entry.first == *type; });
  return usual == std::end(Usual) ? Longest : usual->second;
}

bool isSentinel(const CallBase &call, unsigned index, StringRef block, int64_t address) {
  const MpiFunction *function = mpiFunction(call);
  if (!function || index >= call.arg_size())
    return false;
  if (!function->fortran)
    return constantArgument(call, index) == address;
  const Value *buffer = call.getArgOperand(index)->stripPointerCasts();
  if (index < function->arguments.size() && function->arguments[index].descriptor)
    buffer = baseBefore(buffer, call);
  const auto *global = dyn_cast_or_null<GlobalVariable>(buffer);
  return global && global->getName().rtrim('_') == block;
}

} // namespace

int integersBy(const MpiFunction &function, unsigned index) {
  StringRef name = function.name;
  if (name == "MPI_Cart_get" && index >= 2 && index <= 4)
    return 1;
  if (name == "MPI_Cart_coords" && index == 3)
    return 2;
  return name == "MPI_Dims_create" && index == 2 ? 1 : -1;
}

std::optional<int64_t> integerOf(const Constant &constant) {
  if (const auto *number = dyn_cast<ConstantInt>(&constant))
    return number->getBitWidth() <= 64 ? std::optional(number->getSExtValue()) : std::nullopt;
  if (isa<ConstantPointerNull, ConstantAggregateZero>(constant))
    return 0;
  if (const auto *expression = dyn_cast<ConstantExpr>(&constant))
    return expression->getOpcode() == Instruction::IntToPtr ? integerOf(*expression->getOperand(0))
                                                            : std::nullopt;
  if (const auto *fields = dyn_cast<ConstantStruct>(&constant))
    return fields->getNumOperands() == 1 ? integerOf(*fields->getOperand(0)) : std::nullopt;
  return std::nullopt;
}

const MpiFunction *mpiFunction(const Function &function) {
  StringRef key = function.isDeclaration() ? keyOf(function.getName()) : StringRef();
  if (key.empty() || key.equals_insensitive("MPI_Wtime") || key.equals_insensitive("MPI_Wtick"))
    return nullptr;
  const auto *found = partition_point(functions, [&](const Entry &e) { return e.key < key; });
  return found != std::end(functions) && found->key == key ? &found->function : nullptr;
}

const MpiFunction *mpiFunction(const CallBase &call) {
  // Fortran's implicit interfaces give one symbol several types: the callee, not its type, counts.
  const auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee ? mpiFunction(*callee) : nullptr;
}

const MpiArgument &mpiArgumentOf(const Use &use) {
  const auto &call = cast<CallBase>(*use.getUser());
  return mpiFunction(call)->arguments[call.getArgOperandNo(&use)];
}

MpiData dataOf(const CallBase &call, int index) {
  std::optional<int64_t> type = index < 0 ? std::nullopt : constantArgument(call, index);
  if (!type && index >= 0)
    type = onlyTypeOf(call, index);
  if (type)
    return dataOfType(*type);
  const bool known = index >= 0 && unsigned(index) < call.arg_size();
  return known && isChoiceOfNumbers(*call.getArgOperand(unsigned(index))) ? MpiData::Numbers
                                                                          : MpiData::Other;
}

MpiData dataOfType(int64_t type) {
  const auto *found = find_if(datatypes, [&](const Type &t) { return t.value == type; });
  return found == std::end(datatypes) ? MpiData::Other : found->data;
}

int64_t bytesOfBuffer(const CallBase &call, const MpiFunction &function, const MpiArgument &buffer,
                      MpiData data) {
  constexpr int64_t Most = int64_t(1) << 40; // elements
  if (data == MpiData::Other || buffer.count < 0 || buffer.datatype < 0 || buffer.descriptor ||
      !holdsOnlyCount(function.name))
    return -1;
  const std::optional<int64_t> count = constantArgument(call, unsigned(buffer.count));
  if (!count || *count < 0 || *count > Most)
    return -1;
  return *count * mostBytesOf(constantArgument(call, unsigned(buffer.datatype)), data);
}

std::optional<int64_t> constantArgument(const CallBase &call, unsigned index) {
  if (index >= call.arg_size())
    return std::nullopt;
  const MpiFunction *function = mpiFunction(call);
  if (function && index < function->arguments.size() && function->arguments[index].byReference)
    return referencedBy(call, index);
  return valueOf(call.getArgOperand(index), call.getModule()->getDataLayout());
}

bool isBottom(const CallBase &call, unsigned index) {
  return isSentinel(call, index, "gnomon_mpi_bottom", 0);
}

bool isInPlace(const CallBase &call, unsigned index) {
  return isSentinel(call, index, "gnomon_mpi_in_place", 1);
}

} // namespace gnomon
