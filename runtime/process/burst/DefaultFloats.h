// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What hooks do in the program's midst, with floating-point numbers.
#pragma once

#include "process/ranks/BurstClock.h"

#include <cstdint>
#include <immintrin.h>

namespace gnomon::process::burst {

/// While it lives, the hooks' arithmetic neither traps nor leaves flags behind.
class DefaultFloats {
public:
  DefaultFloats() : control_(_mm_getcsr()) { _mm_setcsr(DefaultFloatControl); }
  ~DefaultFloats() { _mm_setcsr(control_); }
  DefaultFloats(const DefaultFloats &) = delete;
  DefaultFloats &operator=(const DefaultFloats &) = delete;

private:
  uint32_t control_;
};

} // namespace gnomon::process::burst
