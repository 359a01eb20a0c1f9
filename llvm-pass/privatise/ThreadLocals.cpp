// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/ThreadLocals.h"

#include "names/Names.h"
#include "names/Records.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

SmallVector<GlobalVariable *, 8> threadLocalsOf(const Residence &residence) {
  SmallVector<GlobalVariable *, 8> variables;
  for (GlobalVariable *variable : residence.privates)
    if (variable->isThreadLocal())
      variables.push_back(variable);
  return variables;
}

void addThreadLocals(Module &module, ArrayRef<GlobalVariable *> variables, const Layout &layout) {
  if (variables.empty())
    return;
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt64Ty(context), *byte = Type::getInt8Ty(context);
  SmallVector<Constant *, 8> entries;
  for (GlobalVariable *variable : variables) {
    const Access &place = layout.places.find(variable)->second;
    GlobalVariable *block =
        place.base == Access::Base::Zero ? layout.zeroBlock : layout.privateBlock;
    Constant *address =
        ConstantExpr::getGetElementPtr(byte, block, ConstantInt::get(word, place.offset));
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    entries.push_back(record::ThreadLocal{.address = address, .bytes = bytes}.constant(module));
  }
  record::addTable(module, entries, record::Access::ReadOnly, names::ThreadLocals);
}

} // namespace gnomon
