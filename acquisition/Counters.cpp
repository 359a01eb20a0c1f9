// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Counters.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace gnomon::acquisition {
namespace {

/// Fixed room: constructors of the program run before anything of ours may have been set up.
constexpr unsigned Most = 256;
constinit std::mutex mutex;
constinit const volatile uint64_t *counters[Most] = {};
constinit std::atomic<unsigned> known = 0;
constinit uint64_t unloaded = 0;

void add(const volatile uint64_t *counter) {
  const std::lock_guard lock(mutex);
  if (known < Most) // what more libraries count is lost
    counters[known++] = counter;
}

void remove(const volatile uint64_t *counter) {
  const std::lock_guard lock(mutex);
  const volatile uint64_t **end = counters + known;
  const volatile uint64_t **place = std::find(counters, end, counter);
  if (place == end)
    return;
  unloaded += *counter;
  *place = end[-1];
  --known;
}

} // namespace

bool haveCounters() { return known > 0; }

double readCounters() {
  const std::lock_guard lock(mutex);
  uint64_t sum = unloaded;
  for (unsigned i = 0; i < known; ++i)
    sum += *counters[i];
  return static_cast<double>(sum);
}

} // namespace gnomon::acquisition

extern "C" {
[[gnu::visibility("default")]] void gnomon_trace_add_counter(const volatile uint64_t *counter) {
  gnomon::acquisition::add(counter);
}
[[gnu::visibility("default")]] void gnomon_trace_remove_counter(const volatile uint64_t *counter) {
  gnomon::acquisition::remove(counter);
}
}
