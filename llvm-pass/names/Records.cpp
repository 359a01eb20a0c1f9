// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names/Records.h"

#include "gnomon/Burst.h"
#include "gnomon/Fold.h"
#include "gnomon/Module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstddef>

using namespace llvm;

namespace gnomon::record {
namespace {

enum class Kind : uint8_t { Pointer, Word32, Word64, Real };

/// A field as the C struct has it.
struct FieldOfC {
  Kind kind;
  size_t offset;
};

StructType *typeOf(LLVMContext &context, ArrayRef<FieldOfC> fields) {
  SmallVector<Type *, 32> types;
  for (const FieldOfC &field : fields)
    switch (field.kind) {
    case Kind::Pointer:
      types.push_back(PointerType::getUnqual(context));
      break;
    case Kind::Word32:
      types.push_back(Type::getInt32Ty(context));
      break;
    case Kind::Word64:
      types.push_back(Type::getInt64Ty(context));
      break;
    case Kind::Real:
      types.push_back(Type::getDoubleTy(context));
      break;
    }
  return StructType::get(context, types);
}

/// The values of one record, in the order of its fields.
class Values {
public:
  explicit Values(LLVMContext &context) : context_(context) {}

  void add(Pointer value) {
    all_.push_back(value ? value : ConstantPointerNull::get(PointerType::getUnqual(context_)));
  }
  void add(Word32 value) { all_.push_back(ConstantInt::get(Type::getInt32Ty(context_), value)); }
  void add(Word64 value) { all_.push_back(ConstantInt::get(Type::getInt64Ty(context_), value)); }
  void add(Real value) { all_.push_back(ConstantFP::get(Type::getDoubleTy(context_), value)); }

  Constant *constant(StructType *type) const { return ConstantStruct::get(type, all_); }

private:
  LLVMContext &context_;
  SmallVector<Constant *, 32> all_;
};

/// The runtime would misread a record that a target lays out otherwise than C does here.
void checkLayout(const DataLayout &dataLayout, StructType *type, ArrayRef<FieldOfC> fields,
                 size_t bytes) {
  const StructLayout *layout = dataLayout.getStructLayout(type);
  bool same = layout->getSizeInBytes() == bytes;
  for (auto [index, field] : enumerate(fields))
    same &= layout->getElementOffset(index) == field.offset;
  if (!same)
    report_fatal_error(
        "gnomon: the target lays out the runtime's records otherwise than the runtime");
}

} // namespace

#define GNOMON_FIELD_OF_C(Kind_, Type_, Name_) {Kind::Kind_, offsetof(CRecord, Name_)},
#define GNOMON_ADD_VALUE(Kind_, Type_, Name_) values.add(Name_);
#define GNOMON_RECORD(Record, C, FIELDS)                                                           \
  static ArrayRef<FieldOfC> fieldsOf##Record() {                                                   \
    using CRecord = C;                                                                             \
    static constexpr FieldOfC Fields[] = {FIELDS(GNOMON_FIELD_OF_C)};                              \
    return Fields;                                                                                 \
  }                                                                                                \
  StructType *Record::type(LLVMContext &context) { return typeOf(context, fieldsOf##Record()); }   \
  Constant *Record::constant(const llvm::Module &module) const {                                   \
    StructType *structure = type(module.getContext());                                             \
    checkLayout(module.getDataLayout(), structure, fieldsOf##Record(), sizeof(C));                 \
    Values values(module.getContext());                                                            \
    FIELDS(GNOMON_ADD_VALUE)                                                                       \
    return values.constant(structure);                                                             \
  }

GNOMON_RECORD(Import, gnomon_import, GNOMON_IMPORT_FIELDS)
GNOMON_RECORD(Relocation, gnomon_relocation, GNOMON_RELOCATION_FIELDS)
GNOMON_RECORD(Structor, gnomon_structor, GNOMON_STRUCTOR_FIELDS)
GNOMON_RECORD(ThreadLocal, gnomon_thread_local, GNOMON_THREAD_LOCAL_FIELDS)
GNOMON_RECORD(Module, gnomon_module, GNOMON_MODULE_FIELDS)
GNOMON_RECORD(Burst, gnomon_burst, GNOMON_BURST_FIELDS)
GNOMON_RECORD(Formula, gnomon_formula, GNOMON_FORMULA_FIELDS)
GNOMON_RECORD(BurstPlan, gnomon_burst_plan, GNOMON_BURST_PLAN_FIELDS)
GNOMON_RECORD(Point, gnomon_point, GNOMON_POINT_FIELDS)
GNOMON_RECORD(ErrorSite, gnomon_error_site, GNOMON_ERROR_SITE_FIELDS)
GNOMON_RECORD(FoldSite, gnomon_fold_site, GNOMON_FOLD_SITE_FIELDS)

Constant *addText(llvm::Module &module, StringRef text) {
  if (text.empty())
    return nullptr;
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *string = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, data, "gnomon.text");
  string->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return string;
}

GlobalVariable *addTable(llvm::Module &module, ArrayRef<Constant *> entries, Access access,
                         StringRef name) {
  auto *type = ArrayType::get(entries.front()->getType(), entries.size());
  return new GlobalVariable(module, type, access == Access::ReadOnly, GlobalValue::InternalLinkage,
                            ConstantArray::get(type, entries), name);
}

} // namespace gnomon::record
