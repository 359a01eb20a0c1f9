// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The instructions that may demand something for what they do or lest they fault: a fifth of all.
/// They are asked again for each set of bursts that is tried, so they are found once.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace gnomon {

class Sites {
public:
  Sites(const llvm::Module &module,
        llvm::function_ref<bool(const llvm::BasicBlock &)> isLoopHeader);

  /// Of which Roots::addEffects has something to say, in order of the module.
  llvm::ArrayRef<const llvm::Instruction *> effects() const { return effects_; }
  /// The same of Roots::addSafety, of one function.
  llvm::ArrayRef<const llvm::Instruction *> unsafe(const llvm::Function &function) const {
    const auto [begin, end] = ranges_.lookup(&function);
    return llvm::ArrayRef(unsafe_).slice(begin, end - begin);
  }

private:
  std::vector<const llvm::Instruction *> effects_, unsafe_;
  llvm::DenseMap<const llvm::Function *, std::pair<size_t, size_t>> ranges_; ///< of unsafe_
};

} // namespace gnomon
