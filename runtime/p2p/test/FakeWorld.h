// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A world of N ranks for unit tests: real engine and fibers, a network without contention (latency
/// + bytes / bandwidth), protocol costs that a test sets, no platform file, no globals, no bursts.
#pragma once

#include "models/NetworkModel.h"
#include "platform/Platform.h"
#include "process/ranks/Rank.h"
#include "process/ranks/World.h"

#include <functional>
#include <memory>
#include <vector>

namespace gnomon::test {

class FakeNetwork : public models::NetworkModel {
public:
  explicit FakeNetwork(kernel::Engine &engine) : engine_(engine) {}
  double latencySeconds = 1e-6, bytesPerSecond = 1e9;
  uint64_t transfers = 0;
  double lastPosted = -1; ///< of the last rendezvous

  void transfer(platform::HostIndex, platform::HostIndex, uint64_t bytes,
                kernel::Action done) override {
    ++transfers;
    engine_.after(seconds(bytes), done);
  }
  void rendezvous(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                  const Negotiation &negotiation, kernel::Action done) override {
    lastPosted = negotiation.posted.seconds;
    transfer(source, destination, bytes, done);
  }
  double seconds(uint64_t bytes) const {
    return latencySeconds + static_cast<double>(bytes) / bytesPerSecond;
  }

private:
  kernel::Engine &engine_;
};

class FakeProtocol : public models::ProtocolCosts {
public:
  double os = 0, ois = 0, orCost = 0; ///< seconds, whatever the size
  double orPerByte = 0;               ///< added to orCost
  uint64_t async = 0, detached = 65536;
  double wtime = 0, test = 1e-4, iprobe = 1e-4, init = 0;

  double sendSeconds(uint64_t) const override { return os; }
  double nonblockingSendSeconds(uint64_t) const override { return ois; }
  double receiveSeconds(uint64_t bytes) const override {
    return orCost + orPerByte * static_cast<double>(bytes);
  }
  uint64_t asyncSmallBytes() const override { return async; }
  uint64_t detachedBytes() const override { return detached; }
  double wtimeSeconds() const override { return wtime; }
  double testSeconds() const override { return test; }
  double iprobeSeconds() const override { return iprobe; }
  double initSeconds() const override { return init; }
};

class FakeCompute : public models::ComputeModel {
public:
  explicit FakeCompute(kernel::Engine &engine) : engine_(engine) {}
  void compute(platform::HostIndex, double flops, kernel::Action done, double) override {
    engine_.after(flops * 1e-9, done);
  }

private:
  kernel::Engine &engine_;
};

/// Set costs first, then run() once.
class FakeWorld {
public:
  explicit FakeWorld(uint32_t ranks)
      : engine({size_t{256} << 10, false}), network(engine), compute(engine),
        platform(hosts(ranks), {}, nullptr),
        world{engine, platform, network, protocol, compute, {}} {
    for (uint32_t number = 0; number < ranks; ++number) {
      world.ranks.push_back(process::Rank::make(engine));
      world.ranks.back()->number = number;
      world.ranks.back()->host = number;
    }
    process::setWorldForTest(&world);
  }
  ~FakeWorld() { process::setWorldForTest(nullptr); }

  /// Runs \p program on every rank to the end. True when all ranks ended, false on a deadlock.
  bool run(std::function<void(process::Rank &)> program) {
    program_ = std::move(program);
    for (auto &rank : world.ranks) {
      arguments_.push_back(std::make_unique<Argument>(Argument{this, rank.get()}));
      engine.start(*rank->fiber, enter, arguments_.back().get());
    }
    engine.run();
    for (auto &rank : world.ranks)
      if (!rank->finished)
        return false;
    return true;
  }
  double now() const { return engine.now().seconds; }

  kernel::Engine engine;
  FakeNetwork network;
  FakeProtocol protocol;
  FakeCompute compute;
  platform::Platform platform;
  process::World world;

private:
  struct Argument {
    FakeWorld *self;
    process::Rank *rank;
  };
  static void enter(void *argument) {
    auto *a = static_cast<Argument *>(argument);
    a->self->program_(*a->rank);
    a->rank->finished = true;
    a->rank->finishedAt = a->self->engine.now();
  }
  static std::vector<platform::Host> hosts(uint32_t count) {
    std::vector<platform::Host> all(count);
    for (uint32_t i = 0; i < count; ++i)
      all[i] = {"host" + std::to_string(i), 1e9, 1};
    return all;
  }
  std::function<void(process::Rank &)> program_;
  std::vector<std::unique_ptr<Argument>> arguments_;
};

} // namespace gnomon::test
