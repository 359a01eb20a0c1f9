// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A set of blocks: those that can run from some point of the program on. A bit for each block of
/// the functions that have one in it; a program with phases has two dozen of these.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"

namespace gnomon {

/// Error blocks left out. Blocks that are made after the last insertion are not in it.
class Scope {
public:
  bool contains(const llvm::BasicBlock *block) const {
    auto place = bits_.find(block->getParent());
    const unsigned number = block->getNumber();
    return place != bits_.end() && number / Bits < place->second.size() &&
           place->second[number / Bits] >> number % Bits & 1;
  }

  /// Whether it was not in it.
  bool insert(const llvm::BasicBlock *block) {
    llvm::SmallVector<uint64_t, 1> &bits = bits_[block->getParent()];
    if (bits.empty())
      bits.resize(block->getParent()->getMaxBlockNumber() / Bits + 1, 0);
    const unsigned number = block->getNumber();
    if (number / Bits >= bits.size())
      bits.resize(number / Bits + 1, 0);
    const uint64_t bit = uint64_t{1} << number % Bits;
    const bool isNew = !(bits[number / Bits] & bit);
    bits[number / Bits] |= bit;
    return isNew;
  }

private:
  static constexpr unsigned Bits = 64;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<uint64_t, 1>> bits_; ///< looked up only
};

} // namespace gnomon
