// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lives of threads: pthread_create and what follows from it. A thread that the program's own code
/// starts, also through std::thread, is a fiber of its rank (process/ranks/Threads.h); one that another
/// library starts (OpenMP's runtime) is a thread of this process, as it is without Gnomon. The
/// handle of a fiber is the address of its Thread.
#include "process/image/Modules.h"
#include "process/libc/Thread.h"
#include "process/ranks/Crash.h"

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <link.h>
#include <sched.h>

namespace gnomon::process {

double clockSeconds(Rank &rank, int clock);

namespace {

struct Range {
  uintptr_t begin = 0, end = 0;
  bool contains(const void *address) const {
    auto value = reinterpret_cast<uintptr_t>(address);
    return value >= begin && value < end;
  }
};

/// Where the loaded file that has \p address lies.
Range rangeOf(const void *address) {
  struct Search {
    uintptr_t address;
    Range found;
  } search{reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto *wanted = static_cast<Search *>(data);
        Range range{UINTPTR_MAX, 0};
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (const auto &header = info->dlpi_phdr[i]; header.p_type == PT_LOAD) {
            uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            range.begin = std::min(range.begin, begin);
            range.end = std::max(range.end, begin + header.p_memsz);
          }
        if (wanted->address < range.begin || wanted->address >= range.end)
          return 0;
        wanted->found = range;
        return 1;
      },
      &search);
  return search.found;
}

bool inStandardLibrary(const void *address) {
  static const Range range = rangeOf(dlsym(RTLD_DEFAULT, "_ZNSt6thread4joinEv"));
  return range.contains(address);
}

/// Libraries that have started threads of the process's own.
std::vector<Range> &foreign() {
  static auto *all = new std::vector<Range>;
  return *all;
}

uint64_t threadLocals() {
  uint64_t count = 0;
  for (gnomon_module *module : modules())
    count += module->thread_local_count;
  return count;
}

/// A thread of the process's own sees the rank's globals only while the rank itself runs.
void startsForeign(Rank &rank, const char *function, const void *caller) {
  if (!isForeign(caller))
    foreign().push_back(rangeOf(caller));
  if (threadLocals() > 0)
    abortWorld(2, "gnomon: " + nameOf(rank) +
                      ": a library that was not built with the flag (OpenMP?) called " + function +
                      "(): its threads would share the program's thread_local variables, which are "
                      "one per rank and thread of the program; run with OMP_NUM_THREADS=1");
}

bool isDetached(const pthread_attr_t *attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes)
    pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

pthread_t handleOf(Thread &thread) { return reinterpret_cast<pthread_t>(&thread); }

/// The jump that pthread_cleanup_push prepared, glibc's __pthread_unwind_buf_t.
struct CleanupBuffer {
  __jmp_buf jump;
  int maskWasSaved;
};

} // namespace

bool isProgram(const void *caller) { return inFlaggedModule(caller) || inStandardLibrary(caller); }

bool isForeign(const void *caller) {
  return std::any_of(foreign().begin(), foreign().end(),
                     [&](const Range &range) { return range.contains(caller); });
}

double secondsUntil(Rank &rank, clockid_t clock, const timespec &time) {
  const double wanted = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  return std::max(0.0, wanted - clockSeconds(rank, clock));
}

Thread *threadOf(Rank &rank, pthread_t handle) {
  if (!rank.threads)
    return nullptr;
  for (Thread &thread : rank.threads->all)
    if (handleOf(thread) == handle)
      return &thread;
  return nullptr;
}

bool sleepCancellably(Rank &rank, const void *object, double seconds, const char *function) {
  Thread &self = *currentThread(rank);
  if (self.cancelled && self.cancellable)
    return true;
  self.sleepsOn = object;
  const bool woken = sleepOn(rank, object, seconds, function);
  self.sleepsOn = nullptr;
  return woken;
}

void letOthersRun(Rank &rank, const char *function, const void *caller) {
  simulateSleep(rank, settings().wtimeSeconds, function, caller);
}

void endThreadAfterCleanup(Rank &rank, void *result) {
  Thread &self = *currentThread(rank);
  self.result = result;
  self.cancellable = false;
  if (!self.cleanups.empty()) {
    auto *buffer = static_cast<CleanupBuffer *>(self.cleanups.back());
    self.cleanups.pop_back();
    // Its code runs the handler and then calls __pthread_unwind_next.
    longjmp(reinterpret_cast<__jmp_buf_tag *>(buffer), 1);
  }
  endThread(rank, result);
}

void endIfCancelled(Rank &rank) {
  Thread &self = *currentThread(rank);
  if (self.cancelled && self.cancellable)
    endThreadAfterCleanup(rank, PTHREAD_CANCELED);
}

int joinThread(Rank &rank, pthread_t handle, void **result, double seconds, const void *caller) {
  Thread *thread = threadOf(rank, handle);
  if (!thread || thread->joined)
    return ESRCH;
  if (thread->detached || thread->joining)
    return EINVAL;
  if (thread == currentThread(rank))
    return EDEADLK;
  {
    InCall call(rank, "pthread_join", caller);
    thread->joining = true;
    const bool ended = thread->finished ||
                       (seconds != 0 && sleepCancellably(rank, thread, seconds, "pthread_join") &&
                        thread->finished);
    thread->joining = false;
    if (ended) {
      thread->joined = true;
      if (result)
        *result = thread->result;
      return 0;
    }
  }
  endIfCancelled(rank);
  return seconds == 0 ? EBUSY : ETIMEDOUT;
}

} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                                    void *(*start)(void *), void *argument) noexcept {
  const void *caller = __builtin_return_address(0);
  Rank *rank = callingRank();
  if (rank && isProgram(caller)) {
    *handle = handleOf(startThread(*rank, start, argument, isDetached(attributes)));
    return 0;
  }
  if (rank)
    startsForeign(*rank, "pthread_create", caller);
  return GNOMON_REAL(pthread_create)(handle, attributes, start, argument);
}

GNOMON_INTERPOSE int pthread_join(pthread_t handle, void **result) {
  Rank *rank = callingRank();
  if (!rank || !threadOf(*rank, handle))
    return GNOMON_REAL(pthread_join)(handle, result);
  return joinThread(*rank, handle, result, ForEver, __builtin_return_address(0));
}

GNOMON_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void **result) noexcept {
  Rank *rank = callingRank();
  if (!rank || !threadOf(*rank, handle))
    return GNOMON_REAL(pthread_tryjoin_np)(handle, result);
  return joinThread(*rank, handle, result, 0, __builtin_return_address(0));
}

GNOMON_INTERPOSE int pthread_timedjoin_np(pthread_t handle, void **result, const timespec *time) {
  Rank *rank = callingRank();
  if (!rank || !threadOf(*rank, handle))
    return GNOMON_REAL(pthread_timedjoin_np)(handle, result, time);
  return joinThread(*rank, handle, result, secondsUntil(*rank, CLOCK_REALTIME, *time),
                    __builtin_return_address(0));
}

GNOMON_INTERPOSE int pthread_detach(pthread_t handle) noexcept {
  Rank *rank = callingRank();
  Thread *thread = rank ? threadOf(*rank, handle) : nullptr;
  if (!thread)
    return GNOMON_REAL(pthread_detach)(handle);
  if (thread->detached || thread->joining)
    return EINVAL;
  thread->detached = true;
  return 0;
}

GNOMON_INTERPOSE pthread_t pthread_self() noexcept {
  Rank *rank = callingRank();
  Thread *thread = rank ? currentThread(*rank) : nullptr;
  return thread && thread->number > 0 ? handleOf(*thread) : GNOMON_REAL(pthread_self)();
}

GNOMON_INTERPOSE void pthread_exit(void *result) {
  Rank *rank = callingRank();
  if (rank && !rank->threads)
    exitRank(0, true);
  if (rank)
    endThreadAfterCleanup(*rank, result);
  GNOMON_REAL(pthread_exit)(result);
  __builtin_unreachable();
}

GNOMON_INTERPOSE int pthread_cancel(pthread_t handle) {
  Rank *rank = callingRank();
  Thread *thread = rank ? threadOf(*rank, handle) : nullptr;
  // The rank's first thread has the handle of the thread that plays the simulation.
  if (rank && !thread && pthread_equal(handle, GNOMON_REAL(pthread_self)()) != 0)
    thread = rank->threads ? &rank->threads->all.front() : &ensureThreads(*rank);
  if (!thread)
    return GNOMON_REAL(pthread_cancel)(handle);
  thread->cancelled = true;
  if (thread->cancellable && thread->sleepsOn)
    wakeThread(thread->sleepsOn, *thread);
  return 0;
}

GNOMON_INTERPOSE void pthread_testcancel() {
  if (Rank *rank = threadedRank())
    endIfCancelled(*rank);
}

GNOMON_INTERPOSE int pthread_setcancelstate(int state, int *old) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_setcancelstate)(state, old);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  Thread &self = *currentThread(*rank);
  if (old)
    *old = self.cancellable ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
  self.cancellable = state == PTHREAD_CANCEL_ENABLE;
  return 0;
}

// What pthread_cleanup_push and pthread_cleanup_pop are made of.
extern "C" {
void __pthread_register_cancel(__pthread_unwind_buf_t *) noexcept;
void __pthread_unregister_cancel(__pthread_unwind_buf_t *) noexcept;
[[noreturn]] void __pthread_unwind_next(__pthread_unwind_buf_t *) noexcept;
}

GNOMON_INTERPOSE void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) noexcept {
  if (Rank *rank = threadedRank())
    currentThread(*rank)->cleanups.push_back(buffer);
  else
    GNOMON_REAL(__pthread_register_cancel)(buffer);
}

GNOMON_INTERPOSE void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(__pthread_unregister_cancel)(buffer);
  // Registered before the first thread was started, it is libc's.
  auto &cleanups = currentThread(*rank)->cleanups;
  if (!cleanups.empty() && cleanups.back() == buffer)
    cleanups.pop_back();
  else
    GNOMON_REAL(__pthread_unregister_cancel)(buffer);
}

GNOMON_INTERPOSE void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) noexcept {
  if (Rank *rank = threadedRank())
    endThreadAfterCleanup(*rank, currentThread(*rank)->result);
  GNOMON_REAL(__pthread_unwind_next)(buffer);
  __builtin_unreachable();
}

// What concerns a thread of libc's only: nothing to do for a fiber.
#define WITHOUT_EFFECT(NAME, PARAMETERS, ARGUMENTS)                                                \
  GNOMON_INTERPOSE int NAME PARAMETERS noexcept {                                                  \
    Rank *rank = callingRank();                                                                    \
    return rank && threadOf(*rank, handle) ? 0 : GNOMON_REAL(NAME) ARGUMENTS;                      \
  }
WITHOUT_EFFECT(pthread_setname_np, (pthread_t handle, const char *name), (handle, name))
WITHOUT_EFFECT(pthread_setaffinity_np, (pthread_t handle, size_t bytes, const cpu_set_t *set),
               (handle, bytes, set))
WITHOUT_EFFECT(pthread_setschedparam, (pthread_t handle, int policy, const sched_param *parameter),
               (handle, policy, parameter))
WITHOUT_EFFECT(pthread_setschedprio, (pthread_t handle, int priority), (handle, priority))

// What a fiber is asked, the process's thread answers.
#define OF_THE_PROCESS(NAME, PARAMETERS, ARGUMENTS)                                                \
  GNOMON_INTERPOSE int NAME PARAMETERS noexcept {                                                  \
    if (Rank *rank = callingRank(); rank && threadOf(*rank, handle))                               \
      handle = GNOMON_REAL(pthread_self)();                                                        \
    return GNOMON_REAL(NAME) ARGUMENTS;                                                            \
  }
OF_THE_PROCESS(pthread_getname_np, (pthread_t handle, char *name, size_t bytes),
               (handle, name, bytes))
OF_THE_PROCESS(pthread_getaffinity_np, (pthread_t handle, size_t bytes, cpu_set_t *set),
               (handle, bytes, set))
OF_THE_PROCESS(pthread_getschedparam, (pthread_t handle, int *policy, sched_param *parameter),
               (handle, policy, parameter))
OF_THE_PROCESS(pthread_getcpuclockid, (pthread_t handle, clockid_t *clock), (handle, clock))

GNOMON_INTERPOSE int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes) noexcept {
  Rank *rank = callingRank();
  Thread *thread = rank ? threadOf(*rank, handle) : nullptr;
  if (!thread || !thread->fiber)
    return GNOMON_REAL(pthread_getattr_np)(handle, attributes);
  const gnomon::kernel::StackRange &stack = thread->fiber->stack();
  if (int error = pthread_attr_init(attributes))
    return error;
  return pthread_attr_setstack(attributes, stack.low, static_cast<size_t>(stack.high - stack.low));
}

GNOMON_INTERPOSE int pthread_kill(pthread_t handle, int signal) noexcept {
  Rank *rank = callingRank();
  Thread *thread = rank ? threadOf(*rank, handle) : nullptr;
  if (!thread)
    return GNOMON_REAL(pthread_kill)(handle, signal);
  if (thread->finished)
    return ESRCH;
  if (signal != 0)
    deliverSignal(*rank, signal);
  return 0;
}
