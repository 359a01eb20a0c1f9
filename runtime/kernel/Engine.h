// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The discrete-event engine: time and control flow only. Sequential and deterministic: what happens is
/// ordered by (date, sequence number), never by pointer, hash or wall clock.
///
/// One date t is played in this order, until nothing is left at t:
///   1. every event due at t runs, by sequence number;
///   2. every ready fiber runs, first woken first, until it parks or ends;
///   3. when no fiber is ready and no event is due at t, the settlers that asked for it run (a network model
///      solves all changes made at t together here); they may schedule events, also at t.
/// Then time advances to the next event. No event left: `run` returns; fibers still parked are a deadlock,
/// which the caller reports.
#pragma once

#include "kernel/Action.h"
#include "kernel/Fiber.h"
#include "support/Time.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gnomon::kernel {

/// Names a scheduled event until it runs or is cancelled. 0 is no event.
using EventId = uint64_t;

/// Called just before a fiber is resumed on its stack; `previous` is the fiber that ran last (null at first).
/// process uses it to put the rank's globals, errno and the like in place.
using SwitchHook = void (*)(Fiber *previous, Fiber *next);

struct StackOptions {
  size_t bytes = size_t{8} << 20;
  bool guardPages = true; ///< dropped, with `guarded` false, once the kernel's map count runs short
};

class Engine {
public:
  explicit Engine(StackOptions stacks = {});
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  SimTime now() const { return now_; }

  /// Schedules \p action at \p date (not before now). Same date: in the order of scheduling.
  EventId at(SimTime date, Action action);
  EventId after(double delaySeconds, Action action) { return at(now_ + delaySeconds, action); }
  /// Moves an event that has not run to another date (its place among equals is the newest).
  void reschedule(EventId event, SimTime date);
  void cancel(EventId event);

  /// Asks that \p settler run once when the present date has nothing else left to do (step 3).
  void settle(Action settler);

  /// A new fiber, ready at the present date, that runs entry(argument) on a stack of its own.
  Fiber &spawn(Fiber::Entry entry, void *argument, void *owner);
  /// Gives back a finished fiber's stack.
  void release(Fiber &fiber);
  /// The fiber that runs now; null on the scheduler's stack.
  Fiber *current() const { return current_; }
  /// Parks the current fiber until wake(). Must be called on a fiber.
  void park();
  /// Makes a parked fiber ready at the present date. A fiber that is not parked is a broken invariant.
  void wake(Fiber &fiber);
  /// Parks the current fiber until now + durationSeconds.
  void sleep(double durationSeconds);
  /// Ends the current fiber at once; its stack is not unwound.
  [[noreturn]] void exitCurrent();

  void setSwitchHook(SwitchHook hook) { switchHook_ = hook; }

  /// Plays events until none is left or stop() was called. Called on the scheduler's stack.
  void run();
  /// Makes run() return after the present action or fiber.
  void stop() { stopped_ = true; }

  /// Fibers spawned and not finished.
  size_t liveFibers() const { return liveFibers_; }
  uint64_t eventsPlayed() const { return eventsPlayed_; }

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  SimTime now_;
  Fiber *current_ = nullptr;
  SwitchHook switchHook_ = nullptr;
  bool stopped_ = false;
  size_t liveFibers_ = 0;
  uint64_t eventsPlayed_ = 0;
};

} // namespace gnomon::kernel
