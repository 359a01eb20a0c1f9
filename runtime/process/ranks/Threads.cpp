// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Threads as fibers of their rank: start, end, change of turn, and sleep.
#include "process/ranks/Threads.h"

#include "process/image/Modules.h"
#include "process/ranks/Jobs.h"
#include "process/ranks/Simulation.h"
#include "support/Check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unordered_map>

namespace gnomon::process {

std::atomic<bool> anyThreads{false};

namespace {

/// Layout of the C++ ABI's __cxa_eh_globals (Itanium C++ ABI: exception handling, 2.2.2).
struct ExceptionGlobals {
  void *caught;
  unsigned uncaught;
};

ExceptionGlobals &exceptionGlobals() {
  return *reinterpret_cast<ExceptionGlobals *>(abi::__cxa_get_globals());
}

/// Who sleeps on what. Only looked up, never walked: its order says nothing.
std::unordered_map<const void *, std::deque<Sleeper *>> &sleepers() {
  static auto *all = new std::unordered_map<const void *, std::deque<Sleeper *>>;
  return *all;
}

/// Calls visit(address, bytes) for each thread_local variable of the program that \p rank runs.
template <class Visit> void forEachLocal(const Rank &rank, Visit visit) {
  const Images &images = simulation()->images;
  for (gnomon_module *module : modules())
    for (uint64_t i = 0; runsModule(*module, rank.number) && i < module->thread_local_count; ++i) {
      const gnomon_thread_local &variable = module->thread_locals[i];
      visit(images.placeOf(*module, variable.address, rank.number), variable);
    }
}

void keepLocals(const Rank &rank, std::vector<char> &to) {
  to.clear();
  forEachLocal(rank, [&](char *address, const gnomon_thread_local &variable) {
    to.insert(to.end(), address, address + variable.bytes);
  });
}

void placeLocals(const Rank &rank, const std::vector<char> &from) {
  const char *next = from.data();
  forEachLocal(rank, [&](char *address, const gnomon_thread_local &variable) {
    // A library that was loaded meanwhile has variables that this thread has not met.
    if (next + variable.bytes > from.data() + from.size())
      return;
    std::memcpy(address, next, variable.bytes);
    next += variable.bytes;
  });
}

std::vector<char> initialLocals(const Rank &rank) {
  std::vector<char> values;
  const Images &images = simulation()->images;
  for (gnomon_module *module : modules())
    for (uint64_t i = 0; runsModule(*module, rank.number) && i < module->thread_local_count; ++i) {
      const gnomon_thread_local &variable = module->thread_locals[i];
      std::vector<char> initial =
          images.initialValue(*module, variable.address, variable.bytes, rank.number);
      values.insert(values.end(), initial.begin(), initial.end());
    }
  return values;
}

void putAside(Rank &rank, Thread::Own &to) {
  to.call = rank.call;
  to.describeWait = rank.describeWait;
  to.waitsFor = rank.waitsFor;
  to.listAwaited = rank.listAwaited;
  to.clock = rank.burst.thread();
  to.idlePolls = rank.idlePolls;
  to.errnoValue = errno;
  to.caughtExceptions = exceptionGlobals().caught;
  to.uncaughtExceptions = exceptionGlobals().uncaught;
  to.exitHandlers.swap(rank.libc->handlers->ofThread);
  keepLocals(rank, to.locals);
}

void putInPlace(Rank &rank, Thread::Own &from) {
  rank.call = from.call;
  rank.describeWait = from.describeWait;
  rank.waitsFor = from.waitsFor;
  rank.listAwaited = from.listAwaited;
  rank.burst.setThread(from.clock);
  rank.idlePolls = from.idlePolls;
  errno = from.errnoValue;
  exceptionGlobals() = {from.caughtExceptions, from.uncaughtExceptions};
  rank.libc->handlers->ofThread.swap(from.exitHandlers);
  placeLocals(rank, from.locals);
}

/// A rank with threads is executed whole: its bursts end where a thread waits, which their analysis
/// did not foresee.
void leaveBurstsAlone(Rank &rank) {
  if (!rank.burst.bursts())
    return;
  simulation()->skipping->rankStartsThreads(rank);
  rank.burst.setBursts(nullptr);
}

struct Start {
  Rank *rank;
  Thread *thread;
};

void threadEntry(void *argument) {
  const Start start = *static_cast<Start *>(argument);
  delete static_cast<Start *>(argument);
  leaveRuntime(*start.rank);
  endThread(*start.rank, start.thread->start(start.thread->argument));
}

/// An ended thread's stack; nobody stands on it any more when the scheduler plays its next event.
void giveBackStack(void *fiber, uint64_t) {
  world().engine.release(*static_cast<kernel::Fiber *>(fiber));
}

void wake(Sleeper &sleeper) {
  if (sleeper.woken)
    return;
  sleeper.woken = true;
  world().engine.wake(*sleeper.fiber);
}

void destroySpecifics(Thread &thread) {
  // A destructor may set values again; libc tries that often.
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && !thread.specifics.empty(); ++round) {
    auto values = std::move(thread.specifics);
    thread.specifics.clear();
    for (auto [key, value] : values)
      if (auto found = keyDestructors().find(key);
          value && found != keyDestructors().end() && found->second)
        found->second(value);
  }
}

struct Alarm {
  Sleeper *sleeper;
  bool rang = false;
};

void ring(void *argument, uint64_t) {
  auto &alarm = *static_cast<Alarm *>(argument);
  alarm.rang = !alarm.sleeper->woken;
  wake(*alarm.sleeper);
}

} // namespace

Threads::Threads(Rank &rank) {
  all.emplace_back().fiber = rank.fiber;
  running = &all.front();
  living.push_back(running);
}

Thread *Threads::find(const kernel::Fiber &fiber) {
  for (Thread *thread : living)
    if (thread->fiber == &fiber)
      return thread;
  return nullptr;
}

Thread *currentThread(Rank &rank) { return rank.threads ? rank.threads->running : nullptr; }

void selectThread(Rank &rank, kernel::Fiber &fiber) {
  Threads &threads = *rank.threads;
  Thread *next = threads.running->fiber == &fiber ? threads.running : threads.find(fiber);
  if (!next || next == threads.running)
    return;
  if (threads.running->finished)
    threads.running->own = {};
  else
    putAside(rank, threads.running->own);
  threads.running = next;
  rank.fiber = next->fiber;
  putInPlace(rank, next->own);
}

Thread &ensureThreads(Rank &rank) {
  leaveBurstsAlone(rank);
  if (!rank.threads)
    rank.threads = std::make_unique<Threads>(rank);
  return *rank.threads->running;
}

Thread &startThread(Rank &rank, void *(*start)(void *), void *argument, bool detached) {
  enterRuntime(rank);
  anyThreads.store(true, std::memory_order_relaxed);
  ensureThreads(rank);
  Threads &threads = *rank.threads;
  Thread &thread = threads.all.emplace_back();
  thread.number = static_cast<uint32_t>(threads.all.size()) - 1;
  thread.start = start;
  thread.argument = argument;
  thread.detached = detached;
  thread.own.clock.depth = 1; // the runtime runs until the thread's code begins
  thread.own.clock.floatControl = rank.burst.thread().floatControl; // POSIX: its maker's
  thread.own.locals = initialLocals(rank);
  thread.fiber = &world().engine.spawn(threadEntry, new Start{&rank, &thread}, &rank);
  threads.living.push_back(&thread);
  leaveRuntime(rank);
  return thread;
}

void endThread(Rank &rank, void *result) {
  Thread &self = *rank.threads->running;
  destroySpecifics(self);
  std::vector<ExitHandler> &handlers = rank.libc->handlers->ofThread;
  while (!handlers.empty()) {
    const ExitHandler handler = handlers.back();
    handlers.pop_back();
    reinterpret_cast<void (*)(void *)>(handler.function)(handler.argument);
  }
  enterRuntime(rank);
  Threads &threads = *rank.threads;
  if (self.number == 0) {
    while (threads.living.size() > 1)
      sleepOn(rank, &threads, ForEver, "pthread_exit");
    leaveRuntime(rank);
    exitRank(0, true);
  }
  self.result = result;
  self.finished = true;
  kernel::Engine &engine = world().engine;
  engine.at(engine.now(), {giveBackStack, self.fiber, 0});
  self.fiber = nullptr;
  std::erase(threads.living, &self);
  if (threads.living.size() == 1)
    wakeSleepers(&threads, 1);
  wakeSleepers(&self, SIZE_MAX);
  // What reports say of the rank is what another of its threads does.
  selectThread(rank, *threads.all.front().fiber);
  engine.exitCurrent();
}

bool sleepOn(Rank &rank, const void *object, double seconds, const char *function) {
  kernel::Engine &engine = world().engine;
  Sleeper sleeper{engine.current()};
  Alarm alarm{&sleeper};
  auto outerDescribe = rank.describeWait;
  auto outerWhat = rank.waitsFor;
  auto outerList = rank.listAwaited;
  rank.describeWait = [](const Rank &, const void *) {
    return std::string("another thread of the rank");
  };
  rank.waitsFor = seconds < 0 ? function : nullptr; // else it is going to wake by itself
  rank.listAwaited = nullptr;
  sleepers()[object].push_back(&sleeper);
  kernel::EventId event{};
  if (seconds >= 0)
    event = engine.after(seconds, {ring, &alarm, 0});
  while (!sleeper.woken)
    engine.park();
  if (seconds >= 0 && !alarm.rang)
    engine.cancel(event);
  if (auto queue = sleepers().find(object); queue != sleepers().end()) {
    std::erase(queue->second, &sleeper);
    if (queue->second.empty())
      sleepers().erase(queue);
  }
  rank.describeWait = outerDescribe;
  rank.waitsFor = outerWhat;
  rank.listAwaited = outerList;
  return !alarm.rang;
}

void wakeSleepers(const void *object, size_t most) {
  auto queue = sleepers().find(object);
  if (queue == sleepers().end())
    return;
  for (; most > 0 && !queue->second.empty(); --most) {
    wake(*queue->second.front());
    queue->second.pop_front();
  }
}

bool hasForeignThreads() {
  // What each OpenMP runtime has, clang's, gcc's and Intel's, whatever its name.
  return dlsym(RTLD_DEFAULT, "omp_get_max_threads") != nullptr;
}

void wakeThread(const void *object, const Thread &thread) {
  auto queue = sleepers().find(object);
  if (queue == sleepers().end())
    return;
  for (Sleeper *sleeper : queue->second)
    if (sleeper->fiber == thread.fiber)
      return wake(*sleeper);
}

std::map<unsigned, void (*)(void *)> &keyDestructors() {
  static auto *all = new std::map<unsigned, void (*)(void *)>;
  return *all;
}

uint32_t runningThread(const Rank &rank) {
  return rank.threads ? rank.threads->running->number : 0;
}

std::vector<ThreadView> otherThreads(const Rank &rank) {
  std::vector<ThreadView> views;
  if (!rank.threads)
    return views;
  for (const Thread *thread : rank.threads->living) {
    if (thread == rank.threads->running)
      continue;
    const Thread::Own &own = thread->own;
    views.push_back(
        {thread->number, own.call, own.describeWait ? own.describeWait(rank, own.waitsFor) : ""});
  }
  return views;
}

} // namespace gnomon::process
