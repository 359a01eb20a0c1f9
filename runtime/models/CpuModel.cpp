// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/CpuModel.h"

#include "support/Check.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gnomon::models {

CpuModel::CpuModel(kernel::Engine &engine, const platform::Platform &platform, Slowness slowness)
    : engine_(engine), platform_(platform), slowness_(std::move(slowness)),
      running_(platform.hosts().size()),
      profiles_(engine, platform, ProfilePlayer::Of::Hosts, *this) {
  engine_.fetchAhead(kernel::Action::of<&CpuModel::onEnd>(this).function, fetchForEnd);
  if (profiles_.empty())
    return;
  speedFactors_.assign(platform.hosts().size(), 1);
  profiles_.start();
}

double CpuModel::share(platform::HostIndex host, size_t bursts, double memoryShare) const {
  const platform::Host &machine = platform_.hosts()[host];
  const double speed =
      speedFactors_.empty() ? machine.speedFlops : machine.speedFlops * speedFactors_[host];
  const size_t busy = std::min<size_t>(bursts, machine.cores);
  const double coreSpeed = slowness_.isOne() ? speed : speed / slowness_(busy, memoryShare);
  if (bursts <= machine.cores)
    return coreSpeed;
  return coreSpeed * machine.cores / static_cast<double>(bursts);
}

void CpuModel::compute(platform::HostIndex host, double flops, kernel::Action done,
                       double memoryShare) {
  CHECK(flops >= 0, "a number of operations that is not negative");
  uint32_t index;
  if (freeBursts_.empty()) {
    index = static_cast<uint32_t>(bursts_.size());
    bursts_.emplace_back();
  } else {
    index = freeBursts_.back();
    freeBursts_.pop_back();
  }
  Running &others = running_[host];
  if (memoryShare == NotKnown)
    memoryShare = slowness_.memoryShare;
  const double rate = share(host, others.count() + size_t{1}, memoryShare);
  bursts_[index] = {done, flops, rate, memoryShare, engine_.now(), 0, host, others.count(), false};
  others.add(index);
  if (rate > 0) [[likely]]
    bursts_[index].event =
        engine_.after(flops / rate, kernel::Action::of<&CpuModel::onEnd>(this, index));
  else
    schedule(index);
  if (disturb(host, others.count()))
    reshare(host);
}

/// The end of a burst from its rate. One that stands still waits for its host's profile.
void CpuModel::schedule(uint32_t index) {
  Burst &burst = bursts_[index];
  const bool stood = burst.stands;
  burst.stands = burst.rate == 0 && burst.remainingFlops > 0;
  if (burst.stands != stood)
    burst.stands ? engine_.hold() : engine_.release();
  if (burst.stands) {
    if (burst.event)
      engine_.cancel(burst.event);
    burst.event = 0;
    return;
  }
  const double seconds = burst.remainingFlops > 0 ? burst.remainingFlops / burst.rate : 0;
  if (burst.event)
    engine_.reschedule(burst.event, engine_.now() + seconds);
  else
    burst.event = engine_.after(seconds, kernel::Action::of<&CpuModel::onEnd>(this, index));
}

/// Gives every burst of \p host its present share.
void CpuModel::reshare(platform::HostIndex host) {
  const std::span<const uint32_t> all = running_[host].all();
  for (uint32_t index : all) {
    Burst &burst = bursts_[index];
    const double rate = share(host, all.size(), burst.memoryShare);
    if (burst.rate == rate)
      continue;
    burst.remainingFlops =
        std::max(0.0, burst.remainingFlops - burst.rate * (engine_.now() - burst.lastUpdate));
    burst.lastUpdate = engine_.now();
    burst.rate = rate;
    schedule(index);
  }
}

void CpuModel::onEnd(uint64_t argument) {
  auto index = static_cast<uint32_t>(argument);
  Burst &burst = bursts_[index];
  Running &others = running_[burst.host];
  if (others.count() > 1)
    bursts_[others.all().back()].place = burst.place;
  others.remove(burst.place);
  kernel::Action done = burst.done;
  freeBursts_.push_back(index);
  if (disturb(burst.host, others.count() + size_t{1}))
    reshare(burst.host);
  done();
}

/// What the end of a burst will touch: itself, its host's bursts, and what it ends.
kernel::Fiber *CpuModel::fetchForEnd(const kernel::Action &event, uint32_t step) {
  constexpr size_t BurstLines = 2;
  const auto &self = *static_cast<const CpuModel *>(event.object);
  const Burst &burst = self.bursts_[static_cast<uint32_t>(event.argument)];
  if (step >= 3) {
    fetchToWrite(&burst, BurstLines);
    return nullptr;
  }
  if (step == 2)
    fetchToWrite(&self.running_[burst.host]);
  self.engine_.fetchFor(burst.done, step);
  return nullptr;
}

void CpuModel::Running::addToOthers(uint32_t burst) {
  if (!several_)
    several_ = std::make_unique<std::vector<uint32_t>>(1, only_);
  several_->push_back(burst);
}

void CpuModel::Running::removeFromOthers(uint32_t place) {
  (*several_)[place] = several_->back();
  several_->pop_back();
  if (count_ > 1)
    return;
  only_ = several_->front();
  several_ = nullptr;
}

void CpuModel::profileChanged(const platform::ProfileUse &use,
                              const platform::Profile::Step &step) {
  const platform::HostIndex host = use.target;
  if (use.kind == platform::ProfileKind::Speed) {
    speedFactors_[host] = step.value;
    reshare(host);
  } else if (step.value == 0) {
    failures_.push_back({Failure::What::Host, platform_.hosts()[host].name,
                         fmt::format("{}:{}", platform_.profiles()[use.profile].file, step.line),
                         engine_.now(), host, host, 0});
    // Not here: at date 0 nobody has asked to be told yet.
    engine_.at(engine_.now(),
               kernel::Action::of<&CpuModel::onSwitchedOff>(this, failures_.size() - 1));
  }
}

void CpuModel::onSwitchedOff(uint64_t failure) {
  if (failed_)
    failed_(failures_[failure]);
}

} // namespace gnomon::models
