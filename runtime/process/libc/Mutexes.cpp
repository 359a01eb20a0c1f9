// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Mutexes and read-write locks between the threads of a rank. They stay libc's objects: a thread
/// tries to lock, and sleeps until the next unlock when it cannot, so that they also work between a
/// rank and threads of the process's own (OpenMP's). Since all fibers are one thread to libc, who
/// owns a recursive or an error-checking mutex is noted beside.
#include "process/libc/Thread.h"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>
#include <unordered_map>

namespace gnomon::process {
namespace {

/// Owners of mutexes that ask for it, by mutex; those locked before the first thread was started
/// belong to the main thread.
std::unordered_map<const pthread_mutex_t *, const Thread *> &owners() {
  static auto *all = new std::unordered_map<const pthread_mutex_t *, const Thread *>;
  return *all;
}

int simulationThreadId() {
  static const auto id = static_cast<int>(GNOMON_REAL(syscall)(SYS_gettid));
  return id;
}

/// glibc keeps the type in the two low bits, whatever else the attributes ask for.
int typeOf(const pthread_mutex_t &mutex) { return mutex.__data.__kind & 3; }
bool notesOwner(const pthread_mutex_t &mutex) {
  return typeOf(mutex) == PTHREAD_MUTEX_RECURSIVE || typeOf(mutex) == PTHREAD_MUTEX_ERRORCHECK;
}
bool heldByFiber(const pthread_mutex_t &mutex) {
  return mutex.__data.__owner == simulationThreadId();
}

const Thread *ownerOf(Rank &rank, const pthread_mutex_t *mutex) {
  auto found = owners().find(mutex);
  return found != owners().end() ? found->second : &rank.threads->all.front();
}

/// Whether a fiber holds it that is not the calling thread.
bool heldByOther(Rank &rank, const pthread_mutex_t *mutex) {
  return heldByFiber(*mutex) && notesOwner(*mutex) && ownerOf(rank, mutex) != currentThread(rank);
}

} // namespace

int tryMutex(Rank &rank, pthread_mutex_t *mutex) {
  if (heldByOther(rank, mutex))
    return EBUSY;
  const int error = GNOMON_REAL(pthread_mutex_trylock)(mutex);
  if (!error && notesOwner(*mutex))
    owners()[mutex] = currentThread(rank);
  return error;
}

int lockMutex(Rank &rank, pthread_mutex_t *mutex, double seconds, const char *function) {
  const double end = seconds >= 0 ? world().engine.now().seconds + seconds : 0;
  for (;;) {
    const int error = tryMutex(rank, mutex);
    if (error != EBUSY)
      return error;
    if (!heldByFiber(*mutex))
      return GNOMON_REAL(pthread_mutex_lock)(mutex); // a thread of the process holds it
    if (typeOf(*mutex) == PTHREAD_MUTEX_ERRORCHECK && !heldByOther(rank, mutex))
      return EDEADLK;
    const double left = seconds >= 0 ? end - world().engine.now().seconds : ForEver;
    if (seconds >= 0 && (left <= 0 || !sleepOn(rank, mutex, left, function)))
      return ETIMEDOUT;
    if (seconds < 0)
      sleepOn(rank, mutex, ForEver, function);
  }
}

int unlockMutex(Rank &rank, pthread_mutex_t *mutex) {
  if (heldByOther(rank, mutex))
    return EPERM;
  const int error = GNOMON_REAL(pthread_mutex_unlock)(mutex);
  if (!error && !heldByFiber(*mutex)) {
    if (notesOwner(*mutex))
      owners().erase(mutex);
    wakeSleepers(mutex, 1);
  }
  return error;
}

namespace {

/// Locks by \p attempt, which says EBUSY while somebody else has the lock.
template <class Attempt>
int lockShared(Rank &rank, const void *lock, double seconds, const char *function,
               Attempt attempt) {
  const double end = world().engine.now().seconds + seconds;
  for (;;) {
    const int error = attempt();
    if (error != EBUSY)
      return error;
    const double left = seconds >= 0 ? end - world().engine.now().seconds : ForEver;
    if (seconds >= 0 && (left <= 0 || !sleepOn(rank, lock, left, function)))
      return ETIMEDOUT;
    if (seconds < 0)
      sleepOn(rank, lock, ForEver, function);
  }
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_mutex_lock)(mutex);
  InCall call(*rank, "pthread_mutex_lock", __builtin_return_address(0));
  return lockMutex(*rank, mutex, ForEver, "pthread_mutex_lock");
}

GNOMON_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t *mutex) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_mutex_trylock)(mutex);
  InCall call(*rank, "pthread_mutex_trylock", __builtin_return_address(0));
  return tryMutex(*rank, mutex);
}

GNOMON_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t *mutex,
                                             const timespec *time) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_mutex_timedlock)(mutex, time);
  InCall call(*rank, "pthread_mutex_timedlock", __builtin_return_address(0));
  return lockMutex(*rank, mutex, secondsUntil(*rank, CLOCK_REALTIME, *time),
                   "pthread_mutex_timedlock");
}

GNOMON_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                             const timespec *time) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_mutex_clocklock)(mutex, clock, time);
  InCall call(*rank, "pthread_mutex_clocklock", __builtin_return_address(0));
  return lockMutex(*rank, mutex, secondsUntil(*rank, clock, *time), "pthread_mutex_clocklock");
}

GNOMON_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t *mutex) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_mutex_unlock)(mutex);
  InCall call(*rank, "pthread_mutex_unlock", __builtin_return_address(0));
  return unlockMutex(*rank, mutex);
}

#define READ_WRITE_LOCK(NAME, TRY)                                                                 \
  GNOMON_INTERPOSE int NAME(pthread_rwlock_t *lock) noexcept {                                     \
    Rank *rank = threadedRank();                                                                   \
    if (!rank)                                                                                     \
      return GNOMON_REAL(NAME)(lock);                                                              \
    InCall call(*rank, #NAME, __builtin_return_address(0));                                        \
    return lockShared(*rank, lock, ForEver, #NAME, [&] { return GNOMON_REAL(TRY)(lock); });        \
  }

#define TIMED_READ_WRITE_LOCK(NAME, TRY)                                                           \
  GNOMON_INTERPOSE int NAME(pthread_rwlock_t *lock, const timespec *time) noexcept {               \
    Rank *rank = threadedRank();                                                                   \
    if (!rank)                                                                                     \
      return GNOMON_REAL(NAME)(lock, time);                                                        \
    InCall call(*rank, #NAME, __builtin_return_address(0));                                        \
    return lockShared(*rank, lock, secondsUntil(*rank, CLOCK_REALTIME, *time), #NAME,              \
                      [&] { return GNOMON_REAL(TRY)(lock); });                                     \
  }

READ_WRITE_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock)
READ_WRITE_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)
TIMED_READ_WRITE_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock)
TIMED_READ_WRITE_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock)

GNOMON_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t *lock) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_rwlock_unlock)(lock);
  InCall call(*rank, "pthread_rwlock_unlock", __builtin_return_address(0));
  const int error = GNOMON_REAL(pthread_rwlock_unlock)(lock);
  wakeSleepers(lock, SIZE_MAX);
  return error;
}

GNOMON_INTERPOSE int pthread_spin_lock(pthread_spinlock_t *lock) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_spin_lock)(lock);
  InCall call(*rank, "pthread_spin_lock", __builtin_return_address(0));
  return lockShared(*rank, const_cast<const int *>(lock), ForEver, "pthread_spin_lock",
                    [&] { return GNOMON_REAL(pthread_spin_trylock)(lock); });
}

GNOMON_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t *lock) noexcept {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(pthread_spin_unlock)(lock);
  InCall call(*rank, "pthread_spin_unlock", __builtin_return_address(0));
  const int error = GNOMON_REAL(pthread_spin_unlock)(lock);
  wakeSleepers(const_cast<const int *>(lock), 1);
  return error;
}
