// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Asking the processor for memory before it is used, and the numbers from which on that pays.
///
/// A simulation waits for memory more than for anything else: with a thousand ranks, nothing of a
/// rank is in a near cache when its turn comes. A line that was asked for early is there by then,
/// and lines asked for together come together. It is a hint, and no result hangs on it. What each
/// use gains stands in docs/performance/caches.md; one that gains less than 2 % everywhere is taken out.
#pragma once

#include <cstddef>

namespace gnomon {

/// With at most so many flows under way, who takes part in one is among the next to run: what is
/// asked for at its start is still in the caches at its end. With more, others have driven it out.
inline constexpr size_t FewFlows = 32;

/// More fibers than this leave the near caches before they run again: then events are better played
/// on the scheduler's stack, which stays there.
inline constexpr size_t FewFibers = 512;

/// What more ranks, ready fibers or flows than this consist of stays in no cache from one turn to
/// the next, and its pages not in the processor's table of translations: then even what comes later
/// is worth asking for. With fewer, asking cost 64 ranks 10 %.
inline constexpr size_t ManyAtOnce = 2048;

inline constexpr size_t CacheLineBytes = 64;

/// Asks for \p lines lines from \p address on.
inline void fetchToRead(const void *address, size_t lines = 1) {
  for (size_t line = 0; line < lines; ++line)
    __builtin_prefetch(static_cast<const char *>(address) + line * CacheLineBytes);
}

/// The same for lines that will be written as well.
inline void fetchToWrite(const void *address, size_t lines = 1) {
  for (size_t line = 0; line < lines; ++line)
    __builtin_prefetch(static_cast<const char *>(address) + line * CacheLineBytes, 1);
}

} // namespace gnomon
