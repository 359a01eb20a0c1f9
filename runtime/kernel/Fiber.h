// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A Boost.Context stack that can be parked. A rank is one fiber; the scheduler is the thread's own
/// stack. Fibers are created, parked and woken through the Engine; nothing here knows MPI or
/// simulated time.
#pragma once

#include "kernel/Sanitizer.h"

#include <cstddef>
#include <cstdint>

namespace gnomon::kernel {

class Engine;

struct StackRange {
  char *low = nullptr;  ///< lowest usable byte (a guard page may lie below)
  char *high = nullptr; ///< one past the highest byte
  bool guarded = false; ///< whether an overflow faults in the GNOMON_STACK_GUARD_BYTES below
};

/// One cache line (but under AddressSanitizer): there is one for each rank, and each switch touches
/// two.
class alignas(64) Fiber {
public:
  using Entry = void (*)(void *argument);

  /// What a fiber's owner stores in it (process: the Rank). Read by the switch hook.
  void *owner = nullptr;

  StackRange stack() const { return {low_, high_, guarded_}; }
  bool finished() const { return state_ == State::Finished; }
  bool parked() const { return state_ == State::Parked; }

private:
  friend class Engine;
  enum class State : uint8_t { Ready, Running, Parked, Finished };
  void *context_ = nullptr; ///< Boost.Context's fcontext_t
  Engine *engine_ = nullptr;
  State state_ = State::Parked;
  bool guarded_ = false;
  char *low_ = nullptr, *high_ = nullptr; ///< of the stack
  Entry entry_ = nullptr;
  void *argument_ = nullptr;
  [[no_unique_address]] FakeStack fakeStack_;

  void setStack(const StackRange &stack) {
    low_ = stack.low;
    high_ = stack.high;
    guarded_ = stack.guarded;
  }
};
#ifndef GNOMON_ASAN
static_assert(sizeof(Fiber) == 64);
#endif

} // namespace gnomon::kernel
