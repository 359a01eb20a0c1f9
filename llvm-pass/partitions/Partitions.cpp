// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "partitions/Partitions.h"

#include "link/LinkLine.h"
#include "partitions/Placement.h"
#include "privatise/AsmUses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ModuleSymbolTable.h"
#include "llvm/Support/MD5.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <malloc.h>

using namespace llvm;

namespace gnomon {
namespace {

/// Stands for the names that the module defines. Two relocatable outputs may define the same ones,
/// none of them for others to see: their files differ.
uint64_t numberOf(const Module &module) {
  MD5 hash;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration()) {
      hash.update(value.getName());
      hash.update(ArrayRef<uint8_t>(0));
    }
  if (LinkLine line; line.has("-r") || line.has("--relocatable"))
    hash.update(line.output());
  MD5::MD5Result result;
  hash.final(result);
  return result.low();
}

void refuse(Module &module, const Twine &what) {
  module.getContext().emitError(
      "gnomon: " + what + ": LLVM 22 cannot cut such a program; link with -flto-partitions=1");
}

/// SplitModule leaves modules behind that do not compile. What is refused goes, or the linker would
/// end in the middle of what it says.
void refuseUncuttable(Module &module) {
  for (GlobalIFunc &function : make_early_inc_range(module.ifuncs())) {
    refuse(module,
           "'" + function.getName() + "' is chosen when the program starts (ifunc, target_clones)");
    function.replaceAllUsesWith(function.getResolver()); // an alias needs something to stand for
    function.eraseFromParent();
  }
  std::string version;
  ModuleSymbolTable::CollectAsmSymvers(module,
                                       [&](StringRef, StringRef alias) { version = alias.str(); });
  if (!version.empty()) {
    refuse(module, "assembly gives a symbol the version '" + version + "' (.symver)");
    module.setModuleInlineAsm("");
  }
}

/// Assembly keeps the names that it says.
void nameLocals(Module &module, unsigned partitions, uint64_t number) {
  const AsmUses assembly(module);
  const Placement placement(module, partitions);
  for (GlobalValue &value : module.global_values())
    if (value.hasLocalLinkage() && !value.getName().starts_with("llvm.") &&
        !assembly.namesAsConstant(value))
      value.setName(placement.nameFor(value, number));
}

/// Labels of module-level assembly that code of other partitions may name.
void showLabels(Module &module) {
  std::string directives;
  ModuleSymbolTable::CollectAsmSymbols(
      module, [&](StringRef name, object::BasicSymbolRef::Flags flags) {
        using object::BasicSymbolRef;
        const GlobalValue *value = module.getNamedValue(name);
        if (!(flags & (BasicSymbolRef::SF_Undefined | BasicSymbolRef::SF_Global)) && value &&
            value->isDeclaration())
          directives += (".globl " + name + "\n.hidden " + name + "\n").str();
      });
  if (!directives.empty())
    module.appendModuleInlineAsm(directives);
}

/// What shares a comdat is not cut apart. One without deduplication is a group of sections and no
/// more.
void gatherUsed(Module &module, uint64_t number) {
  SmallVector<GlobalValue *, 4> used;
  GlobalVariable *list = collectUsedGlobalVariables(module, used, /*CompilerUsed=*/false);
  if (!list)
    return;
  Comdat *together = module.getOrInsertComdat(("gnomon.used.llvm." + Twine(number)).str());
  together->setSelectionKind(Comdat::NoDeduplicate);
  list->setComdat(together);
  for (GlobalValue *value : used)
    if (auto *object = dyn_cast<GlobalObject>(value);
        object && !object->isDeclaration() && !object->hasComdat())
      object->setComdat(together);
}

} // namespace

PreservedAnalyses PartitionsPass::run(Module &module, ModuleAnalysisManager &) {
  refuseUncuttable(module);
  const uint64_t number = numberOf(module);
  nameLocals(module, partitions_, number);
  showLabels(module);
  gatherUsed(module, number);
  // The threads that generate code would get heaps of their own, and find nothing in what the
  // passes have given back to this one (AMG in two: 552 MB instead of 434).
  mallopt(M_ARENA_MAX, 1);
  malloc_trim(0);
  return PreservedAnalyses::none();
}

} // namespace gnomon
