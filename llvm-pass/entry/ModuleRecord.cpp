// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/ModuleRecord.h"

#include "facts/MpiNames.h"
#include "names/Names.h"

#include "gnomon/Module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Collects the record's fields in order; their types are the values'.
class Fields {
public:
  explicit Fields(Module &module) : module_(module), context_(module.getContext()) {}

  Constant *null() const { return ConstantPointerNull::get(PointerType::getUnqual(context_)); }
  void half(uint32_t value) {
    values_.push_back(ConstantInt::get(Type::getInt32Ty(context_), value));
  }
  void word(uint64_t value) {
    values_.push_back(ConstantInt::get(Type::getInt64Ty(context_), value));
  }
  void pointer(Constant *value) { values_.push_back(value ? value : null()); }
  void named(StringRef name) { pointer(module_.getNamedGlobal(name)); }

  /// A named table (null when absent) and its number of entries.
  void table(StringRef name) {
    GlobalVariable *table = module_.getNamedGlobal(name);
    pointer(table);
    word(table ? table->getValueType()->getArrayNumElements() : 0);
  }

  void table(const StructorTable &table) {
    pointer(table.address);
    word(table.count);
  }

  GlobalVariable *record() const {
    Constant *initializer = ConstantStruct::getAnon(context_, values_);
    return new GlobalVariable(module_, initializer->getType(), /*isConstant=*/false,
                              GlobalValue::InternalLinkage, initializer, names::Record);
  }

private:
  Module &module_;
  LLVMContext &context_;
  SmallVector<Constant *, 24> values_;
};

bool callsMpi(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && !function.use_empty() && isMpiName(function.getName());
  });
}

bool startsRanks(const Module &module) {
  return any_of(module, [](const Function &function) {
    StringRef name = function.getName();
    name.consume_front("P") || name.consume_front("p");
    return function.isDeclaration() && !function.use_empty() &&
           (name.starts_with("MPI_Comm_spawn") || name.starts_with("mpi_comm_spawn"));
  });
}

uint32_t flagsOf(const Module &module) {
  uint32_t flags = 0;
  if (module.getFunction("_FortranAProgramStart"))
    flags |= GNOMON_MODULE_FORTRAN;
  if (callsMpi(module))
    flags |= GNOMON_MODULE_USES_MPI;
  if (startsRanks(module))
    flags |= GNOMON_MODULE_SPAWNS;
  if (any_of(ArrayRef<StringRef>{"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin"},
             [&](StringRef name) { return module.getNamedGlobal(name) != nullptr; }))
    flags |= GNOMON_MODULE_CXX_STREAMS;
  return flags;
}

Constant *endOf(GlobalVariable &block) {
  LLVMContext &context = block.getContext();
  uint64_t bytes = block.getParent()->getDataLayout().getTypeAllocSize(block.getValueType());
  return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), &block,
                                        ConstantInt::get(Type::getInt64Ty(context), bytes));
}

/// private_begin, data_end, zero_begin, private_end, alignment.
void addBounds(Fields &fields, Module &module) {
  GlobalVariable *data = module.getNamedGlobal(names::PrivateBlock);
  GlobalVariable *zero = module.getNamedGlobal(names::ZeroBlock);
  Constant *dataEnd = data ? endOf(*data) : nullptr;
  Constant *zeroEnd = zero ? endOf(*zero) : nullptr;
  fields.pointer(data ? data : zero);
  fields.pointer(data ? dataEnd : zero);
  fields.pointer(zero ? zero : dataEnd);
  fields.pointer(zero ? zeroEnd : dataEnd);
  uint64_t alignment = 64;
  for (GlobalVariable *block : {data, zero})
    if (block)
      alignment = std::max(alignment, block->getAlign().valueOrOne().value());
  fields.word(alignment);
}

/// The value of a constant of ours; 0 when the module has none of that name.
uint64_t constantValue(Module &module, StringRef name) {
  GlobalVariable *constant = module.getNamedGlobal(name);
  return constant ? cast<ConstantInt>(constant->getInitializer())->getZExtValue() : 0;
}

/// A bound of gn_swap that the linker defines when the section exists; null otherwise.
Constant *addSwapBound(Module &module, StringRef name) {
  auto *bound =
      cast<GlobalVariable>(module.getOrInsertGlobal(name, Type::getInt8Ty(module.getContext())));
  bound->setLinkage(GlobalValue::ExternalWeakLinkage);
  bound->setVisibility(GlobalValue::HiddenVisibility);
  return bound;
}

/// The source that holds main, or the first one; the link's own name for the module (ld-temp.o)
/// says nothing and is what remains without debug information.
StringRef sourceOf(const Module &module, const Function *userMain) {
  const DISubprogram *start = userMain ? userMain->getSubprogram() : nullptr;
  if (start && !start->getFilename().empty())
    return start->getFilename();
  for (const DICompileUnit *unit : module.debug_compile_units())
    return unit->getFilename();
  return module.getSourceFileName();
}

Constant *addNameString(Module &module, const Function *userMain) {
  Constant *text = ConstantDataArray::getString(module.getContext(), sourceOf(module, userMain));
  auto *string = new GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, text, "gnomon.name");
  string->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return string;
}

} // namespace

GlobalVariable *addModuleRecord(Module &module, Function *userMain,
                                const StructorTable &constructors,
                                const StructorTable &destructors) {
  Fields fields(module);
  fields.half(GNOMON_MODULE_VERSION);
  fields.half(flagsOf(module));
  fields.pointer(addNameString(module, userMain));
  addBounds(fields, module);
  fields.named(names::Delta);
  fields.table(names::Imports);
  fields.table(names::Relocations);
  fields.table(constructors);
  fields.table(destructors);
  fields.pointer(addSwapBound(module, names::SwapBegin));
  fields.pointer(addSwapBound(module, names::SwapEnd));
  fields.table(names::ThreadLocals);
  fields.pointer(userMain);
  fields.table(names::Bursts);
  fields.half(constantValue(module, names::PhaseCount));
  fields.half(0); // reserved
  fields.named(names::BurstsOn);
  fields.named(names::Instructions);
  fields.pointer(nullptr); // next: the runtime's
  return fields.record();
}

} // namespace gnomon
