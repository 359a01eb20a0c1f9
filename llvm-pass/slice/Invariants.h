// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values that do not change while only code of a scope runs, whenever and wherever they are computed: made of
/// constants, of values that are computed once, of addresses that there are once, and of memory that nobody writes
/// meanwhile. A flag that was read from the input, say, and what is compared with it.
#pragma once

#include "slice/MemoryUse.h"
#include "slice/Scope.h"

#include <map>
#include <optional>
#include <tuple>

namespace gnomon {

class Invariants {
public:
  Invariants(const MemoryUse &memory, const Scope &scope) : memory_(memory), scope_(scope) {}

  /// Values of the same number are the same wherever code of the scope uses them. None: it may change, or nothing is
  /// known of it.
  std::optional<unsigned> numberOf(const llvm::Value &value) { return find(value, 0); }

private:
  std::optional<unsigned> find(const llvm::Value &value, unsigned depth);
  std::optional<unsigned> make(const llvm::Value &value, unsigned depth);
  std::optional<unsigned> ofArgument(const llvm::Argument &argument, unsigned depth);
  std::optional<unsigned> ofLoad(const llvm::LoadInst &load, unsigned depth);
  std::optional<unsigned> ofOperation(const llvm::Instruction &instruction, unsigned depth);
  /// What makes it, and of what.
  using Key = std::tuple<unsigned, const void *, const void *, llvm::SmallVector<unsigned, 4>>;
  unsigned numberOf(Key key);
  bool isThereOnce(const llvm::Function &function) const;
  bool runsOnce(const llvm::BasicBlock &block);
  bool isWritten(Cell cell);

  const MemoryUse &memory_;
  const Scope &scope_;
  llvm::DenseMap<const llvm::Value *, std::optional<unsigned>> known_;
  std::map<Key, unsigned> numbers_; ///< looked up only
  llvm::DenseMap<Cell, bool> written_;
  llvm::DenseMap<const llvm::BasicBlock *, bool> once_;
};

} // namespace gnomon
