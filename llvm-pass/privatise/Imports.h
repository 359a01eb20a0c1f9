// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of globals that the dynamic linker may resolve in another module (gnomon_import in
/// Module.h).
#pragma once

#include "privatise/Layout.h"
#include "privatise/Residence.h"

#include "llvm/ADT/MapVector.h"

namespace gnomon {

class Imports {
public:
  /// Makes the table for the imports of \p residence and for the places of \p layout that can be
  /// preempted.
  Imports(llvm::Module &module, const Residence &residence, const Layout &layout);

  const AccessMap &accesses() const { return accesses_; }
  /// The address of the entry of each symbol, by what the symbols are now (replaceVariables makes
  /// new ones).
  llvm::DenseMap<const llvm::Constant *, llvm::Constant *> entries() const;

private:
  llvm::Constant *entry(size_t index) const;

  llvm::GlobalVariable *table_ = nullptr;
  AccessMap accesses_;
};

/// Fields of gnomon_import.
llvm::StructType *importType(llvm::LLVMContext &context);

} // namespace gnomon
