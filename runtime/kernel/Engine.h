// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The discrete-event engine: time and control flow only. Sequential and deterministic: what
/// happens is ordered by (date, sequence number), never by pointer, hash or wall clock.
///
/// One date t is played in this order, until nothing is left at t:
///   1. every event due at t runs, by sequence number;
///   2. every ready fiber runs, first woken first, until it parks or ends;
///   3. when no fiber is ready and no event is due at t, the settlers that asked for it run (a
///      network model solves all changes made at t together here); they may schedule events, also
///      at t.
/// Then time advances to the next event, or to an event in the background that comes no later. No
/// event left: `run` returns; fibers still parked are a deadlock, which the caller reports.
///
/// A fiber that parks plays the next events on its own stack when no other fiber is ready, instead
/// of switching to the scheduler's stack first: a message then costs one switch, and none where the
/// event wakes the fiber that waited for it. With many fibers it goes to the scheduler's stack all
/// the same: the frames of events would lie in another cold page of each fiber's stack, where the
/// scheduler's stay in the cache. `current()` is null while an event or a settler runs, on
/// whichever stack. Such actions must not throw: they may stand on a fiber's stack.
#pragma once

#include "kernel/Action.h"
#include "kernel/Arena.h"
#include "kernel/EventQueue.h"
#include "kernel/Fiber.h"
#include "kernel/ReadyQueue.h"
#include "kernel/StackPool.h"
#include "support/Check.h"
#include "support/Time.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gnomon::kernel {

/// Called just before a fiber is resumed on its stack, when it is another than the fiber that was resumed
/// last (`previous`, null at first). process uses it to put the rank's globals, errno and the like
/// in place.
using SwitchHook = void (*)(Fiber *previous, Fiber *next);

/// Asks the processor for what an event will touch that is not yet due, in steps of which each finds
/// its addresses in what the one before asked for: first from \p step = 3 on, last 0, just before the
/// event before it is played. Returns the fiber that the event will wake, once that is at hand; or
/// null.
using EventFetch = Fiber *(*)(const Action &event, uint32_t step);

class Engine {
public:
  explicit Engine(StackOptions stacks = {});
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  SimTime now() const { return now_; }

  /// Schedules \p action at \p date (not before now). Same date: in the order of scheduling.
  EventId at(SimTime date, const Action &action) {
    CHECK(date >= now_, "an event not before the present date");
    return queue_.push(date, action);
  }
  EventId after(double delaySeconds, const Action &action) {
    return at(now_ + delaySeconds, action);
  }
  /// An event that does not keep the simulation going: when only such events are left, run()
  /// returns, unless someone holds it. At its date it comes before all other events. It cannot be
  /// moved or cancelled.
  void inBackground(SimTime date, Action action);
  /// While held, events in the background keep the simulation going: something waits for one.
  void hold() { ++holds_; }
  void release();
  /// Moves an event that has not run to another date (its place among equals is the newest).
  void reschedule(EventId event, SimTime date);
  void cancel(EventId event) { queue_.cancel(event); }

  /// For who waits for one date at a time, and often for another one than before: an event that is
  /// set again in place, as if it had been cancelled and scheduled. Not set at first, and no more
  /// once it has run.
  AlarmId addAlarm(const Action &action) { return queue_.addAlarm(action); }
  void setAlarm(AlarmId alarm, SimTime date) {
    CHECK(date >= now_, "an alarm not before the present date");
    queue_.setAlarm(alarm, date);
  }
  void clearAlarm(AlarmId alarm) { queue_.clearAlarm(alarm); }

  /// From an event: whether nothing would happen up to and at \p date but an event that is now set to
  /// it. Then that date has come: the caller plays the event itself, which is one event played, and
  /// the queue is not asked.
  bool skipTo(SimTime date) {
    if (date >= queue_.nextDate() || date >= backgroundDate_ || !ready_.empty() ||
        !settlers_.empty() || stopped_)
      return false;
    CHECK(date >= now_, "an event not before the present date");
    now_ = date;
    ++eventsPlayed_;
    return true;
  }

  /// Asks that \p settler run once when the present date has nothing else left to do (step 3).
  void settle(Action settler) { settlers_.push_back(settler); }

  /// A new fiber with a stack of its own, which does not run before start(). Throws InputError when
  /// the address space is used up.
  Fiber &makeFiber(void *owner);
  /// From the present date on it is ready, and runs entry(argument).
  void start(Fiber &fiber, Fiber::Entry entry, void *argument);
  /// Both in one.
  Fiber &spawn(Fiber::Entry entry, void *argument, void *owner) {
    Fiber &fiber = makeFiber(owner);
    start(fiber, entry, argument);
    return fiber;
  }
  /// Gives back a finished fiber's stack.
  void release(Fiber &fiber);
  /// The fiber that runs now; null while an event or a settler runs.
  Fiber *current() const { return current_; }
  /// Parks the current fiber until wake(). Must be called on a fiber.
  void park();
  /// The same, but whenever it is woken \p turn is played as the fiber (it is current(); the switch hook
  /// is not called), and it stays parked until that says otherwise.
  void park(Turn &turn);
  /// Makes a parked fiber ready at the present date. A fiber that is not parked is a broken
  /// invariant.
  void wake(Fiber &fiber);
  /// Parks the current fiber until now + durationSeconds.
  void sleep(double durationSeconds);
  /// The same for a turn: whether it has to end, for the fiber will be woken then. Otherwise nothing else
  /// could happen before, and that date has come.
  bool startSleep(double durationSeconds);
  /// Ends the current fiber at once; its stack is not unwound. Not in a turn.
  [[noreturn]] void exitCurrent();

  void setSwitchHook(SwitchHook hook) { switchHook_ = hook; }
  /// With many fibers, \p fetch is asked about pending events that call \p function.
  void fetchAhead(Action::Function function, EventFetch fetch);
  /// Asks for what \p event will touch, in such steps, for who knows what is going to be played.
  void fetchFor(const Action &event, uint32_t step) const;
  /// What wakes \p fiber.
  static Action waking(Fiber &fiber) { return {wakeFiber, &fiber, 0}; }

  /// Plays events until none is left or stop() was called. Called on the scheduler's stack.
  void run();
  /// Makes run() return after the present action or fiber.
  void stop() { stopped_ = true; }

  /// Fibers started and not finished.
  size_t liveFibers() const { return liveFibers_; }
  uint64_t eventsPlayed() const { return eventsPlayed_; }

private:
  friend class Fiber;
  void dispatch(Fiber &self);
  void playEvents(bool fewFibers);
  Action popAhead();
  static void wakeFiber(void *fiber, uint64_t);
  bool advance();
  bool playBackground();
  void runSettlers();
  void resume(Fiber &from, Fiber &to);
  void putInPlace(Fiber &fiber);
  bool playTurn(Fiber &fiber);
  void pushReady(Fiber &fiber);
  Fiber &newFiber();
  static void startFiber(void *from);

  SimTime now_;
  SimTime backgroundDate_ = Never; ///< of the next event in the background
  Fiber *current_ = nullptr;
  Fiber *lastOnStack_ = nullptr; ///< the rank fiber whose state the switch hook put in place
  ReadyQueue ready_;
  SwitchHook switchHook_ = nullptr;
  bool stopped_ = false;
  bool running_ = false;
  bool drainEvents_ = true; ///< in step 1: events due now come before ready fibers
  size_t liveFibers_ = 0;
  uint64_t eventsPlayed_ = 0;
  EventQueue queue_;
  std::vector<Action> settlers_;
  std::vector<Action> settling_;
  Fiber scheduler_; ///< stands for the stack that called run()
  StackPool stacks_;
  std::deque<Fiber> fibers_;        ///< those that do not lie on their stacks
  std::vector<Fiber *> freeFibers_; ///< of these
  EventQueue background_;           ///< apart from what every event touches
  size_t holds_ = 0;
  struct Fetch {
    Action::Function function;
    EventFetch fetch;
  };
  std::vector<Fetch> fetches_; ///< a handful
  Arena kept_;                 ///< in place of the stacks' ends
  bool keepsBeside_;
};

} // namespace gnomon::kernel
