// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Descriptors.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// CFI_type_… of flang's ISO_Fortran_binding.h that are numbers or truth values.
constexpr uint8_t FirstInteger = 1, FirstFloating = 25, Bool = 39;
constexpr uint8_t SmallIntegers[] = {1, 2, 3, 7, 8, 9, 12, 13, 14}; ///< of at most four bytes

/// The bytes of a descriptor that its type decides: the last ones are the elements' size, which fits
/// into four.
constexpr int64_t Parts[] = {
    descriptor::Rank, descriptor::Type, descriptor::Attribute, 8, 9, 10, 11};
constexpr unsigned FirstOfSize = 3, BytesOfSize = 4;

/// Looks at all that is done with one local variable.
class Reading {
public:
  Reading(const AllocaInst &variable, int64_t start, const DataLayout &layout, unsigned depth)
      : layout_(layout), start_(start), depth_(depth) {
    known_ = follow(variable, 0);
  }

  Descriptor result() const {
    if (!known_)
      return {};
    Descriptor result{valueOf(0), valueOf(1), valueOf(2), 0, tag_};
    for (unsigned byte = 0; byte < BytesOfSize; ++byte) {
      const std::optional<uint8_t> value = valueOf(FirstOfSize + byte);
      if (!value) {
        result.elementBytes = 0;
        break;
      }
      result.elementBytes |= int64_t(*value) << (8 * byte);
    }
    return result;
  }

private:
  struct Part {
    std::optional<uint8_t> value;
    bool differs = false;
  };

  std::optional<uint8_t> valueOf(unsigned part) const {
    return parts_[part].differs ? std::nullopt : parts_[part].value;
  }

  void note(unsigned part, std::optional<uint8_t> value) {
    Part &known = parts_[part];
    known.differs |= !value || (known.value && known.value != value);
    known.value = value;
  }

  /// False when somebody else may write there.
  bool follow(const Value &address, int64_t offset) {
    for (const Use &use : address.uses()) {
      const User *user = use.getUser();
      if (const auto *step = dyn_cast<GetElementPtrInst>(user)) {
        APInt distance(64, 0);
        if (!step->accumulateConstantOffset(layout_, distance) ||
            !follow(*step, offset + distance.getSExtValue()))
          return false;
      } else if (const auto *store = dyn_cast<StoreInst>(user)) {
        if (use.getOperandNo() != store->getPointerOperandIndex())
          return false;
        noteStore(*store, offset);
      } else if (const auto *copy = dyn_cast<AnyMemTransferInst>(user)) {
        if (use.getOperandNo() == 0)
          noteCopy(*copy, offset);
      } else if (const auto *set = dyn_cast<AnyMemSetInst>(user)) {
        noteAll(offset, bytesOf(*set->getLength()));
      } else if (!isa<LoadInst, ICmpInst, LifetimeIntrinsic>(user) && !isRuntimes(use)) {
        return false;
      }
    }
    return true;
  }

  /// Whether flang's runtime is handed it, as an argument.
  static bool isRuntimes(const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && call->isArgOperand(&use) &&
           callee->getName().starts_with("_FortranA");
  }

  static int64_t bytesOf(const Value &length) {
    const auto *constant = dyn_cast<ConstantInt>(&length);
    return constant && constant->getValue().getActiveBits() < 32 ? constant->getSExtValue()
                                                                 : int64_t(1) << 32;
  }

  void noteAll(int64_t offset, int64_t bytes) {
    for (unsigned part = 0; part < std::size(Parts); ++part)
      if (covers(offset, bytes, part))
        note(part, std::nullopt);
  }

  bool covers(int64_t offset, int64_t bytes, unsigned part) const {
    return offset <= start_ + Parts[part] && start_ + Parts[part] < offset + bytes;
  }

  void noteStore(const StoreInst &store, int64_t offset) {
    const Value &value = *store.getValueOperand();
    const int64_t bytes = int64_t(layout_.getTypeStoreSize(value.getType()).getKnownMinValue());
    for (unsigned part = 0; part < std::size(Parts); ++part)
      if (covers(offset, bytes, part)) {
        note(part, byteOf(value, uint64_t(start_ + Parts[part] - offset)));
        tag_ = store.getMetadata(LLVMContext::MD_tbaa);
      }
  }

  void noteCopy(const AnyMemTransferInst &copy, int64_t offset) {
    const int64_t bytes = bytesOf(*copy.getLength());
    APInt distance(64, 0);
    const Value *from =
        copy.getRawSource()->stripAndAccumulateConstantOffsets(layout_, distance, true);
    const auto *variable = dyn_cast<AllocaInst>(from);
    if (!variable || !depth_ || offset != start_)
      return noteAll(offset, bytes);
    const Reading source(*variable, distance.getSExtValue(), layout_, depth_ - 1);
    for (unsigned part = 0; part < std::size(Parts); ++part)
      if (covers(offset, bytes, part)) {
        note(part, source.known_ ? source.valueOf(part) : std::nullopt);
        tag_ = source.tag_;
      }
  }

  /// A byte of what is stored, where it is a constant.
  std::optional<uint8_t> byteOf(const Value &value, uint64_t offset) const {
    if (auto *record = dyn_cast<StructType>(value.getType())) {
      const StructLayout *members = layout_.getStructLayout(record);
      const unsigned member = members->getElementContainingOffset(offset);
      const Value *inserted = FindInsertedValue(const_cast<Value *>(&value), {member});
      if (!inserted)
        return std::nullopt;
      return byteOf(*inserted, offset - members->getElementOffset(member).getFixedValue());
    }
    const auto *constant = dyn_cast<Constant>(&value);
    if (const auto *vector = dyn_cast<FixedVectorType>(value.getType());
        constant && vector && vector->getElementType()->isIntegerTy()) {
      const uint64_t bytes = layout_.getTypeStoreSize(vector->getElementType()).getFixedValue();
      const Constant *element = constant->getAggregateElement(unsigned(offset / bytes));
      return element ? byteOf(*element, offset % bytes) : std::nullopt;
    }
    const auto *number = dyn_cast<ConstantInt>(&value);
    if (!number || offset * 8 >= number->getBitWidth())
      return std::nullopt;
    return uint8_t(number->getValue().lshr(unsigned(offset * 8)).getLoBits(8).getZExtValue());
  }

  const DataLayout &layout_;
  const int64_t start_;  ///< of the descriptor in the variable
  const unsigned depth_; ///< of copies that are followed
  Part parts_[std::size(Parts)];
  const MDNode *tag_ = nullptr;
  bool known_ = false;
};

} // namespace

bool Descriptor::holdsNumbers() const { return type && *type >= FirstInteger && *type <= Bool; }

bool Descriptor::holdsNoAddresses() const {
  return type && ((*type >= FirstFloating && *type <= Bool) || is_contained(SmallIntegers, *type));
}

Descriptor describeDescriptor(const Value &pointer, const DataLayout &layout) {
  constexpr unsigned MostCopies = 4;
  APInt distance(64, 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, distance, true);
  const auto *variable = dyn_cast<AllocaInst>(base);
  return variable ? Reading(*variable, distance.getSExtValue(), layout, MostCopies).result()
                  : Descriptor();
}

Descriptor describeElements(const CallBase &copy) {
  const DataLayout &layout = copy.getDataLayout();
  Descriptor first = describeDescriptor(*copy.getArgOperand(0), layout);
  return first.type ? first : describeDescriptor(*copy.getArgOperand(1), layout);
}

} // namespace gnomon
