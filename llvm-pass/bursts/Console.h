// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output to the console, that is to the standard output and error: people read it, the program
/// never.
#pragma once

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace gnomon {

/// Whether the call prints there, or does something else with those streams.
bool isConsole(const llvm::CallBase &call);

/// stdout and its kin, or what a call that wrote to them returned (`cout << a << b`, Fortran's
/// statement).
bool isConsoleStream(const llvm::Value &value);

} // namespace gnomon
