// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tells AddressSanitizer which stack the thread is about to run on. Empty in an ordinary build.
/// Source: LLVM's sanitizer/common_interface_defs.h (fiber annotations).
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define GNOMON_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GNOMON_ASAN 1
#endif
#endif

#ifdef GNOMON_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gnomon::kernel {

/// What AddressSanitizer keeps of a fiber that does not run.
struct FakeStack {
#ifdef GNOMON_ASAN
  void *address = nullptr;
#endif
};

/// \p left null: the stack that is left will never run again.
inline void beforeSwitch([[maybe_unused]] FakeStack *left, [[maybe_unused]] const char *low,
                         [[maybe_unused]] size_t bytes) {
#ifdef GNOMON_ASAN
  __sanitizer_start_switch_fiber(left ? &left->address : nullptr, low, bytes);
#endif
}

inline void afterSwitch([[maybe_unused]] FakeStack resumed,
                        [[maybe_unused]] const void **previousLow,
                        [[maybe_unused]] size_t *previousBytes) {
#ifdef GNOMON_ASAN
  __sanitizer_finish_switch_fiber(resumed.address, previousLow, previousBytes);
#endif
}

/// Forgets what an earlier fiber left on a stack that is used again.
inline void clearStack([[maybe_unused]] char *low, [[maybe_unused]] char *high) {
#ifdef GNOMON_ASAN
  __asan_unpoison_memory_region(low, static_cast<size_t>(high - low));
#endif
}

} // namespace gnomon::kernel
