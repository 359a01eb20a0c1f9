// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How often code may run, and how much it may execute, as far as its loops tell: one that counts from a constant to a
/// constant goes round so often; one that counts to another number is taken to go round 64 times, any other 8 times. For
/// choices only: which points are worth recording.
#pragma once

#include "slice/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
}

namespace gnomon {

struct Region;

class Weights {
public:
  Weights(const Program &program, llvm::FunctionAnalysisManager &analyses)
      : program_(program), analyses_(analyses) {}

  /// The logarithm to the base 2 of how often code runs, the loops around calls of its function included; 40 at most.
  unsigned roundsBitsOf(const llvm::Instruction &instruction);
  /// Instructions that the program may execute in the region, with what it calls.
  double of(const Region &region);

private:
  unsigned bitsInside(const llvm::BasicBlock &block);
  unsigned bitsAround(const llvm::Function &function);
  unsigned bitsOf(const llvm::Loop &loop);
  double ofBlock(const llvm::BasicBlock &block);
  double ofFunction(const llvm::Function &function);

  const Program &program_;
  llvm::FunctionAnalysisManager &analyses_;
  llvm::DenseMap<const llvm::Loop *, unsigned> loops_;
  llvm::DenseMap<const llvm::Function *, unsigned> around_;
  llvm::DenseMap<const llvm::Function *, double> functions_; ///< of one call of each
  llvm::DenseMap<const Region *, double> regions_;
};

} // namespace gnomon
