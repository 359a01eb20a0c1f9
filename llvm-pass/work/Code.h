// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polynomials as IR: in double precision, which neither wraps nor traps on what a program holds,
/// and as an integer at the end.
#pragma once

#include "work/Algebra.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace gnomon::work {

class Code {
public:
  explicit Code(llvm::Instruction *position) : builder_(position) {}

  /// The value as an i64 of at least 1 and at most 2^62.
  llvm::Value *integer(const Polynomial &polynomial);
  /// A value or a load, of no more than 64 bits, as an i64.
  llvm::Value *input(const Atom &atom);

private:
  llvm::Value *number(const Polynomial &polynomial);
  llvm::Value *atom(const Atom &atom);
  llvm::Value *make(const Atom &atom);
  llvm::Value *loaded(const Atom &load);
  llvm::Value *address(const Atom &load);
  llvm::Value *convert(llvm::Value *value);
  llvm::Value *within(llvm::Value *value, double least, double most);
  llvm::Value *whole(llvm::Value *number);

  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const Atom *, llvm::Value *> made_;   ///< as numbers; looked up only
  llvm::DenseMap<const Atom *, llvm::Value *> loaded_; ///< looked up only
};

} // namespace gnomon::work
