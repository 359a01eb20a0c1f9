// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which functions the points-to analysis looks at again for each of their calls: small ones that
/// allocate memory (xmalloc and its like, helpers that make arrays of arrays) or that take
/// pointers, and that are not recursive. Of calls through pointers, those that allocate: a library
/// that is handed its allocator would keep all that it makes in one object.
#pragma once

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gnomon {
class Externals;
}

namespace gnomon::pointsto {

class Contexts {
public:
  Contexts(const llvm::Module &module, const Externals &externals);

  /// Whether a call at this depth of copies gets a copy of its own; takes it off the budget.
  bool takesCopy(const llvm::Function &callee, unsigned depth);
  /// Whether it is one of those that a call through a pointer may have a copy of.
  bool isAllocator(const llvm::Function &callee) const { return facts_.lookup(&callee).allocates; }

private:
  struct Facts {
    uint32_t instructions = 0;
    uint32_t directCalls = 0;
    bool copied = false;
    bool allocates = false; ///< and may be copied
  };
  llvm::DenseMap<const llvm::Function *, Facts> facts_;
  uint64_t budget_ = 0; ///< instructions that copies may still have
};

} // namespace gnomon::pointsto
