// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waiting for each other, between the threads of a rank: condition variables, barriers,
/// semaphores, once-only initialisation, and the futexes that C++'s futures, atomics and local
/// statics wait on. Condition variables are what C11's and C++'s are made of too.
#include "process/libc/Thread.h"

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <dlfcn.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace gnomon::process {
namespace {

/// Where std::call_once leaves what the function that it gives to pthread_once shall call: two
/// thread-local variables of libstdc++, which are this process's thread's. Another fiber may call
/// std::call_once before that function reads them.
class CallOnce {
public:
  CallOnce() {
    forEach([](void *&kept, void *variable) { kept = variable; });
  }
  void putBack() {
    forEach([](void *kept, void *&variable) { variable = kept; });
  }

private:
  template <class Visit> void forEach(Visit visit) {
    static auto *const callable =
        static_cast<void **>(dlsym(RTLD_DEFAULT, "_ZSt15__once_callable"));
    static auto *const call = static_cast<void **>(dlsym(RTLD_DEFAULT, "_ZSt11__once_call"));
    if (!callable || !call)
      return; // not a C++ program
    visit(callable_, *callable);
    visit(call_, *call);
  }
  void *callable_ = nullptr, *call_ = nullptr;
};

struct Barrier {
  unsigned count, arrived = 0;
};

/// Barriers of all ranks; libc's object does not say how many it waits for.
std::unordered_map<const pthread_barrier_t *, Barrier> &barriers() {
  static auto *all = new std::unordered_map<const pthread_barrier_t *, Barrier>;
  return *all;
}

/// What pthread_once is executing now.
std::unordered_set<const pthread_once_t *> &beginning() {
  static auto *all = new std::unordered_set<const pthread_once_t *>;
  return *all;
}

/// glibc's mark of a pthread_once_t whose function has run.
constexpr int OnceDone = 2;
/// glibc keeps a condition variable's clock in this bit.
constexpr unsigned MonotonicBit = 2;

clockid_t clockOf(const pthread_cond_t &condition) {
  return condition.__data.__wrefs & MonotonicBit ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int waitAtBarrier(Rank &rank, const pthread_barrier_t *handle, Barrier &barrier) {
  if (++barrier.arrived == barrier.count) {
    barrier.arrived = 0;
    wakeSleepers(handle, SIZE_MAX);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  sleepOn(rank, handle, ForEver, "pthread_barrier_wait");
  return 0;
}

int waitForSemaphore(Rank &rank, sem_t *semaphore, double seconds, const char *function,
                     const void *caller) {
  {
    InCall call(rank, function, caller);
    const double end = world().engine.now().seconds + seconds;
    while (GNOMON_REAL(sem_trywait)(semaphore) != 0) {
      if (errno != EAGAIN)
        return -1;
      if (currentThread(rank)->cancelled)
        break;
      const double left = seconds >= 0 ? end - world().engine.now().seconds : ForEver;
      if (seconds >= 0 && (left <= 0 || !sleepCancellably(rank, semaphore, left, function))) {
        errno = ETIMEDOUT;
        return -1;
      }
      if (seconds < 0)
        sleepCancellably(rank, semaphore, ForEver, function);
    }
  }
  endIfCancelled(rank);
  return 0;
}

/// Whether the futex operation is one of a wait that another thread of the rank may end.
bool isWait(int operation) {
  const int command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

long futex(Rank &rank, const int *word, int operation, int value, const timespec *time,
           const void *caller) {
  if (!isWait(operation)) {
    InCall call(rank, "futex", caller);
    wakeSleepers(word, static_cast<size_t>(value));
    return 0;
  }
  InCall call(rank, "futex", caller);
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
    errno = EAGAIN;
    return -1;
  }
  double seconds = ForEver;
  if (time && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
    seconds = secondsUntil(
        rank, operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time);
  else if (time)
    seconds = static_cast<double>(time->tv_sec) + 1e-9 * static_cast<double>(time->tv_nsec);
  if (sleepOn(rank, word, seconds, "futex"))
    return 0;
  errno = ETIMEDOUT;
  return -1;
}

} // namespace

int runOnce(Rank &rank, pthread_once_t *once, void (*function)(), const void *caller) {
  CallOnce wanted;
  {
    InCall call(rank, "pthread_once", caller);
    while (beginning().contains(once))
      sleepOn(rank, once, ForEver, "pthread_once");
    if (*once == OnceDone)
      return 0;
    beginning().insert(once);
  }
  wanted.putBack();
  try {
    function();
  } catch (...) {
    beginning().erase(once);
    wakeSleepers(once, SIZE_MAX);
    throw;
  }
  *once = OnceDone;
  beginning().erase(once);
  wakeSleepers(once, SIZE_MAX);
  return 0;
}

int waitCondition(Rank &rank, pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds,
                  const char *function, const void *caller) {
  int error;
  {
    InCall call(rank, function, caller);
    if ((error = unlockMutex(rank, mutex)))
      return error;
    const bool woken = sleepCancellably(rank, condition, seconds, function);
    error = lockMutex(rank, mutex, ForEver, function);
    if (!woken && !error)
      error = ETIMEDOUT;
  }
  endIfCancelled(rank);
  return error;
}

} // namespace gnomon::process

using namespace gnomon::process;

/// The rank whose threads wait for each other in the caller's code.
static Rank *waitingRank(const void *caller) {
  Rank *rank = threadedRank();
  return rank && !isForeign(caller) ? rank : nullptr;
}

GNOMON_INTERPOSE int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitCondition(*rank, condition, mutex, ForEver, "pthread_cond_wait", caller)
              : GNOMON_REAL(pthread_cond_wait)(condition, mutex);
}

GNOMON_INTERPOSE int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                            const timespec *time) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitCondition(*rank, condition, mutex,
                              secondsUntil(*rank, clockOf(*condition), *time),
                              "pthread_cond_timedwait", caller)
              : GNOMON_REAL(pthread_cond_timedwait)(condition, mutex, time);
}

GNOMON_INTERPOSE int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                            clockid_t clock, const timespec *time) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitCondition(*rank, condition, mutex, secondsUntil(*rank, clock, *time),
                              "pthread_cond_clockwait", caller)
              : GNOMON_REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
}

GNOMON_INTERPOSE int pthread_cond_signal(pthread_cond_t *condition) noexcept {
  if (Rank *rank = threadedRank()) {
    InCall call(*rank, "pthread_cond_signal", __builtin_return_address(0));
    wakeSleepers(condition, 1);
  }
  return GNOMON_REAL(pthread_cond_signal)(condition);
}

GNOMON_INTERPOSE int pthread_cond_broadcast(pthread_cond_t *condition) noexcept {
  if (Rank *rank = threadedRank()) {
    InCall call(*rank, "pthread_cond_broadcast", __builtin_return_address(0));
    wakeSleepers(condition, SIZE_MAX);
  }
  return GNOMON_REAL(pthread_cond_broadcast)(condition);
}

GNOMON_INTERPOSE int pthread_barrier_init(pthread_barrier_t *barrier,
                                          const pthread_barrierattr_t *attributes,
                                          unsigned count) noexcept {
  const int error = GNOMON_REAL(pthread_barrier_init)(barrier, attributes, count);
  if (!error && callingRank())
    barriers()[barrier] = {count};
  return error;
}

GNOMON_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t *barrier) noexcept {
  if (callingRank())
    barriers().erase(barrier);
  return GNOMON_REAL(pthread_barrier_destroy)(barrier);
}

GNOMON_INTERPOSE int pthread_barrier_wait(pthread_barrier_t *barrier) noexcept {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  auto known = rank ? barriers().find(barrier) : barriers().end();
  if (!rank || known == barriers().end())
    return GNOMON_REAL(pthread_barrier_wait)(barrier);
  InCall call(*rank, "pthread_barrier_wait", caller);
  return waitAtBarrier(*rank, barrier, known->second);
}

GNOMON_INTERPOSE int sem_wait(sem_t *semaphore) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitForSemaphore(*rank, semaphore, ForEver, "sem_wait", caller)
              : GNOMON_REAL(sem_wait)(semaphore);
}

GNOMON_INTERPOSE int sem_timedwait(sem_t *semaphore, const timespec *time) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitForSemaphore(*rank, semaphore, secondsUntil(*rank, CLOCK_REALTIME, *time),
                                 "sem_timedwait", caller)
              : GNOMON_REAL(sem_timedwait)(semaphore, time);
}

GNOMON_INTERPOSE int sem_clockwait(sem_t *semaphore, clockid_t clock, const timespec *time) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? waitForSemaphore(*rank, semaphore, secondsUntil(*rank, clock, *time),
                                 "sem_clockwait", caller)
              : GNOMON_REAL(sem_clockwait)(semaphore, clock, time);
}

GNOMON_INTERPOSE int sem_post(sem_t *semaphore) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(sem_post)(semaphore);
  InCall call(*rank, "sem_post", __builtin_return_address(0));
  const int error = GNOMON_REAL(sem_post)(semaphore);
  wakeSleepers(semaphore, 1);
  return error;
}

GNOMON_INTERPOSE int pthread_once(pthread_once_t *once, void (*function)()) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = waitingRank(caller);
  return rank ? runOnce(*rank, once, function, caller) : GNOMON_REAL(pthread_once)(once, function);
}

namespace {

long systemCall(long number, const long (&words)[6]) {
  register long fourth asm("r10") = words[3];
  register long fifth asm("r8") = words[4];
  register long sixth asm("r9") = words[5];
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth), "r"(fifth),
                 "r"(sixth)
               : "rcx", "r11", "memory");
  if (result < 0 && result >= -4095) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}

} // namespace

// C++'s std::future, std::atomic::wait and the guards of local statics wait by this function.
GNOMON_INTERPOSE long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long words[6];
  for (long &word : words)
    word = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex) [[unlikely]] {
    const void *caller = __builtin_return_address(0);
    const int command = static_cast<int>(words[1]) & FUTEX_CMD_MASK;
    Rank *rank =
        isWait(static_cast<int>(words[1])) || command == FUTEX_WAKE ? waitingRank(caller) : nullptr;
    if (rank)
      return futex(*rank, reinterpret_cast<const int *>(words[0]), static_cast<int>(words[1]),
                   static_cast<int>(words[2]), reinterpret_cast<const timespec *>(words[3]),
                   caller);
  }
  return systemCall(number, words);
}
