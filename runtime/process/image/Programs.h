// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The programs of a simulation. Program 0 is the executable of this process. Another one is loaded
/// beside it: glibc loads no file that calls itself an executable (DF_1_PIE), so a copy in memory
/// loses that mark. The pass has made its globals relative to the rank and its main a registered
/// function, so nothing else of it is special.
#pragma once

#include "gnomon/Module.h"

#include <cstdint>
#include <string>

namespace gnomon::process {

/// The number of the program in the file \p path, loaded now if it is not yet. Throws InputError
/// when it cannot be run: not there, not built with the flag, for another machine.
uint32_t loadProgram(const std::string &path);
/// The module that has its main; null when nothing was registered.
gnomon_module *programModule(uint32_t program);
/// Whether ranks that run \p program have \p module: it is their program's own, or a library.
bool belongsTo(const gnomon_module &module, uint32_t program);
/// The user's name of a loaded file: of the copies that loadProgram made, the original's.
std::string originalFile(const std::string &loadedName);

} // namespace gnomon::process
