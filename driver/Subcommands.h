// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the driver can be asked to do: one function per row of Subcommands.def, and the wrappers'
/// two. Each takes the arguments after its own name and returns the exit code, or becomes another
/// program.
#pragma once

#include "Installation.h"

#include <string>
#include <vector>

namespace gnomon::driver {

using Arguments = std::vector<std::string>;

#define GNOMON_SUBCOMMAND(name, function, arguments, help) int function(const Arguments &);
#define GNOMON_LATER(name, help)
#include "Subcommands.def"
#undef GNOMON_SUBCOMMAND
#undef GNOMON_LATER

/// mpicc, mpicxx, mpifort and their other names: the compiler with the flag, or what it would be
/// given.
int wrapCompiler(const std::string &wrapper, const Compiler &compiler, const Arguments &arguments);

/// mpiexec, mpirun: `gnomon run`, silent on success.
int wrapLauncher(const Arguments &arguments);

} // namespace gnomon::driver
