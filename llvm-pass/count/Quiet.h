// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which calls can look at the instruction counter: those that may come to the runtime (MPI,
/// clocks, output, exit, hooks) or leave the caller's frame for good. What runs between two of them
/// may be counted in registers.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace gnomon::count {

class Quiet {
public:
  explicit Quiet(const llvm::Module &module);

  /// Neither the callee nor what it calls looks at the counter, and it returns or ends the process.
  bool is(const llvm::CallBase &call) const;

private:
  llvm::DenseSet<const llvm::Function *> noisy_; ///< defined functions; looked up only
};

/// The same of what is known without the module: intrinsics, and functions of libraries that have no
/// business with the runtime.
bool isQuietByItself(const llvm::CallBase &call);

} // namespace gnomon::count
