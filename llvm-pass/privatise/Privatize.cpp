// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Privatize.h"

#include "link/LibraryState.h"
#include "link/NativeObjects.h"
#include "names/Names.h"
#include "privatise/FoldedParts.h"
#include "privatise/Imports.h"
#include "privatise/Layout.h"
#include "privatise/Relocations.h"
#include "privatise/Remarks.h"
#include "privatise/Residence.h"
#include "privatise/Rewrite.h"
#include "privatise/ThreadLocals.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gnomon {
namespace {

/// What the runtime sets when it switches ranks.
GlobalVariable *addDelta(Module &module) {
  Type *word = Type::getInt64Ty(module.getContext());
  return new GlobalVariable(module, word, /*isConstant=*/false, GlobalValue::InternalLinkage,
                            ConstantInt::get(word, 0), names::Delta);
}

/// A symbol that can be preempted is accessed as an import, wherever it lies.
AccessMap accessesOf(const Layout &layout, const Imports &imports) {
  AccessMap accesses = layout.places;
  for (const auto &[symbol, access] : imports.accesses)
    accesses[symbol] = access;
  return accesses;
}

} // namespace

PreservedAnalyses PrivatizePass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (module.getNamedGlobal(names::Delta))
    return PreservedAnalyses::all(); // done already

  // Which variables each rank has for itself; what the user is told of the others.
  NativeObjects natives(module);
  Residence residence = findResidence(module, natives);
  reportResidence(module, residence);
  reportNativeObjects(module, natives);
  reportLibraryState(module, natives);

  // Those of threads become a rank's.
  const SmallVector<GlobalVariable *, 8> threadLocals = threadLocalsOf(residence);
  dropThreadLocal(module, residence);

  // Where each lies: in this module's blocks, or wherever the dynamic linker finds it.
  Layout layout = addBlocks(module, residence);
  Imports imports = addImports(module, residence, layout);
  GlobalVariable *delta = addDelta(module);
  addThreadLocals(module, threadLocals, layout);

  // Code goes through the running rank's delta.
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  rewriteFunctions(module, accessesOf(layout, imports), layout, *delta, functions);

  // Those that may be folded are named to the runtime.
  placeFoldedParts(module, layout);

  // The variables become places in the blocks; pointers to them in initialisers are listed.
  replaceVariables(module, layout);
  addRelocations(module, layout, imports);
  return PreservedAnalyses::none();
}

} // namespace gnomon
