// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/AccessClass.h"

#include "facts/MpiRoles.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Type.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

StringRef nameOf(const MDNode *type) {
  if (type && type->getNumOperands())
    if (const auto *name = dyn_cast<MDString>(type->getOperand(0)))
      return name->getString();
  return {};
}

/// The type of the scalar that a tag accesses: a tag is (base, access, offset), an old tag the type
/// itself.
const MDNode *accessedType(const MDNode *tag) {
  if (tag->getNumOperands() >= 3 && isa_and_nonnull<MDNode>(tag->getOperand(0)))
    return dyn_cast_or_null<MDNode>(tag->getOperand(1));
  return tag;
}

const MDNode *parentOf(const MDNode *type) {
  return type && type->getNumOperands() >= 2 ? dyn_cast_or_null<MDNode>(type->getOperand(1))
                                             : nullptr;
}

/// Whether the type, or one that it belongs to, has a name that begins so.
bool isKindOf(const MDNode *type, StringRef prefix) {
  for (unsigned depth = 0; type && depth < 16; ++depth, type = parentOf(type))
    if (nameOf(type).starts_with(prefix))
      return true;
  return false;
}

/// Clang's scalar types. Enumerations of C++ have mangled names and are integers.
uint8_t clangClasses(const MDNode *type) {
  if (isKindOf(type, "any pointer"))
    return PointerBit;
  if (nameOf(type) == "vtable pointer")
    return TableBit;
  return StringSwitch<uint8_t>(nameOf(type))
      .Cases({"int", "long", "short", "long long", "__int128", "bool", "_Bool"},
             IntegerBit | BoundsBit)
      .Cases({"float", "double", "long double", "half", "_Float16", "__float128"}, FloatingBit)
      .Cases({"wchar_t", "char16_t", "char32_t"}, IntegerBit)
      .StartsWith("_ZTS", IntegerBit | BoundsBit)
      .Default(AnyBits);
}

/// Flang tells data from descriptors, but not numbers from numbers (EQUIVALENCE may overlay them).
/// Of data, only what is as large as an address can hold one (TYPE(C_PTR)).
uint8_t flangClasses(const MDNode *type, const Type &accessed) {
  if (isKindOf(type, "descriptor member") || isKindOf(type, "any descriptor access"))
    return PointerBit | BoundsBit;
  if (!isKindOf(type, "any data access"))
    return AnyBits;
  bool mayHoldAddress = accessed.isPointerTy() || accessed.isIntegerTy(64) ||
                        accessed.isAggregateType() ||
                        (accessed.isVectorTy() && !accessed.isFPOrFPVectorTy());
  return uint8_t(IntegerBit | FloatingBit | (mayHoldAddress ? PointerBit : 0));
}

bool isFlangType(const MDNode *type) {
  return isKindOf(type, "any access") || isKindOf(type, "any data access") ||
         isKindOf(type, "descriptor member") || isKindOf(type, "any descriptor access");
}

/// "global data/blk_/bytes_800_to_2399": last byte included.
void readBytes(StringRef name, AccessClass &result) {
  if (!name.consume_front("global data/"))
    return;
  auto [variable, bytes] = name.split('/');
  if (!bytes.consume_front("bytes_"))
    return;
  auto [first, last] = bytes.split("_to_");
  if (first.getAsInteger(10, result.low) || last.getAsInteger(10, result.high))
    return;
  result.variable = variable;
  ++result.high;
}

} // namespace

bool readsClassTable(const Instruction &access) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  while (const auto *step = dyn_cast_or_null<GEPOperator>(pointer))
    pointer = step->getPointerOperand();
  const auto *table = dyn_cast_or_null<LoadInst>(pointer);
  const MDNode *tag = table ? table->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  return isa<LoadInst>(access) && tag && nameOf(accessedType(tag)) == "vtable pointer";
}

AccessClass accessClass(const Instruction &access, const Type &type) {
  AccessClass result;
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (!tag)
    return result;
  const MDNode *accessed = accessedType(tag);
  if (isFlangType(accessed)) {
    result.classes = flangClasses(accessed, type);
    readBytes(nameOf(accessed), result);
  } else {
    result.classes = clangClasses(accessed);
  }
  return result;
}

AccessClass transferClass(const Instruction &transfer) {
  // Of Fortran's data it is not said what they are: they may be addresses.
  if (transfer.getMetadata(LLVMContext::MD_tbaa))
    return accessClass(transfer, *PointerType::getUnqual(transfer.getContext()));
  AccessClass result;
  const MDNode *fields = transfer.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!fields || fields->getNumOperands() < 3)
    return result;
  result.classes = 0;
  for (unsigned tag = 2; tag < fields->getNumOperands(); tag += 3) // behind offset and size
    if (const auto *of = dyn_cast_or_null<MDNode>(fields->getOperand(tag)))
      result.classes |= clangClasses(accessedType(of));
    else
      result.classes = AnyBits;
  return result;
}

bool isTextOfString(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return false;
  const StringRef base = nameOf(dyn_cast_or_null<MDNode>(tag->getOperand(0)));
  constexpr StringLiteral String = "_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
  const auto *offset = mdconst::dyn_extract<ConstantInt>(tag->getOperand(2));
  return offset && offset->isZero() && base.starts_with(String) &&
         (base.drop_front(String.size()) == "E" ||
          base.drop_front(String.size()) == "12_Alloc_hiderE");
}

uint8_t classesOf(const MpiFunction &mpi, const MpiArgument &argument, MpiData data) {
  if (argument.role == MpiRole::SendBuffer || argument.role == MpiRole::ReceiveBuffer ||
      argument.role == MpiRole::SendReceiveBuffer) {
    if (data == MpiData::Bytes || data == MpiData::Other)
      return AnyBits;
    if (mpi.fortran || data == MpiData::Numbers)
      return IntegerBit | FloatingBit;
    return data == MpiData::Integer ? IntegerBit : FloatingBit;
  }
  switch (argument.role) {
  case MpiRole::Control:
  case MpiRole::ControlArray:
  case MpiRole::Output:
  case MpiRole::InOut:
  case MpiRole::Text:
    return argument.descriptor ? AnyBits : IntegerBit | PointerBit; // numbers, handles, characters
  default:
    return AnyBits;
  }
}

} // namespace gnomon::pointsto
