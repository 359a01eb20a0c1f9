// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/CpuModel.h"

#include "support/Check.h"

#include <algorithm>

namespace gnomon::models {

CpuModel::CpuModel(kernel::Engine &engine, const platform::Platform &platform)
    : engine_(engine), platform_(platform), running_(platform.hosts().size()) {}

double CpuModel::share(platform::HostIndex host, size_t bursts) const {
  const platform::Host &machine = platform_.hosts()[host];
  if (bursts <= machine.cores)
    return machine.speedFlops;
  return machine.speedFlops * machine.cores / static_cast<double>(bursts);
}

void CpuModel::compute(platform::HostIndex host, double flops, kernel::Action done) {
  CHECK(flops >= 0, "a number of operations that is not negative");
  uint32_t index;
  if (freeBursts_.empty()) {
    index = static_cast<uint32_t>(bursts_.size());
    bursts_.emplace_back();
  } else {
    index = freeBursts_.back();
    freeBursts_.pop_back();
  }
  std::vector<uint32_t> &others = running_[host];
  double rate = share(host, others.size() + 1);
  bursts_[index] = {
      done, flops, rate, engine_.now(), 0, host, static_cast<uint32_t>(others.size())};
  others.push_back(index);
  bursts_[index].event =
      engine_.after(flops / rate, kernel::Action::of<&CpuModel::onEnd>(this, index));
  if (others.size() > platform_.hosts()[host].cores)
    reshare(host);
}

/// Gives every burst of \p host its present share.
void CpuModel::reshare(platform::HostIndex host) {
  double rate = share(host, running_[host].size());
  for (uint32_t index : running_[host]) {
    Burst &burst = bursts_[index];
    if (burst.rate == rate)
      continue;
    burst.remainingFlops =
        std::max(0.0, burst.remainingFlops - burst.rate * (engine_.now() - burst.lastUpdate));
    burst.lastUpdate = engine_.now();
    burst.rate = rate;
    engine_.reschedule(burst.event, engine_.now() + burst.remainingFlops / rate);
  }
}

void CpuModel::onEnd(uint64_t argument) {
  auto index = static_cast<uint32_t>(argument);
  Burst &burst = bursts_[index];
  std::vector<uint32_t> &others = running_[burst.host];
  others[burst.place] = others.back();
  bursts_[others.back()].place = burst.place;
  others.pop_back();
  kernel::Action done = burst.done;
  freeBursts_.push_back(index);
  if (others.size() >= platform_.hosts()[burst.host].cores)
    reshare(burst.host);
  done();
}

} // namespace gnomon::models
