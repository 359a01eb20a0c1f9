// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The modules built with the flag that are loaded in this process, in the order of loading, which
/// is the order of construction.
#pragma once

#include "gnomon/Module.h"

#include <vector>

namespace gnomon::process {

/// Called by gnomon_register_module. A module of another version than this runtime's ends the
/// process.
void addModule(gnomon_module &module);
const std::vector<gnomon_module *> &modules();
/// The module with the program's main; null before it is registered.
gnomon_module *mainModule();
/// Instructions that the modules' code has counted so far, on all ranks together.
uint64_t countedInstructions();
/// Whether \p address lies in a loaded file that was built with the flag.
bool inFlaggedModule(const void *address);

} // namespace gnomon::process
