// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The modules built with the flag that are loaded in this process, in the order of loading, which
/// is the order of construction.
#pragma once

#include "gnomon/Module.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::process {

/// Called by gnomon_register_module. A module of another version than this runtime's ends the
/// process.
void addModule(gnomon_module &module);
const std::vector<gnomon_module *> &modules();
/// How many have been registered so far.
extern size_t modulesLoaded;
/// Who is told of each module that is registered from now on; null: nobody.
using ModuleListener = void (*)(gnomon_module &module);
void setModuleListener(ModuleListener listener);
/// The module with the program's main; null before it is registered.
gnomon_module *mainModule();
/// The counter of a program whose only module counts, as most do: each call and each burst reads it. Null: see
/// countedInstructions().
inline constinit const uint64_t *onlyCounter = nullptr;
/// The sum of several modules' counters, or 0 where none counts.
uint64_t allCounters();
/// Instructions that the modules' code has counted so far, on all ranks together.
inline uint64_t countedInstructions() { return onlyCounter ? *onlyCounter : allCounters(); }
/// Whether some module of the program counts its instructions.
bool programCounts();
/// Whether one of the program's modules uses \p flag (GNOMON_MODULE_…).
bool anyModuleHas(uint32_t flag);
/// Whether \p address lies in a loaded file that was built with the flag.
bool inFlaggedModule(const void *address);
/// Its record; null when it lies in no such file.
const gnomon_module *moduleAt(const void *address);

} // namespace gnomon::process
