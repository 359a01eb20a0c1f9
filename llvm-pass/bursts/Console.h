// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output to the console, that is to the standard output and error: people read it, the program
/// never. So it holds no burst that could otherwise be skipped: what such a burst prints runs with
/// it, or is left out (docs/adr/0010).
#pragma once

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace gnomon {

class MemoryUse;

/// The calls of the module that print there and do nothing else: no result of theirs is asked for,
/// but the stream itself, though one may be returned to callers that leave it. None if the program may make a file of the console.
llvm::DenseSet<const llvm::CallBase *> findPrints(const MemoryUse &memory);

/// Whether the program may send what it prints to the console into memory, or asks how much that was.
bool asksForPrints(const MemoryUse &memory);

/// Whether a print gives back its stream, argument 0.
bool givesStream(const llvm::CallBase &print);

} // namespace gnomon
