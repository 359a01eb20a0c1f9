// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of pointers inside the initialisers of private variables that point to private
/// variables (gnomon_relocation in Module.h).
#pragma once

#include "privatise/Imports.h"
#include "privatise/Layout.h"

namespace gnomon {

/// Adds the table to \p module, after replaceVariables. Reports an error for an initialiser that
/// computes with such addresses in a way that no relocation expresses.
void addRelocations(llvm::Module &module, const Layout &layout, const Imports &imports);

} // namespace gnomon
