// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A set of blocks: those that can run from some point of the program on, as long as some conditions hold. A bit for
/// each block of the functions that have one in it; a program with phases has two dozen of these.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"

#include <memory>

namespace llvm {
class ConstantInt;
}

namespace gnomon {

/// What is known as long as some conditions hold that do not change.
struct Known {
  /// The conditions, and what follows from them.
  llvm::DenseMap<const llvm::Value *, llvm::ConstantInt *> values;
  /// What selections give that hang on them.
  llvm::DenseMap<const llvm::Instruction *, const llvm::Value *> chosen;
  /// Where branches lead that do.
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> taken;
};

/// Error blocks left out. Blocks that are made after the last insertion are not in it.
class Scope {
public:
  bool contains(const llvm::BasicBlock *block) const {
    const Row *row = find(*block->getParent());
    const unsigned number = block->getNumber();
    return row && number / Bits < row->size() && (*row)[number / Bits] >> number % Bits & 1;
  }

  /// What is known while only code of the scope runs; null: nothing.
  const Known *known() const { return known_.get(); }
  void setKnown(std::shared_ptr<const Known> known) { known_ = std::move(known); }
  bool knows(const llvm::Instruction &instruction) const {
    return known_ && known_->values.contains(&instruction);
  }
  /// The operand that a selection gives then; null: that is not known, or it is none.
  const llvm::Value *chosenBy(const llvm::Instruction &instruction) const {
    return known_ ? known_->chosen.lookup(&instruction) : nullptr;
  }

  /// Whether it was not in it.
  bool insert(const llvm::BasicBlock *block) {
    return insert(bitsOf(*block->getParent()), block->getNumber());
  }

  /// All of \p blocks, which are the function's.
  void insert(const llvm::Function &function, llvm::ArrayRef<const llvm::BasicBlock *> blocks) {
    if (blocks.empty())
      return;
    Row &row = bitsOf(function);
    for (const llvm::BasicBlock *block : blocks)
      insert(row, block->getNumber());
  }

  /// All of \p other's, too; what is known stays.
  void insert(const Scope &other) {
    for (const auto &[function, row] : other.bits_) {
      Row &mine = bitsOf(*function);
      if (mine.size() < row.size())
        mine.resize(row.size(), 0);
      for (size_t i = 0; i < row.size(); ++i)
        mine[i] |= row[i];
    }
  }

private:
  static constexpr unsigned Bits = 64;
  using Row = llvm::SmallVector<uint64_t, 1>;

  /// The row of the function that was asked about last, as most questions are. A copy of the scope
  /// has rows of its own.
  struct Last {
    Last() = default;
    Last(const Last &) {}
    Last &operator=(const Last &) {
      function = nullptr;
      return *this;
    }
    const llvm::Function *function = nullptr;
    const Row *row = nullptr; ///< null: no block of it is in the scope
  };

  const Row *find(const llvm::Function &function) const {
    if (last_.function != &function) {
      auto place = bits_.find(&function);
      last_.function = &function;
      last_.row = place == bits_.end() ? nullptr : &place->second;
    }
    return last_.row;
  }
  Row &bitsOf(const llvm::Function &function) {
    if (const Row *known = find(function))
      return const_cast<Row &>(*known);
    last_.function = nullptr; // rows move
    Row &row = bits_[&function];
    row.resize(function.getMaxBlockNumber() / Bits + 1, 0);
    return row;
  }
  static bool insert(Row &row, unsigned number) {
    if (number / Bits >= row.size())
      row.resize(number / Bits + 1, 0);
    const uint64_t bit = uint64_t{1} << number % Bits;
    const bool isNew = !(row[number / Bits] & bit);
    row[number / Bits] |= bit;
    return isNew;
  }

  llvm::DenseMap<const llvm::Function *, Row> bits_; ///< looked up only
  std::shared_ptr<const Known> known_;
  mutable Last last_;
};

} // namespace gnomon
