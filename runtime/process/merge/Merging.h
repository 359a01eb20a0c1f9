// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks' memory of the running simulation, looked at between their turns: what launch, malloc
/// and the summary need of it.
#pragma once

#include "process/merge/MergedMemory.h"

#include <cstddef>
#include <optional>

namespace gnomon::process::merge {

/// What a run says.
struct Report {
  Figures figures;
  uint64_t looks = 0;
  double seconds = 0; ///< CPU time of the looks
  /// Other threads than the ranks' ran, so that nothing was looked at: so often.
  uint64_t disturbed = 0;
};

/// From now on pages are merged. Throws InputError when the kernel does not say what is in memory.
/// To be called once the ranks exist and before they run, and only where blocks and globals lie at
/// like places of a page on all ranks (alignBlocksToPages, alignCopiesToPages).
void start();
/// Nothing more is merged.
void stop();
/// Nothing where start() was not called.
std::optional<Report> report();

namespace detail {
inline constinit bool on = false;
} // namespace detail
inline bool isOn() { return detail::on; }

/// A large block of \p bytes was allocated.
void noteBlock(char *block, size_t bytes);
/// It is about to become shorter, or has become longer, in its place; or is about to be freed.
void noteResized(char *block, size_t bytes);
void noteFreed(char *block);
/// The program changes how its memory is mapped.
void leaveAlone(const void *begin, size_t bytes);

} // namespace gnomon::process::merge
