// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// CPU bursts: the n bursts that run on a host of c cores of speed v at the same time get each
///     min(v, c v / n) flop/s
/// divided by the slowness of min(n, c) busy cores (Slowness.h; 1 unless `cpu/slowness` is given)
/// (v is the nominal speed times what the host's profile says; max-min sharing with the bound of
/// one core; SimGrid's default CPU model). While n <= c a burst costs one event; beyond that, each
/// start and end on the host reschedules its bursts.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/ProfilePlayer.h"
#include "models/Slowness.h"

#include <memory>
#include <span>
#include <vector>

namespace gnomon::models {

class CpuModel : public ComputeModel, private ProfileListener {
public:
  CpuModel(kernel::Engine &engine, const platform::Platform &platform, Slowness slowness = {});

  void compute(platform::HostIndex host, double flops, kernel::Action done,
               double memoryShare = NotKnown) override;
  /// Who is told when a host is switched off.
  void onFailure(FailureHandler handler) { failed_ = handler; }

private:
  struct Burst {
    kernel::Action done;
    double remainingFlops;
    double rate;
    double memoryShare;
    SimTime lastUpdate;
    kernel::EventId event;
    platform::HostIndex host;
    uint32_t place; ///< among the host's bursts
    bool stands;    ///< its host's speed is zero
  };

  /// The bursts of a host. Mostly there is one at most, which needs no memory apart.
  class Running {
  public:
    std::span<const uint32_t> all() const {
      return several_ ? std::span<const uint32_t>(*several_) : std::span(&only_, count_);
    }
    uint32_t count() const { return count_; }
    void add(uint32_t burst) {
      if (count_++ == 0)
        only_ = burst;
      else
        addToOthers(burst);
    }
    /// The last one takes the place of the one that goes.
    void remove(uint32_t place) {
      if (--count_ > 0)
        removeFromOthers(place);
    }

  private:
    void addToOthers(uint32_t burst);
    void removeFromOthers(uint32_t place);
    uint32_t count_ = 0, only_ = 0;
    std::unique_ptr<std::vector<uint32_t>> several_; ///< null while there are fewer than two
  };

  double share(platform::HostIndex host, size_t bursts, double memoryShare) const;
  /// Whether one of \p bursts on \p host more or less changes the share of the others.
  bool disturb(platform::HostIndex host, size_t bursts) const {
    return bursts > platform_.hosts()[host].cores || !slowness_.isOne();
  }
  void reshare(platform::HostIndex host);
  void onEnd(uint64_t burst);
  static kernel::Fiber *fetchForEnd(const kernel::Action &event, uint32_t step);
  void schedule(uint32_t index);
  void profileChanged(const platform::ProfileUse &use,
                      const platform::Profile::Step &step) override;
  void onSwitchedOff(uint64_t failure);

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  Slowness slowness_;
  std::vector<Burst> bursts_;
  std::vector<uint32_t> freeBursts_;
  std::vector<Running> running_;     ///< by host
  std::vector<double> speedFactors_; ///< by host; empty when there are no profiles
  std::vector<Failure> failures_;
  FailureHandler failed_ = nullptr;
  ProfilePlayer profiles_;
};

} // namespace gnomon::models
