// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// pthread_getspecific and its kin: a value per thread. The main threads' values stay libc's; those
/// of a rank's other threads lie in the Thread, and their destructors run at its end.
#include "process/libc/Thread.h"

#include <threads.h>

namespace gnomon::process {
namespace {

/// The calling thread, when it is another than its rank's main thread.
Thread *secondThread() {
  Rank *rank = threadedRank();
  Thread *thread = rank ? currentThread(*rank) : nullptr;
  return thread && thread->number > 0 ? thread : nullptr;
}

} // namespace

} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) noexcept {
  const int error = GNOMON_REAL(pthread_key_create)(key, destructor);
  if (!error && callingRank())
    keyDestructors()[*key] = destructor;
  return error;
}

GNOMON_INTERPOSE int tss_create(tss_t *key, tss_dtor_t destructor) {
  const int result = GNOMON_REAL(tss_create)(key, destructor);
  if (result == thrd_success && callingRank())
    keyDestructors()[*key] = destructor;
  return result;
}

static void forgetKey(pthread_key_t key) {
  Rank *rank = callingRank();
  if (!rank)
    return;
  keyDestructors().erase(key);
  for (size_t i = 0; rank->threads && i < rank->threads->all.size(); ++i)
    rank->threads->all[i].specifics.erase(key);
}

GNOMON_INTERPOSE int pthread_key_delete(pthread_key_t key) noexcept {
  forgetKey(key);
  return GNOMON_REAL(pthread_key_delete)(key);
}

GNOMON_INTERPOSE void tss_delete(tss_t key) {
  forgetKey(key);
  GNOMON_REAL(tss_delete)(key);
}

GNOMON_INTERPOSE void *pthread_getspecific(pthread_key_t key) noexcept {
  Thread *thread = secondThread();
  if (!thread || isForeign(__builtin_return_address(0)))
    return GNOMON_REAL(pthread_getspecific)(key);
  auto found = thread->specifics.find(key);
  return found == thread->specifics.end() ? nullptr : found->second;
}

GNOMON_INTERPOSE int pthread_setspecific(pthread_key_t key, const void *value) noexcept {
  Thread *thread = secondThread();
  if (!thread || isForeign(__builtin_return_address(0)))
    return GNOMON_REAL(pthread_setspecific)(key, value);
  thread->specifics[key] = const_cast<void *>(value);
  return 0;
}

GNOMON_INTERPOSE void *tss_get(tss_t key) {
  Thread *thread = secondThread();
  if (!thread)
    return GNOMON_REAL(tss_get)(key);
  auto found = thread->specifics.find(key);
  return found == thread->specifics.end() ? nullptr : found->second;
}

GNOMON_INTERPOSE int tss_set(tss_t key, void *value) {
  Thread *thread = secondThread();
  if (!thread)
    return GNOMON_REAL(tss_set)(key, value);
  thread->specifics[key] = value;
  return thrd_success;
}
