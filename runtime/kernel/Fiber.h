// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A Boost.Context stack that can be parked. A rank is one fiber; the scheduler is the thread's own
/// stack. Fibers are created, parked and woken through the Engine; nothing here knows MPI or
/// simulated time.
#pragma once

#include "kernel/Sanitizer.h"
#include "support/Check.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace gnomon::kernel {

class Engine;

/// Ends objects that lie where no memory is given back for them: at the upper end of a stack.
struct EndInPlace {
  template <class T> void operator()(T *object) const { std::destroy_at(object); }
};
template <class T> using InPlace = std::unique_ptr<T, EndInPlace>;

/// What a parked fiber does each time when it is woken, for which it needs no stack: it is played on
/// the stack of whoever comes by. So a switch of stacks, and the frames that wait there, are left alone
/// until the fiber itself has something to do. No use of what the switch hook places; no park, no throw.
class Turn {
public:
  /// Returns whether the fiber itself goes on now; else it stays parked, until it is woken again.
  virtual bool play() = 0;
  /// Asks the processor for what that will touch beyond the turn's own first lines, which are at hand.
  /// Called with many fibers only.
  virtual void fetch() const {}

protected:
  ~Turn() = default;
};

struct StackRange {
  char *low = nullptr;  ///< lowest usable byte (a guard page may lie below)
  char *high = nullptr; ///< one past the highest byte
  bool guarded = false; ///< whether an overflow faults in the GNOMON_STACK_GUARD_BYTES below
};

/// One cache line (but under AddressSanitizer): there is one for each rank, and each switch touches
/// two. The first lie side by side; those of very many each at the upper end of its stack.
class alignas(64) Fiber {
public:
  using Entry = void (*)(void *argument);

  /// What a fiber's owner stores in it (process: the Rank). Read by the switch hook.
  void *owner = nullptr;

  StackRange stack() const { return {low_, high_, guarded_}; }
  /// Makes an object that stays where it is until the stack is given back: at the upper end of the
  /// stack, where only a fiber that is not started has room, for what runs on it begins below. The
  /// first page of a stack is in memory anyway, and a switch to the fiber needs its translation. With
  /// StackOptions::keepsBeside it lies elsewhere, and may be made at any time.
  template <class T, class... Arguments> InPlace<T> keep(Arguments &&...arguments) {
    return InPlace<T>(::new (setAside(sizeof(T))) T(std::forward<Arguments>(arguments)...));
  }
  /// The same for \p bytes bytes, in whole cache lines.
  void *setAside(size_t bytes);
  bool finished() const { return state_ == State::Finished; }
  bool parked() const { return state_ == State::Parked; }
  /// Whether it plays a turn when it is woken.
  bool hasTurn() const { return hasTurn_; }
  /// The lowest address that it reads when it goes on, or of its turn.
  const void *frames() const { return hasTurn_ ? argument_ : context_; }

private:
  friend class Engine;
  enum class State : uint8_t { Ready, Running, Parked, Finished };
  void *context_ = nullptr; ///< Boost.Context's fcontext_t
  Engine *engine_ = nullptr;
  State state_ = State::Parked;
  bool guarded_ = false;
  bool hasTurn_ = false;                  ///< whether argument_ is its Turn
  bool onStack_ = false;                  ///< whether it lies at the upper end of its stack itself
  char *low_ = nullptr, *high_ = nullptr; ///< of the stack
  Entry entry_ = nullptr;
  void *argument_ = nullptr; ///< of entry_, until the fiber has begun
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
