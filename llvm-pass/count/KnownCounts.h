// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How often inner loops go round, where that is known before a loop around them begins, and
/// products of such numbers. What an inner loop adds to the counter is then known there, too: it is
/// part of what the outer loop adds each time it goes round, and nothing is raised when the inner
/// one is left.
#pragma once

#include "count/Amount.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

#include <optional>

namespace gnomon::count {

class KnownCounts {
public:
  explicit KnownCounts(llvm::ScalarEvolution &evolution) : evolution_(evolution) {}

  /// The number that says how often the back edge of \p inner is taken before the loop is left, on
  /// whatever way; nothing when it is not known before \p around begins, or costs a division.
  std::optional<unsigned> iterations(const llvm::Loop &inner, const llvm::Loop &around);
  /// The same, known before the loop itself begins, in a short sum: what is left to say of loops that
  /// are not known further out.
  std::optional<unsigned> iterations(const llvm::Loop &loop);
  /// \p each, taken \p count times; nothing when that is a product of too many numbers.
  std::optional<Amount> times(const Amount &each, unsigned count);

  /// Puts the numbers before the loops around. The control flow is as it was.
  void compute();
  /// As an i64, after compute().
  llvm::Value *value(unsigned count) const { return numbers_[count].value; }

private:
  struct Number {
    const llvm::Loop *around = nullptr;
    const llvm::SCEV *iterations = nullptr; ///< null: a product
    llvm::SmallVector<unsigned, 3> factors; ///< of a product, ascending; otherwise itself
    llvm::Value *value = nullptr;
  };

  std::optional<unsigned> place(const llvm::Loop &around, const llvm::SCEV *iterations);
  llvm::ArrayRef<unsigned> factors(unsigned count) const { return numbers_[count].factors; }
  std::optional<unsigned> product(unsigned left, unsigned right);

  llvm::ScalarEvolution &evolution_;
  llvm::SmallVector<Number, 0> numbers_;
};

} // namespace gnomon::count
