// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Imports.h"

#include "names/Names.h"
#include "names/Records.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gnomon {

static Constant *entryOf(GlobalVariable &table, size_t index) {
  Type *word = Type::getInt64Ty(table.getContext());
  Constant *indices[] = {ConstantInt::get(word, 0), ConstantInt::get(word, index)};
  return ConstantExpr::getInBoundsGetElementPtr(table.getValueType(), &table, indices);
}

Imports addImports(Module &module, const Residence &residence, const Layout &layout) {
  Imports imports;
  SmallVector<GlobalValue *, 16> symbols(residence.imports.begin(), residence.imports.end());
  for (auto &[value, access] : layout.places)
    if (isPreemptible(*value))
      symbols.push_back(value);
  if (symbols.empty())
    return imports;

  Type *word = Type::getInt64Ty(module.getContext());
  auto *noDelta =
      new GlobalVariable(module, word, /*isConstant=*/true, GlobalValue::InternalLinkage,
                         ConstantInt::get(word, 0), names::SharedDelta);
  SmallVector<Constant *, 16> entries;
  for (GlobalValue *symbol : symbols) {
    // Through the GOT, so that no copy of the other module's variable is made in the executable.
    symbol->setDSOLocal(false);
    entries.push_back(record::Import{.address = symbol, .delta = noDelta}.constant(module));
  }
  imports.table = record::addTable(module, entries, record::Access::Writable, names::Imports);
  for (auto [index, symbol] : enumerate(symbols))
    imports.accesses.insert({symbol, {Access::Base::Import, 0, entryOf(*imports.table, index)}});
  return imports;
}

DenseMap<const Constant *, Constant *> Imports::entries() const {
  DenseMap<const Constant *, Constant *> result;
  if (table)
    for (auto [index, fields] : enumerate(table->getInitializer()->operands()))
      result[cast<ConstantStruct>(fields)->getOperand(unsigned(record::Import::Field::address))] =
          entryOf(*table, index);
  return result;
}

} // namespace gnomon
