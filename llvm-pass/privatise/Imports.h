// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of globals that the dynamic linker may resolve in another module (record::Import).
#pragma once

#include "privatise/Layout.h"
#include "privatise/Residence.h"

#include "llvm/ADT/MapVector.h"

namespace gnomon {

struct Imports {
  llvm::GlobalVariable *table = nullptr; ///< null when it would be empty
  AccessMap accesses;

  /// The address of the entry of each symbol, by what the symbols are now (replaceVariables makes
  /// new ones).
  llvm::DenseMap<const llvm::Constant *, llvm::Constant *> entries() const;
};

/// Adds the table for the imports of \p residence and for the places of \p layout that can be
/// preempted.
Imports addImports(llvm::Module &module, const Residence &residence, const Layout &layout);

} // namespace gnomon
