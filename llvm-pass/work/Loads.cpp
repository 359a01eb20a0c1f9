// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loads that can be done earlier than the program does them: bounds behind pointers, as Fortran
/// passes them, COMMON, fields of structures. What they read may be stale by then, which makes an
/// estimate worse; but it must be readable: an object of known size, or an address that the program
/// itself is certain to read once the position is reached.
#include "work/Counts.h"

#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon::work {
namespace {

/// Bytes of an object whose extent this module fixes.
std::optional<uint64_t> sizeOf(const Value &object, const DataLayout &layout) {
  if (auto *variable = dyn_cast<GlobalVariable>(&object)) {
    if (variable->isDeclaration() || variable->isInterposable())
      return std::nullopt;
    return layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
  }
  if (auto *local = dyn_cast<AllocaInst>(&object))
    if (std::optional<TypeSize> size = local->getAllocationSize(layout); size && size->isFixed())
      return size->getFixedValue();
  return std::nullopt;
}

} // namespace

/// Whether the program comes to \p instruction whenever it comes to the position: straight on, or
/// in what every first iteration of the loops does that are straight ahead.
bool Counts::mustExecute(Instruction &instruction) const {
  BasicBlock *block = position_->getParent();
  auto from = position_->getIterator();
  SmallPtrSet<const BasicBlock *, 8> seen;
  while (seen.insert(block).second) {
    const Loop *loop = analyses_.loops.getLoopFor(block);
    // Entering a loop: what its safety information promises includes the loops in it.
    if (loop && loop->getHeader() == block && from == block->begin() &&
        loop->contains(&instruction)) {
      SimpleLoopSafetyInfo safety;
      for (const Loop *inner = analyses_.loops.getLoopFor(instruction.getParent());
           inner != loop->getParentLoop(); inner = inner->getParentLoop()) {
        safety.computeLoopSafetyInfo(inner);
        if (!safety.isGuaranteedToExecute(instruction, &analyses_.dominators, inner))
          return false;
      }
      return true;
    }
    for (Instruction &next : make_range(from, block->end())) {
      if (&next == &instruction)
        return true;
      if (!isGuaranteedToTransferExecutionToSuccessor(&next) && !next.isTerminator())
        return false;
    }
    block = block->getUniqueSuccessor();
    if (!block)
      return false;
    from = block->begin();
  }
  return false;
}

bool Counts::isReadable(const Atom &base, int64_t offset, uint64_t bytes) {
  if (base.kind == Atom::Kind::Value && offset >= 0) {
    const DataLayout &layout = analyses_.function.getDataLayout();
    Value *object = base.value();
    if (std::optional<uint64_t> size = sizeOf(*object, layout))
      if (static_cast<uint64_t>(offset) + bytes <= *size)
        return true;
    if (isSafeToLoadUnconditionally(object, Align(1), APInt(64, offset + bytes), layout, position_,
                                    nullptr, &analyses_.dominators))
      return true;
  }
  return false;
}

/// The pointer itself, or a load of it.
const Atom *Counts::pointer(Value *value, Instruction &reader) {
  if (Value *known = available(value))
    return algebra_.value(known).terms()[0].factors[0];
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || !load->isSimple() || depth_ >= 8)
    return nullptr;
  ++depth_;
  const Atom *result = this->load(load->getPointerOperand(), 0, load->getType(), *load, true);
  --depth_;
  return result;
}

/// \p certain: the reader reads it whenever it is executed.
const Atom *Counts::load(Value *pointer, int64_t offset, Type *type, Instruction &reader,
                         bool certain) {
  const DataLayout &layout = analyses_.function.getDataLayout();
  if (!type->isPointerTy() && !(type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
    return nullptr;
  APInt constant(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(layout, constant, true);
  const Atom *atom = this->pointer(base, reader);
  if (!atom)
    return nullptr;
  offset += constant.getSExtValue();
  bool readable = isReadable(*atom, offset, layout.getTypeStoreSize(type));
  bool executed = !readable && certain && mustExecute(reader);
  // Whether what an argument points to can be read is for the callers to see.
  if (!readable && !executed &&
      !(forCallers_ && atom->kind == Atom::Kind::Value && isa<Argument>(atom->value()) &&
        type->isIntegerTy()))
    return nullptr;
  return algebra_.load(atom, static_cast<double>(offset), type, 0, readable || executed);
}

/// An element, at an address that is not constant, of an object whose extent is known.
const Atom *Counts::loadOfElement(Value *pointer, Type *type, const Loop *scope) {
  const DataLayout &layout = analyses_.function.getDataLayout();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64 ||
      !isPowerOf2_32(type->getIntegerBitWidth()) || type->getIntegerBitWidth() < 8)
    return nullptr;
  const SCEV *address =
      analyses_.evolution.getSCEVAtScope(analyses_.evolution.getSCEV(pointer), scope);
  auto *base = dyn_cast<SCEVUnknown>(analyses_.evolution.getPointerBase(address));
  Value *known = base ? available(base->getValue()) : nullptr;
  if (!known)
    return nullptr;
  std::optional<uint64_t> size = sizeOf(*base->getValue(), layout);
  uint64_t bytes = layout.getTypeStoreSize(type);
  const SCEV *offset = analyses_.evolution.removePointerBase(address);
  if (!size || *size < bytes || isa<SCEVCouldNotCompute>(offset))
    return nullptr;
  std::optional<Polynomial> place = ofScev(offset, scope);
  if (!place)
    return nullptr;
  const Atom *object = algebra_.value(known).terms()[0].factors[0];
  return algebra_.load(object, *place, type, *size - bytes);
}

bool needsCaller(const Atom &atom) {
  if (atom.kind == Atom::Kind::Value)
    return isa<Argument>(atom.value());
  return atom.kind == Atom::Kind::Load &&
         (atom.base->kind == Atom::Kind::Load || isa<Argument>(atom.base->value()));
}

std::optional<Polynomial> Counts::ofCalleesLeaf(const Atom &atom, CallBase &call,
                                                const Loop *scope) {
  auto actual = [&](const Atom &argument) -> Value * {
    unsigned number = cast<Argument>(argument.value())->getArgNo();
    return number < call.arg_size() ? call.getArgOperand(number) : nullptr;
  };
  if (atom.kind == Atom::Kind::Value) {
    Value *value = actual(atom);
    return value ? ofValue(value, scope) : std::nullopt;
  }
  std::optional<double> offset = atom.first.constant();
  if (!offset)
    return std::nullopt;
  const Atom *base = loadForCaller(atom, call, static_cast<int64_t>(*offset), actual);
  return base ? std::optional(Polynomial(base)) : std::nullopt;
}

const Atom *Counts::loadForCaller(const Atom &atom, CallBase &call, int64_t offset,
                                  function_ref<Value *(const Atom &)> actual) {
  if (atom.base->kind == Atom::Kind::Value) {
    Value *pointer = atom.base->value();
    if (isa<Argument>(pointer))
      pointer = actual(*atom.base);
    return pointer ? load(pointer, offset, atom.type, call, atom.certain) : nullptr;
  }
  std::optional<double> outer = atom.base->first.constant();
  if (!outer)
    return nullptr;
  const Atom *through = loadForCaller(*atom.base, call, static_cast<int64_t>(*outer), actual);
  uint64_t bytes = analyses_.function.getDataLayout().getTypeStoreSize(atom.type);
  if (!through || !(isReadable(*through, offset, bytes) || (atom.certain && mustExecute(call))))
    return nullptr;
  return algebra_.load(through, static_cast<double>(offset), atom.type, 0);
}

} // namespace gnomon::work
