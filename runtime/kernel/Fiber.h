// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A Boost.Context stack that can be parked. A rank is one fiber; the scheduler is the thread's own
/// stack. Fibers are created, parked and woken through the Engine; nothing here knows MPI or
/// simulated time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gnomon::kernel {

class Engine;

struct StackRange {
  char *low = nullptr;  ///< lowest usable byte (a guard page may lie below)
  char *high = nullptr; ///< one past the highest byte
  bool guarded = false; ///< whether an overflow faults in the GNOMON_STACK_GUARD_BYTES below
};

/// What a switch touches fills the first cache line.
class alignas(64) Fiber {
public:
  using Entry = void (*)(void *argument);

  /// What a fiber's owner stores in it (process: the Rank). Read by the switch hook.
  void *owner = nullptr;

  const StackRange &stack() const { return stack_; }
  bool finished() const { return state_ == State::Finished; }
  bool parked() const { return state_ == State::Parked; }

private:
  friend class Engine;
  enum class State : uint8_t { Ready, Running, Parked, Finished };
  void *context_ = nullptr; ///< Boost.Context's fcontext_t
  Engine *engine_ = nullptr;
  State state_ = State::Parked;
  StackRange stack_;
  Entry entry_ = nullptr;
  void *argument_ = nullptr;
  void *fakeStack_ = nullptr; ///< AddressSanitizer's, while the fiber does not run
};

} // namespace gnomon::kernel
