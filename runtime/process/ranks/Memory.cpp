// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of this process and of the machine, as the kernel tells it in text.
#include "process/ranks/Memory.h"

#include "process/image/Real.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <sys/resource.h>

namespace gnomon::process {
namespace {

/// The number behind \p key in a file of lines "key: 123 kB", in bytes; 0: it is not there.
uint64_t kilobytesIn(const char *path, const char *key) {
  uint64_t found = 0;
  FILE *file = GNOMON_REAL(fopen)(path, "re");
  char line[256];
  const size_t length = std::strlen(key);
  while (file && found == 0 && fgets(line, sizeof line, file))
    if (std::strncmp(line, key, length) == 0 && line[length] == ':')
      std::sscanf(line + length + 1, "%lu", &found);
  if (file)
    GNOMON_REAL(fclose)(file);
  return found * 1024;
}

/// The number that a file is; the largest when it is none ("max").
uint64_t numberIn(const char *path) {
  uint64_t number = UINT64_MAX;
  if (FILE *file = GNOMON_REAL(fopen)(path, "re")) {
    if (fscanf(file, "%lu", &number) != 1)
      number = UINT64_MAX;
    GNOMON_REAL(fclose)(file);
  }
  return number;
}

/// What a control group with these files still allows.
uint64_t leftInGroup(const char *limit, const char *used) {
  const uint64_t most = numberIn(limit), now = numberIn(used);
  if (most == UINT64_MAX || now == UINT64_MAX)
    return UINT64_MAX;
  return most - std::min(most, now);
}

/// What malloc and its like could not give: how often, and the first bytes.
std::atomic<uint64_t> refusals{0}, firstRefused{0};

} // namespace

void noteRefused(size_t bytes) {
  if (refusals.fetch_add(1, std::memory_order_relaxed) == 0)
    firstRefused.store(bytes, std::memory_order_relaxed);
}

std::string refusedText() {
  const uint64_t times = refusals.load(std::memory_order_relaxed);
  if (times == 0)
    return {};
  std::string text =
      fmt::format("; before, memory was asked for in vain {} (the first time {} bytes)",
                  times == 1 ? "once" : fmt::format("{} times", times), firstRefused.load());
  if (const uint64_t limit = addressLimit(); limit != UINT64_MAX)
    text += fmt::format(
        ", for the process may have {:.3g} GB of addresses (ulimit -v): lift that limit, or use "
        "fewer ranks or a smaller --stack-size",
        1e-9 * static_cast<double>(limit));
  return text;
}

uint64_t peakResidentBytes(uint64_t sharedBytes) {
  constexpr const char *Own = "/proc/self/status";
  const Simulation *running = simulation();
  if (const uint64_t most = kilobytesIn(Own, "VmHWM")) {
    sharedBytes += running ? running->images.commonBytes() : 0;
    const uint64_t shown = std::max(kilobytesIn(Own, "RssShmem"), sharedBytes);
    return most - std::min(most, shown - sharedBytes) + kilobytesIn(Own, "VmPTE");
  }
  rusage usage{};
  GNOMON_REAL(getrusage)(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

FreeMemory freeMemory() {
  FreeMemory least{kilobytesIn("/proc/meminfo", "MemAvailable"), "this machine has"};
  if (least.bytes == 0)
    least.bytes = UINT64_MAX;
  // The root of what a container sees, in the second and in the first version of control groups.
  const uint64_t group =
      std::min(leftInGroup("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
               leftInGroup("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                           "/sys/fs/cgroup/memory/memory.usage_in_bytes"));
  if (group < least.bytes)
    least = {group, "its control group leaves"};
  return least;
}

uint64_t addressLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return limit.rlim_cur;
}

uint64_t freeAddresses() {
  const uint64_t limit = addressLimit();
  return limit == UINT64_MAX ? UINT64_MAX
                             : limit - std::min(limit, kilobytesIn("/proc/self/status", "VmSize"));
}

} // namespace gnomon::process
