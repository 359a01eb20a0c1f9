// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Relocations.h"

#include "names/Names.h"
#include "names/Records.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

class Walker {
public:
  Walker(Module &module, const Layout &layout, const Imports &imports)
      : module_(module), dataLayout_(module.getDataLayout()), layout_(layout),
        imports_(imports.entries()) {}

  void walk(const Constant &constant, uint64_t offset) {
    if (isa<ConstantData>(constant))
      return;
    if (auto *structure = dyn_cast<ConstantStruct>(&constant)) {
      const StructLayout *fields = dataLayout_.getStructLayout(structure->getType());
      for (auto [index, field] : enumerate(structure->operands()))
        walk(*cast<Constant>(field), offset + fields->getElementOffset(index));
    } else if (isa<ConstantArray, ConstantVector>(constant)) {
      uint64_t stride = dataLayout_.getTypeAllocSize(constant.getOperand(0)->getType());
      for (auto [index, element] : enumerate(constant.operands()))
        walk(*cast<Constant>(element), offset + index * stride);
    } else {
      leaf(constant, offset);
    }
  }

  void emit() {
    if (!entries_.empty())
      record::addTable(module_, entries_, record::Access::ReadOnly, names::Relocations);
  }

private:
  /// How often each address counts in the sum that \p constant is: own variables together, imports
  /// one by one.
  struct Sum {
    int own = 0;
    MapVector<Constant *, int> imports;
    bool understood = true;
  };

  void leaf(const Constant &constant, uint64_t offset) {
    Sum sum;
    add(constant, 1, sum);
    sum.imports.remove_if([](const auto &item) { return item.second == 0; });
    if (sum.own == 0 && sum.imports.empty())
      return;
    bool whole = dataLayout_.getTypeStoreSize(constant.getType()) == 8;
    if (sum.own == 1 && sum.imports.empty() && sum.understood && whole)
      return entry(offset, nullptr);
    if (sum.own == 0 && sum.imports.size() == 1 && sum.imports.begin()[0].second == 1 &&
        sum.understood && whole)
      return entry(offset, sum.imports.begin()[0].first);
    module_.getContext().emitError(
        "gnomon: an initialiser computes with the address of a per-rank variable in a way "
        "that cannot be relocated; assign it at run time");
  }

  void add(const Constant &constant, int sign, Sum &sum) {
    if (auto *global = dyn_cast<GlobalValue>(&constant))
      return addGlobal(*global, sign, sum);
    auto *expression = dyn_cast<ConstantExpr>(&constant);
    if (!expression)
      return;
    switch (expression->getOpcode()) {
    case Instruction::GetElementPtr:
    case Instruction::PtrToInt:
    case Instruction::PtrToAddr:
    case Instruction::IntToPtr:
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
    case Instruction::Trunc:
      return add(*expression->getOperand(0), sign, sum);
    case Instruction::Add:
      add(*expression->getOperand(0), sign, sum);
      return add(*expression->getOperand(1), sign, sum);
    case Instruction::Sub:
      add(*expression->getOperand(0), sign, sum);
      return add(*expression->getOperand(1), -sign, sum);
    default:
      sum.understood = false;
      for (const Use &operand : expression->operands())
        add(*cast<Constant>(operand), sign, sum);
    }
  }

  void addGlobal(const GlobalValue &global, int sign, Sum &sum) {
    if (Constant *import = imports_.lookup(&global)) {
      sum.imports[import] += sign;
      return;
    }
    const GlobalObject *object = global.getAliaseeObject();
    if (object && (object == layout_.privateBlock || object == layout_.zeroBlock))
      sum.own += sign;
  }

  /// \p import as in gnomon_relocation.
  void entry(uint64_t offset, Constant *import) {
    LLVMContext &context = module_.getContext();
    Constant *slot =
        ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), layout_.privateBlock,
                                       ConstantInt::get(Type::getInt64Ty(context), offset));
    entries_.push_back(record::Relocation{.slot = slot, .import = import}.constant(module_));
  }

  Module &module_;
  const DataLayout &dataLayout_;
  const Layout &layout_;
  DenseMap<const Constant *, Constant *> imports_;
  SmallVector<Constant *, 0> entries_;
};

} // namespace

void addRelocations(Module &module, const Layout &layout, const Imports &imports) {
  if (!layout.privateBlock)
    return;
  Walker walker(module, layout, imports);
  walker.walk(*layout.privateBlock->getInitializer(), 0);
  walker.emit();
}

} // namespace gnomon
