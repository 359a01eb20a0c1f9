// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes a module ready to be cut into partitions whose code is generated in parallel
/// (lld's --lto-partitions=N; docs/adr/0018).
///
/// lld cuts the module with LLVM's SplitModule, which makes each local symbol a hidden global one,
/// so that another partition can name it. SplitModule leaves four things to its caller:
/// 1. A `static write` would become the `write` that other objects and archives of the link call,
///    and two results of `ld -r` with a `static step` each could not be linked together.
/// 2. Module-level assembly goes to the first partition: its local labels are unknown to others.
/// 3. llvm.used keeps from --gc-sections only what lies in the partition where it is.
/// 4. A module with an ifunc, or with versions of symbols in assembly, ends the linker with a crash or
///    an error that nobody can read: that is refused here.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct PartitionsPass : llvm::PassInfoMixin<PartitionsPass> {
  explicit PartitionsPass(unsigned partitions) : partitions_(partitions) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  unsigned partitions_;
};

} // namespace gnomon
