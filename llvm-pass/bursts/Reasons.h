// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a burst always runs, in the words of the source: what must be right, the data that it rests
/// on, and what of that the burst makes.
#pragma once

#include "bursts/Roots.h"
#include "slice/Slice.h"

namespace gnomon {

struct Reason {
  /// Completes "this loop always runs, because …".
  std::string text;
  /// The branch that ends a loop, if that is what rests on the burst (the user may say `stay`), and
  /// where its condition stands.
  const llvm::Instruction *loopEnd = nullptr;
  llvm::DebugLoc place = {};
  /// The function outside the program that the data are handed to and of which nothing is known.
  const llvm::Function *unknown = nullptr;
};

Reason reasonOf(const Slice::Way &way, const MemoryUse &memory, const Roots &roots);

/// "the end of the loop at a.c:10 (a.c:33)".
std::string loopEndText(const Reason &reason, const Roots &roots);

/// How the file of overrides names the line: "solve:33".
std::string overridePlace(const llvm::Function &function, const llvm::DebugLoc &place);

} // namespace gnomon
