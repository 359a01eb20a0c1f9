// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which globals assembly text reaches by their link-time address. Such an address cannot depend on
/// the rank.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace gnomon {

class AsmUses {
public:
  explicit AsmUses(const llvm::Module &module);
  /// Assembly names \p global, or takes its address as an immediate operand.
  bool namesAsConstant(const llvm::GlobalValue &global) const { return uses_.contains(&global); }

private:
  void scanText(const llvm::Module &module, llvm::StringRef text);
  void scanCall(const llvm::CallBase &call);

  llvm::SmallPtrSet<const llvm::GlobalValue *, 8> uses_;
};

} // namespace gnomon
