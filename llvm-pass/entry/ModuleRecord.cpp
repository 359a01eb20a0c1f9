// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/ModuleRecord.h"

#include "facts/MpiNames.h"
#include "names/Names.h"
#include "names/Records.h"

#include "gnomon/Module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gnomon {
namespace {

/// A table that a pass has left under this name, if it had anything to put there.
struct Table {
  GlobalVariable *address; ///< null when it would be empty
  uint64_t count;
};

Table tableOf(Module &module, StringRef name) {
  GlobalVariable *table = module.getNamedGlobal(name);
  return {table, table ? table->getValueType()->getArrayNumElements() : 0};
}

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
  if (module.getModuleFlag(names::ChecksFiles))
    flags |= GNOMON_MODULE_CHECKS_FILES;
  if (module.getModuleFlag(names::ChecksFilesGiven))
    flags |= GNOMON_MODULE_CHECKS_FILES_GIVEN;
  return flags;
}

Constant *endOf(GlobalVariable &block) {
  LLVMContext &context = block.getContext();
  uint64_t bytes = block.getParent()->getDataLayout().getTypeAllocSize(block.getValueType());
  return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), &block,
                                        ConstantInt::get(Type::getInt64Ty(context), bytes));
}

/// Fills in where the per-rank variables lie: private_begin, data_end, zero_begin, private_end,
/// alignment.
void describeBlocks(record::Module &record, Module &module) {
  GlobalVariable *data = module.getNamedGlobal(names::PrivateBlock);
  GlobalVariable *zero = module.getNamedGlobal(names::ZeroBlock);
  Constant *dataEnd = data ? endOf(*data) : nullptr;
  Constant *zeroEnd = zero ? endOf(*zero) : nullptr;
  record.private_begin = data ? data : zero;
  record.data_end = data ? dataEnd : zero;
  record.zero_begin = zero ? zero : dataEnd;
  record.private_end = zero ? zeroEnd : dataEnd;
  record.alignment = 64;
  for (GlobalVariable *block : {data, zero})
    if (block)
      record.alignment = std::max(record.alignment, block->getAlign().valueOrOne().value());
}

/// The value of a constant of ours; 0 when the module has none of that name.
uint32_t constantValue(Module &module, StringRef name) {
  GlobalVariable *constant = module.getNamedGlobal(name);
  return constant ? uint32_t(cast<ConstantInt>(constant->getInitializer())->getZExtValue()) : 0;
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
  const Table imports = tableOf(module, names::Imports);
  const Table relocations = tableOf(module, names::Relocations);
  const Table threadLocals = tableOf(module, names::ThreadLocals);
  const Table bursts = tableOf(module, names::Bursts);
  const Table points = tableOf(module, names::Points);
  const Table foldSites = tableOf(module, names::FoldSites);
  record::Module record{
      .version = GNOMON_MODULE_VERSION,
      .flags = flagsOf(module),
      .name = addNameString(module, userMain),
      .delta = module.getNamedGlobal(names::Delta),
      .imports = imports.address,
      .import_count = imports.count,
      .relocations = relocations.address,
      .relocation_count = relocations.count,
      .constructors = constructors.address,
      .constructor_count = constructors.count,
      .destructors = destructors.address,
      .destructor_count = destructors.count,
      .swap_begin = addSwapBound(module, names::SwapBegin),
      .swap_end = addSwapBound(module, names::SwapEnd),
      .thread_locals = threadLocals.address,
      .thread_local_count = threadLocals.count,
      .main = userMain,
      .bursts = bursts.address,
      .burst_count = bursts.count,
      .phase_count = constantValue(module, names::PhaseCount),
      .bursts_on = module.getNamedGlobal(names::BurstsOn),
      .instructions = module.getNamedGlobal(names::Instructions),
      .points = points.address,
      .point_count = points.count,
      .points_on = module.getNamedGlobal(names::PointsOn),
      .fold_sites = foldSites.address,
      .fold_site_count = foldSites.count,
  };
  describeBlocks(record, module);
  Constant *initializer = record.constant(module);
  return new GlobalVariable(module, initializer->getType(), /*isConstant=*/false,
                            GlobalValue::InternalLinkage, initializer, names::Record);
}

} // namespace gnomon
