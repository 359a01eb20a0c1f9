// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays of which equal ones are kept once. Of large programs thousands of instructions read the same
/// memory, and thousands of calls through pointers may enter the same functions: whoever walks over
/// these sees by an array's address that it has been here.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

namespace gnomon {

template <typename Item> class Interned {
public:
  /// Lives as long as this. Costs the length of \p items.
  llvm::ArrayRef<Item> of(llvm::ArrayRef<Item> items) {
    auto &known = known_[static_cast<unsigned>(llvm::hash_combine_range(items))];
    for (llvm::ArrayRef<Item> other : known)
      if (other == items)
        return other;
    known.push_back(items.copy(memory_));
    return known.back();
  }

private:
  llvm::BumpPtrAllocator memory_;
  llvm::DenseMap<uint64_t, llvm::SmallVector<llvm::ArrayRef<Item>, 1>> known_; ///< looked up only
};

} // namespace gnomon
