// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Volumes.h"

#include "Counters.h"
#include "ThreadClock.h"

#include <cstdint>
#include <limits>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::acquisition {
namespace {

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

/// The thread's own: a descriptor of its instructions, and what its source read when it left MPI.
[[gnu::tls_model("initial-exec")]] thread_local int processor = -1;
[[gnu::tls_model("initial-exec")]] thread_local double threadLeft = 0;
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadClock threadClock;

/// -1 where the system does not allow it, or the processor (a virtual one) has no such counter.
int openProcessor() {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

double readProcessor() {
  if (processor < 0)
    processor = openProcessor();
  uint64_t value = 0;
  if (processor < 0 || ::read(processor, &value, sizeof value) != ssize_t{sizeof value})
    return 0;
  return static_cast<double>(value);
}

} // namespace

void Meter::choose() {
  if (haveCounters()) {
    source_ = Source::Counters;
    return;
  }
  processor = openProcessor();
  source_ = processor >= 0 ? Source::Processor : Source::ThreadClock;
}

double Meter::read() const {
  switch (source_) {
  case Source::Counters:
    return readCounters();
  case Source::Processor:
    return readProcessor();
  case Source::ThreadClock:
    return threadClock.read();
  }
  return 0;
}

Volume Meter::entered() {
  const double since = read() - (source_ == Source::Counters ? counted_ : threadLeft);
  return source_ == Source::ThreadClock ? Volume{Unknown, since} : Volume{since, Unknown};
}

void Meter::left() { (source_ == Source::Counters ? counted_ : threadLeft) = read(); }

const char *Meter::source() const {
  switch (source_) {
  case Source::Counters:
    return "counters of the program";
  case Source::Processor:
    return "instructions by perf_event_open";
  case Source::ThreadClock:
    return "CPU time of the thread";
  }
  return "";
}

} // namespace gnomon::acquisition
