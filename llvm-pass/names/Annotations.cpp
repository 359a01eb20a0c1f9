// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names/Annotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace gnomon {

AnnotationIndex::AnnotationIndex(const Module &module) {
  const GlobalVariable *table = module.getNamedGlobal("llvm.global.annotations");
  if (!table || !table->hasInitializer())
    return;
  // Each entry: { the annotated global, its string, file, line, arguments }.
  for (const Use &entry : table->getInitializer()->operands()) {
    auto *fields = dyn_cast<ConstantStruct>(entry);
    if (!fields || fields->getNumOperands() < 2)
      continue;
    auto *global = dyn_cast<GlobalValue>(fields->getOperand(0)->stripPointerCasts());
    auto *string = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto *text = string && string->hasInitializer()
                     ? dyn_cast<ConstantDataSequential>(string->getInitializer())
                     : nullptr;
    if (global && text && text->isCString())
      strings_[global].push_back(text->getAsCString());
  }
}

bool AnnotationIndex::has(const GlobalValue &global, StringRef text) const {
  auto found = strings_.find(&global);
  return found != strings_.end() && is_contained(found->second, text);
}

ArrayRef<StringRef> AnnotationIndex::of(const GlobalValue &global) const {
  auto found = strings_.find(&global);
  return found == strings_.end() ? ArrayRef<StringRef>() : ArrayRef<StringRef>(found->second);
}

} // namespace gnomon
