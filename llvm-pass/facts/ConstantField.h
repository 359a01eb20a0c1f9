// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one value that a variable of the program is ever given: `dp_type` in a COMMON block, set in
/// the setup and handed to every MPI call. Found by looking at every use of the global, calls
/// followed; linear in their number.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class GlobalVariable;
class Value;
} // namespace llvm

namespace gnomon {

/// The only integer (or address that is a number) that the program stores to the \p bytes bytes at
/// \p offset of \p global. The variable may be zero before. Nothing when there are several, when
/// the address gets to where it cannot be followed, or when other modules see the variable.
std::optional<int64_t> onlyStored(const llvm::GlobalVariable &global, uint64_t offset,
                                  unsigned bytes);

} // namespace gnomon
