// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Streams that a program writes to: which are the console's, and what C++'s do when they cannot write. A stream of
/// libstdc++ throws when it fails only if the program has asked it to (`exceptions(mask)`, ISO C++ 31.5.4.4): what is
/// thrown inside a formatted output is caught there, and becomes a bit of its state.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Module;
class Value;
} // namespace llvm

namespace gnomon {

/// Whether the call prints to the console, or does something else with its streams.
bool isConsole(const llvm::CallBase &call);

/// stdout and its kin, or what a call that wrote to them returned (`cout << a << b`, Fortran's
/// statement).
bool isConsoleStream(const llvm::Value &value);

/// The stream that the object is part of: the base of C++'s streams lies where their table says.
const llvm::Value &wholeOf(const llvm::Value &value);

/// Whether a member of C++'s streams, or what stands for one, prints to argument 0 and does no more.
bool printsToStream(llvm::StringRef name);

/// Whether the call may be one of a virtual function of a part of a stream of the console, by what it is handed: it
/// widens a character.
bool isOfPartOfConsole(const llvm::CallBase &call);

/// Whether the call throws `bad_cast` where a stream of the console has no facet, which no locale lacks.
bool complainsOfLocale(const llvm::CallBase &call);

/// Whether the module asks a stream to throw when it fails, or a module may that it is a library of.
bool asksStreamsToThrow(const llvm::Module &module);

} // namespace gnomon
