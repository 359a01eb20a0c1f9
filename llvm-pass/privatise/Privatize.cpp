// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Privatize.h"

#include "link/NativeObjects.h"
#include "names/Names.h"
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

GlobalVariable *addWord(Module &module, StringRef name, uint64_t value, bool isConstant) {
  Type *word = Type::getInt64Ty(module.getContext());
  return new GlobalVariable(module, word, isConstant, GlobalValue::InternalLinkage,
                            ConstantInt::get(word, value), name);
}

} // namespace

PreservedAnalyses PrivatizePass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (module.getNamedGlobal(names::Delta))
    return PreservedAnalyses::all(); // done already

  NativeObjects natives(module);
  Residence residence = findResidence(module, natives);
  reportResidence(module, residence);
  reportNativeObjects(module, natives);
  const auto threadLocals = threadLocalsOf(residence);
  dropThreadLocal(module, residence);
  Layout layout = layOut(module, residence);
  Imports imports(module, residence, layout);
  GlobalVariable *delta = addWord(module, names::Delta, 0, /*isConstant=*/false);
  addThreadLocals(module, threadLocals, layout);

  AccessMap accesses = layout.places;
  for (auto &[symbol, access] : imports.accesses())
    accesses[symbol] = access;
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  rewriteFunctions(module, accesses, layout, *delta, functions);
  replaceVariables(module, layout);
  addRelocations(module, layout, imports);
  return PreservedAnalyses::none();
}

} // namespace gnomon
