// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/FoldedParts.h"

#include "names/Names.h"
#include "names/Records.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace gnomon {
namespace {

/// A record that nothing needs any more is gone.
void place(const MDNode &mark, GlobalVariable &variable) {
  auto *record = mdconst::dyn_extract_or_null<GlobalVariable>(mark.getOperand(0));
  if (!record || !record->hasInitializer())
    return;
  const auto *offset = mdconst::extract<ConstantInt>(mark.getOperand(1));
  LLVMContext &context = variable.getContext();
  const Constant *old = record->getInitializer();
  SmallVector<Constant *, 24> fields;
  for (unsigned i = 0; i < old->getType()->getStructNumElements(); ++i)
    fields.push_back(old->getAggregateElement(i));
  fields[unsigned(record::FoldSite::Field::variable)] = ConstantExpr::getGetElementPtr(
      Type::getInt8Ty(context), &variable,
      ConstantInt::get(Type::getInt64Ty(context), offset->getZExtValue()));
  record->setInitializer(ConstantStruct::get(cast<StructType>(old->getType()), fields));
}

} // namespace

void placeFoldedParts(Module &module, const Layout &layout) {
  for (const auto &[value, access] : layout.places)
    if (auto *variable = dyn_cast<GlobalVariable>(value)) {
      SmallVector<MDNode *, 2> marks;
      variable->getMetadata(names::FoldedPart, marks);
      for (const MDNode *mark : marks)
        place(*mark, *variable);
    }
  // Of others too, which all ranks share in any case.
  for (GlobalVariable &variable : module.globals())
    variable.setMetadata(names::FoldedPart, nullptr);
}

} // namespace gnomon
