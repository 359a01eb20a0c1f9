// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Layout.h"

#include "names/Names.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

bool isZero(const GlobalVariable &variable) {
  const Constant *initializer = variable.getInitializer();
  return initializer->isNullValue() || isa<UndefValue>(initializer);
}

/// The alignment that the variable has had so far: what optimisations and hand-written code have
/// come to expect.
Align alignmentOf(const GlobalVariable &variable, const DataLayout &dataLayout) {
  Align preferred = dataLayout.getPreferredAlign(&variable);
  return std::max(preferred, variable.getAlign().valueOrOne());
}

/// One block while it grows.
class Block {
public:
  explicit Block(const DataLayout &dataLayout) : dataLayout_(dataLayout) {}

  uint64_t append(const GlobalVariable &variable) {
    Align align = alignmentOf(variable, dataLayout_);
    alignment = std::max(alignment, align);
    uint64_t offset = alignTo(size_, align);
    if (offset != size_)
      members_.push_back(ConstantAggregateZero::get(
          ArrayType::get(Type::getInt8Ty(variable.getContext()), offset - size_)));
    members_.push_back(const_cast<Constant *>(variable.getInitializer()));
    // A variable of size 0 still has an address of its own.
    uint64_t bytes = dataLayout_.getTypeAllocSize(variable.getValueType());
    if (bytes == 0)
      members_.push_back(
          ConstantAggregateZero::get(ArrayType::get(Type::getInt8Ty(variable.getContext()), 1)));
    size_ = offset + std::max<uint64_t>(bytes, 1);
    return offset;
  }

  /// As a packed structure of the variables and the padding between them.
  GlobalVariable *withInitializers(Module &module, StringRef name) const {
    if (members_.empty())
      return nullptr;
    Constant *initializer = ConstantStruct::getAnon(module.getContext(), members_, /*Packed=*/true);
    return make(module, name, initializer);
  }

  GlobalVariable *withZeros(Module &module, StringRef name) const {
    if (members_.empty())
      return nullptr;
    auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), size_);
    return make(module, name, ConstantAggregateZero::get(type));
  }

  Align alignment{64};

private:
  GlobalVariable *make(Module &module, StringRef name, Constant *initializer) const {
    // Private, so that the symbols inside it (aliases) are given sizes of their own.
    auto *block = new GlobalVariable(module, initializer->getType(), /*isConstant=*/false,
                                     GlobalValue::PrivateLinkage, initializer, name);
    block->setAlignment(alignment);
    return block;
  }

  const DataLayout &dataLayout_;
  SmallVector<Constant *, 0> members_;
  uint64_t size_ = 0;
};

/// The aliases of private variables are places too.
void placeAliases(Module &module, Layout &layout) {
  for (GlobalAlias &alias : module.aliases()) {
    APInt offset(64, 0);
    const Value *object =
        alias.getAliasee()->stripAndAccumulateConstantOffsets(module.getDataLayout(), offset,
                                                              /*AllowNonInbounds=*/true);
    // An alias of an alias ends at the variable below both.
    while (auto *inner = dyn_cast<GlobalAlias>(object))
      object = inner->getAliasee()->stripAndAccumulateConstantOffsets(module.getDataLayout(),
                                                                      offset, true);
    auto *variable = dyn_cast<GlobalVariable>(object);
    auto place =
        variable ? layout.places.find(const_cast<GlobalVariable *>(variable)) : layout.places.end();
    if (place == layout.places.end())
      continue;
    Access access = place->second;
    access.offset += offset.getZExtValue();
    layout.places.insert({&alias, access});
  }
}

GlobalVariable *blockOf(const Layout &layout, const Access &access) {
  return access.base == Access::Base::Zero ? layout.zeroBlock : layout.privateBlock;
}

Constant *addressIn(GlobalVariable &block, uint64_t offset) {
  LLVMContext &context = block.getContext();
  return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), &block,
                                        ConstantInt::get(Type::getInt64Ty(context), offset));
}

/// The symbol that takes the variable's place: tools and other objects still find it by name.
GlobalAlias *makeSymbol(Module &module, GlobalVariable &variable, Constant *address) {
  auto linkage = variable.hasCommonLinkage() ? GlobalValue::ExternalLinkage : variable.getLinkage();
  auto *symbol = GlobalAlias::create(variable.getValueType(), 0, linkage, "", address, &module);
  symbol->setVisibility(variable.getVisibility());
  symbol->setDSOLocal(!isPreemptible(variable));
  symbol->setUnnamedAddr(variable.getUnnamedAddr());
  symbol->takeName(&variable);
  return symbol;
}

} // namespace

Layout addBlocks(Module &module, const Residence &residence) {
  Layout layout;
  Block initialized(module.getDataLayout()), zeros(module.getDataLayout());
  for (GlobalVariable *variable : residence.privates) {
    bool zero = isZero(*variable);
    uint64_t offset = (zero ? zeros : initialized).append(*variable);
    layout.places.insert(
        {variable, {zero ? Access::Base::Zero : Access::Base::Private, offset, nullptr}});
  }
  layout.privateBlock = initialized.withInitializers(module, names::PrivateBlock);
  layout.zeroBlock = zeros.withZeros(module, names::ZeroBlock);
  layout.alignment = std::max(initialized.alignment, zeros.alignment);
  if (layout.privateBlock)
    layout.privateBlock->setSection(names::PrivateSection);
  // A section *name* would make it a section with contents; the attribute of `#pragma clang section
  // bss` does not.
  if (layout.zeroBlock)
    layout.zeroBlock->addAttribute("bss-section", names::ZeroSection);
  placeAliases(module, layout);
  return layout;
}

void replaceVariables(Module &module, Layout &layout) {
  // The blocks are used by the record; a place inside one cannot stand in these lists.
  removeFromUsedLists(module, [&](Constant *used) {
    return layout.places.contains(dyn_cast<GlobalValue>(used->stripPointerCasts()));
  });
  // An alias must not point to a symbol that may be preempted, so each points into the block
  // itself.
  for (auto &[value, access] : layout.places)
    if (auto *alias = dyn_cast<GlobalAlias>(value))
      alias->setAliasee(addressIn(*blockOf(layout, access), access.offset));
  for (auto &[value, access] : layout.places) {
    auto *variable = dyn_cast<GlobalVariable>(value);
    if (!variable)
      continue;
    GlobalVariable *block = blockOf(layout, access);
    Constant *address = addressIn(*block, access.offset);
    block->copyMetadata(variable, access.offset);
    GlobalAlias *symbol =
        variable->hasPrivateLinkage() ? nullptr : makeSymbol(module, *variable, address);
    variable->replaceAllUsesWith(symbol ? symbol : address);
    variable->eraseFromParent();
  }
}

} // namespace gnomon
