// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Addresses that hold nothing: buffers of a program that is replayed from a trace. A message to or
/// from them has a size, takes its time, and moves no bytes.
#pragma once

#include <cstdint>

namespace gnomon::process::fold {

namespace detail {
inline constinit uintptr_t nowhere = 0; ///< where they begin; 0: there are none
inline constinit uint64_t nowhereBytes = 0;
} // namespace detail

/// Makes them; an access to one faults. Throws InputError when there is no room for them.
void reserveNowhere();
/// Their first; null: there are none.
inline void *nowhere() { return reinterpret_cast<void *>(detail::nowhere); }
/// Whether the run is a replay, in which no result counts.
inline bool replays() { return detail::nowhere != 0; }
inline bool isNowhere(const void *address) {
  return replays() && reinterpret_cast<uintptr_t>(address) - detail::nowhere < detail::nowhereBytes;
}

} // namespace gnomon::process::fold
