// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The engine's loop and its switches between stacks.
///
/// `dispatch` is the loop of steps 1 to 3 in Engine.h. It runs on the stack of whoever has nothing
/// to do (a fiber that parks, or the scheduler) and returns when that one may go on; another that
/// becomes ready is resumed from inside it.
#include "kernel/Engine.h"

#include "kernel/Sanitizer.h"
#include "support/Check.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>

namespace gnomon::kernel {

namespace context = boost::context::detail;

namespace {

constexpr size_t TurnLines = 4;

/// Brings what a fiber touches when it is resumed towards the processor, all lines at once: its
/// topmost \p frames, and the beginning of what its owner keeps. With thousands of ranks they are in
/// no near cache, and would be missed one after another.
void fetchFiber(const Fiber &fiber, const void *frames) {
  constexpr size_t FrameLines = 18, OwnerLines = 6, OwnerLinesOfTurn = 3;
  fetchToWrite(frames, fiber.hasTurn() ? TurnLines : FrameLines);
  fetchToWrite(fiber.owner, fiber.hasTurn() ? OwnerLinesOfTurn : OwnerLines);
}

/// The same for a fiber whose turn is known before it is ready.
void fetchResumed(const Fiber &fiber) {
  fetchFiber(fiber, fiber.frames());
  if (fiber.hasTurn())
    return;
  // The frames that it returns through, and those of its next call, which go as deep again.
  constexpr size_t LinesBelow = 8;
  fetchToWrite(static_cast<const char *>(fiber.frames()) - LinesBelow * CacheLineBytes, LinesBelow);
}

/// Of its frames and of its owner, the translations.
void fetchPages(const Fiber &fiber) {
  fetchToWrite(fiber.frames());
  fetchToWrite(fiber.owner);
}

/// Called when a fiber was popped and others wait: fetches for those behind it while it runs. Of one a
/// little further back the fiber, which knows its owner, and the first lines of its frames; then the
/// rest. And, for a few at a time, the pages of the frames: with thousands of stacks each has its own,
/// whose translation is in no near cache, and a processor that fetches waits for translations, but
/// finds several at once.
[[gnu::noinline]] void fetchReady(const ReadyQueue &ready, bool manyFibers) {
  constexpr size_t Together = 8, Far = 4, Near = 1;
  if (ready.size() > ManyAtOnce && ready.popped() % Together == 0)
    for (size_t n = Far; n < Far + Together && n < ready.size(); ++n)
      fetchToWrite(ready[n].frames);
  if (ready.size() > Far) {
    fetchToWrite(ready[Far].fiber);
    fetchToWrite(ready[Far].frames, TurnLines);
  }
  const ReadyQueue::Entry &near = ready[std::min(Near, ready.size() - 1)];
  fetchFiber(*near.fiber, near.frames);
  if (manyFibers && near.fiber->hasTurn())
    static_cast<const Turn *>(near.frames)->fetch();
}

} // namespace

Engine::Engine(StackOptions stacks) : stacks_(stacks), keepsBeside_(stacks.keepsBeside) {
  scheduler_.engine_ = this;
}

Engine::~Engine() = default;

void *Fiber::setAside(size_t bytes) {
  if (engine_ && engine_->keepsBeside_)
    return engine_->kept_.allocate(bytes);
  CHECK(!entry_, "a fiber that is not started");
  constexpr uintptr_t LineBytes = 64;
  high_ -= bytes + ((reinterpret_cast<uintptr_t>(high_) - bytes) & (LineBytes - 1));
  return high_;
}

void Engine::inBackground(SimTime date, Action action) {
  CHECK(date >= now_, "an event not before the present date");
  background_.push(date, action);
  backgroundDate_ = background_.nextDate();
}

void Engine::release() {
  CHECK(holds_ > 0, "a hold to release");
  --holds_;
}

void Engine::reschedule(EventId event, SimTime date) {
  CHECK(date >= now_, "an event not before the present date");
  queue_.reschedule(event, date);
}

/// What its owner keeps lies beside a fiber, in one page, if it does not lie on the stack. Else few
/// fibers lie side by side, where they share translations and do not compete for the lines of the first
/// caches; each of many takes the end of a page that is in memory anyway.
Fiber &Engine::newFiber() {
  StackRange stack = stacks_.allocate();
  Fiber *fiber;
  if (!freeFibers_.empty()) {
    fiber = ::new (freeFibers_.back()) Fiber;
    freeFibers_.pop_back();
  } else if (keepsBeside_) { // next to what its owner keeps
    fiber = ::new (kept_.allocate(sizeof(Fiber))) Fiber;
  } else if (fibers_.size() < ManyAtOnce) {
    fiber = &fibers_.emplace_back();
  } else {
    stack.high -= sizeof(Fiber);
    fiber = ::new (stack.high) Fiber;
    fiber->onStack_ = true;
  }
  fiber->setStack(stack);
  return *fiber;
}

Fiber &Engine::makeFiber(void *owner) {
  Fiber &fiber = newFiber();
  fiber.engine_ = this;
  fiber.owner = owner;
  return fiber;
}

void Engine::start(Fiber &fiber, Fiber::Entry entry, void *argument) {
  CHECK(!fiber.entry_, "a fiber is started once");
  fiber.entry_ = entry;
  fiber.argument_ = argument;
  const auto bytes = static_cast<size_t>(fiber.high_ - fiber.low_);
  fiber.context_ = context::make_fcontext(fiber.high_, bytes, [](context::transfer_t transfer) {
    static_cast<Fiber *>(transfer.data)->context_ = transfer.fctx;
    startFiber(transfer.data);
  });
  ++liveFibers_;
  pushReady(fiber);
}

/// First steps on a new stack; \p from is the fiber that switched here.
void Engine::startFiber(void *from) {
  auto *previous = static_cast<Fiber *>(from);
  Engine &engine = *previous->engine_;
  const void *low = nullptr;
  size_t bytes = 0;
  afterSwitch({}, &low, &bytes);
  if (previous == &engine.scheduler_) {
    auto *begin = static_cast<char *>(const_cast<void *>(low));
    engine.scheduler_.setStack({begin, begin + bytes, false});
  }
  Fiber &self = *engine.current_;
  self.entry_(self.argument_);
  engine.exitCurrent();
}

void Engine::release(Fiber &fiber) {
  CHECK(fiber.finished(), "only a finished fiber's stack is given back");
  if (lastOnStack_ == &fiber)
    lastOnStack_ = nullptr;
  clearStack(fiber.low_, fiber.high_);
  StackRange stack = fiber.stack();
  if (fiber.onStack_)
    stack.high = reinterpret_cast<char *>(&fiber + 1);
  else
    freeFibers_.push_back(&fiber);
  fiber.setStack({});
  stacks_.release(stack);
}

void Engine::pushReady(Fiber &fiber) {
  fiber.state_ = Fiber::State::Ready;
  ready_.push({&fiber, fiber.frames()});
}

void Engine::wake(Fiber &fiber) {
  CHECK(fiber.parked(), "only a parked fiber is woken");
  pushReady(fiber);
}

void Engine::park() {
  CHECK(current_, "park is called on a fiber");
  Fiber &self = *current_;
  self.state_ = Fiber::State::Parked;
  current_ = nullptr;
  dispatch(self);
}

void Engine::park(Turn &turn) {
  CHECK(current_, "park is called on a fiber");
  current_->argument_ = &turn;
  current_->hasTurn_ = true;
  park();
}

void Engine::wakeFiber(void *fiber, uint64_t) {
  auto &woken = *static_cast<Fiber *>(fiber);
  woken.engine_->wake(woken);
}

void Engine::sleep(double durationSeconds) {
  if (startSleep(durationSeconds))
    park();
}

bool Engine::startSleep(double durationSeconds) {
  CHECK(current_, "sleep is called on a fiber");
  SimTime end = now_ + durationSeconds;
  CHECK(end >= now_, "a duration that is not negative");
  // Nothing else can happen up to the end: time may simply advance.
  if (ready_.empty() && settlers_.empty() && queue_.nextDate() > end && backgroundDate_ > end &&
      !stopped_) {
    now_ = end;
    return false;
  }
  at(end, waking(*current_));
  return true;
}

void Engine::exitCurrent() {
  CHECK(current_ && !current_->hasTurn(), "exitCurrent is called on the fiber's own stack");
  Fiber &self = *current_;
  self.state_ = Fiber::State::Finished;
  --liveFibers_;
  current_ = nullptr;
  // No event, and no turn, is played on this stack: one of them may release it.
  const bool hasNext = !stopped_ && !ready_.empty() && !ready_[0].fiber->hasTurn_;
  resume(self, hasNext ? *ready_.pop() : scheduler_);
  __builtin_unreachable();
}

void Engine::run() {
  CHECK(!running_ && !current_, "run is called on the scheduler's stack");
  running_ = true;
  stopped_ = false;
  // The scheduler is never ready: dispatch returns when there is nothing left, or on stop().
  dispatch(scheduler_);
  running_ = false;
}

/// Plays the simulation until \p self may go on.
void Engine::dispatch(Fiber &self) {
  const bool fewFibers = liveFibers_ <= FewFibers;
  const bool playsHere = &self == &scheduler_ || fewFibers;
  while (!stopped_) {
    if (drainEvents_ && queue_.nextDate() <= now_) {
      if (!playsHere)
        break;
      fewFibers ? playEvents(true) : playEvents(false); // inline: few fibers pay for no more
      continue;
    }
    drainEvents_ = false;
    if (Fiber *next = ready_.pop()) {
      if (!fewFibers && !ready_.empty()) // few stay in the caches from one turn to the next
        fetchReady(ready_, liveFibers_ > ManyAtOnce);
      if (next->hasTurn_ && !playTurn(*next))
        continue;
      resume(self, *next);
      if (&self != &scheduler_)
        return;
      continue;
    }
    if (!playsHere)
      break;
    drainEvents_ = true;
    if (queue_.nextDate() > now_ && !advance())
      break;
  }
  if (&self != &scheduler_)
    resume(self, scheduler_);
}

/// The next event. Ranks that wake at dates of their own run in no order that they could foresee
/// themselves, but the queue knows it: what the coming events will touch is asked for.
[[gnu::noinline]] Action Engine::popAhead() {
  return queue_.popAhead([this](const Action &event, uint32_t step) { fetchFor(event, step); },
                         liveFibers_ > ManyAtOnce);
}

void Engine::fetchAhead(Action::Function function, EventFetch fetch) {
  fetches_.push_back({function, fetch});
}

void Engine::fetchFor(const Action &event, uint32_t step) const {
  if (event.function == wakeFiber) {
    const auto &fiber = *static_cast<const Fiber *>(event.object);
    if (step >= 2)
      fetchToWrite(&fiber);
    else if (step == 1)
      fetchPages(fiber);
    else
      fetchResumed(fiber);
    return;
  }
  for (const Fetch &known : fetches_)
    if (known.function == event.function) {
      if (const Fiber *fiber = known.fetch(event, step))
        fetchResumed(*fiber);
      return;
    }
}

/// Plays what is due, and goes on to the next dates as long as nothing else is to be done.
[[gnu::always_inline]] inline void Engine::playEvents(bool fewFibers) {
  // Apart from the common way, which has no event in memory.
  const auto playAhead = [this]() __attribute__((noinline)) { popAhead()(); };
  for (;;) {
    ++eventsPlayed_;
    if (fewFibers || queue_.size() <= FewFlows) [[likely]]
      queue_.pop()();
    else
      playAhead();
    if (stopped_) [[unlikely]]
      return;
    const SimTime next = queue_.nextDate();
    if (next <= now_)
      continue;
    if (!ready_.empty() || !settlers_.empty() || next >= backgroundDate_)
      return;
    now_ = next;
  }
}

/// Step 3, and the time advances; false when the run is over.
inline bool Engine::advance() {
  if (!settlers_.empty())
    runSettlers();
  else if (queue_.nextDate() < backgroundDate_)
    now_ = queue_.nextDate();
  else
    return playBackground();
  return true;
}

/// Moves time on to an event in the background; false when the run is over.
[[gnu::noinline]] bool Engine::playBackground() {
  if (backgroundDate_ == Never || (queue_.empty() && holds_ == 0))
    return false;
  now_ = backgroundDate_;
  ++eventsPlayed_;
  kernel::Action action = background_.pop();
  backgroundDate_ = background_.nextDate();
  action();
  return true;
}

[[gnu::noinline]] void Engine::runSettlers() {
  settling_.swap(settlers_);
  for (size_t i = 0; i < settling_.size(); ++i)
    settling_[i]();
  settling_.clear();
}

/// \p fiber runs now, on whichever stack.
inline void Engine::putInPlace(Fiber &fiber) {
  fiber.state_ = Fiber::State::Running;
  current_ = &fiber;
  if (&fiber != lastOnStack_) {
    if (switchHook_)
      switchHook_(lastOnStack_, &fiber);
    lastOnStack_ = &fiber;
  }
}

/// Whether \p fiber, which has a turn to play, goes on itself. What the switch hook puts in place is for
/// programs, which do not run in turns.
inline bool Engine::playTurn(Fiber &fiber) {
  fiber.state_ = Fiber::State::Running;
  current_ = &fiber;
  if (static_cast<Turn *>(fiber.argument_)->play()) {
    fiber.hasTurn_ = false;
    return true;
  }
  fiber.state_ = Fiber::State::Parked;
  current_ = nullptr;
  return false;
}

/// Leaves \p from (parked, finished or the scheduler) for \p to; returns when \p from is resumed.
void Engine::resume(Fiber &from, Fiber &to) {
  if (&to != &scheduler_)
    putInPlace(to);
  if (&from == &to)
    return;
  beforeSwitch(from.finished() ? nullptr : &from.fakeStack_, to.low_,
               static_cast<size_t>(to.high_ - to.low_));
  context::transfer_t transfer = context::jump_fcontext(to.context_, &from);
  auto *previous = static_cast<Fiber *>(transfer.data);
  previous->context_ = transfer.fctx;
  afterSwitch(from.fakeStack_, nullptr, nullptr);
}

} // namespace gnomon::kernel
