// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/InfoStrings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// "INFO:symbol[mysub_]"
bool isInfo(StringRef text) {
  if (!text.consume_front("INFO:"))
    return false;
  StringRef word = text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  return !word.empty() && text.drop_front(word.size()).starts_with("[") && text.contains(']');
}

bool isInfo(const GlobalVariable &variable) {
  if (!variable.isConstant() || !variable.hasInitializer())
    return false;
  const auto *data = dyn_cast<ConstantDataSequential>(variable.getInitializer());
  return data && data->isString() && isInfo(data->getAsString());
}

} // namespace

PreservedAnalyses InfoStringsPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<GlobalValue *, 4> kept;
  for (GlobalVariable &variable : module.globals())
    if (isInfo(variable)) {
      variable.setSection(".rodata.gnomon.info"); // --gc-sections takes strings out of a merged one
      kept.push_back(&variable);
    }
  if (kept.empty())
    return PreservedAnalyses::all();
  appendToUsed(module, kept);
  return PreservedAnalyses::none();
}

} // namespace gnomon
