// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which partition generates the code of which function.
///
/// SplitModule asks nobody: it takes the hash of a symbol's name. Of a local symbol we choose the
/// name, and so the partition. Each partition gets a run of neighbours in the module's order, so
/// that the linked code has the order that it has uncut; the runs are cut such that the longest, in
/// instructions, is as short as it can be. Variables stay in the first partition: they cost nothing.
///
/// Should LLVM take another hash, names are still right, and the runs uneven.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace gnomon {

/// The first item of each of at most \p parts runs of \p weights, of which the heaviest is as light
/// as it can be. O(n log(sum of the weights)).
std::vector<size_t> evenRuns(llvm::ArrayRef<uint64_t> weights, unsigned parts);

class Placement {
public:
  Placement(const llvm::Module &module, unsigned partitions);
  /// The local symbol's name in the link: `.llvm.` behind it, which symbolizers and demanglers know
  /// as the compiler's addition, and \p number or one of its successors.
  std::string nameFor(const llvm::GlobalValue &symbol, uint64_t number) const;

private:
  unsigned partitions_;
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> places_; ///< of functions
};

} // namespace gnomon
