// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A machine of identical hosts, a compute model without contention, and a program made by hand.
#pragma once

#include "gnomon/Module.h"
#include "process/ranks/TestClock.h"
#include "process/ranks/World.h"

#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gnomon::process::test {

struct NoRoutes : platform::RouteSource {
  void route(platform::HostIndex, platform::HostIndex, platform::Route &) const override {}
};

struct NoNetwork : models::NetworkModel {
  void transfer(platform::HostIndex, platform::HostIndex, uint64_t, kernel::Action) override {}
};

struct NoCosts : models::ProtocolCosts {
  double sendSeconds(uint64_t) const override { return 0; }
  double nonblockingSendSeconds(uint64_t) const override { return 0; }
  double receiveSeconds(uint64_t) const override { return 0; }
  uint64_t asyncSmallBytes() const override { return 0; }
  uint64_t detachedBytes() const override { return 0; }
  double wtimeSeconds() const override { return 1e-8; }
  double testSeconds() const override { return 0; }
  double iprobeSeconds() const override { return 0; }
  double initSeconds() const override { return 0; }
};

/// flops / speed, whatever else runs.
struct PlainCompute : models::ComputeModel {
  kernel::Engine &engine;
  double speed;
  PlainCompute(kernel::Engine &e, double s) : engine(e), speed(s) {}
  void compute(platform::HostIndex, double flops, kernel::Action done, double) override {
    engine.after(flops / speed, done);
  }
};

/// Keeps what the ranks write, in the order of arrival.
struct KeepingSink : OutputSink {
  struct Line {
    double date;
    int descriptor;
    std::string text;
  };
  std::vector<Line> lines;
  void write(SimTime date, int descriptor, std::string_view text) override {
    lines.push_back({date.seconds, descriptor, std::string(text)});
  }
  void flushAll() override {}
  void flushDue() override {}
  std::string all(int descriptor) const {
    std::string text;
    for (const Line &line : lines)
      if (line.descriptor == descriptor)
        text += line.text;
    return text;
  }
};

/// While it lives, the clock of the thread's CPU time stands still but for what a test adds, and what
/// each reading takes.
struct FakeThreadClock {
  static inline double seconds, perReading;
  explicit FakeThreadClock(double reading = 0) {
    seconds = 0;
    perReading = reading;
    setThreadClockForTest([] { return seconds += perReading; });
  }
  ~FakeThreadClock() { setThreadClockForTest(nullptr); }
};

/// Everything that createWorld wants, for `ranks` ranks on hosts of 1 Gflop/s.
struct Machine {
  kernel::Engine engine;
  platform::Platform platform;
  NoNetwork network;
  NoCosts costs;
  PlainCompute compute{engine, 1e9};
  KeepingSink sink;
  // Of the world that create makes.
  SkippingMaker skipping;
  double hostSpeedFlops = 1e9;

  explicit Machine(uint32_t hosts, bool guards = true)
      : engine({.bytes = 256 << 10, .guardPages = guards}),
        platform(makeHosts(hosts), {}, std::make_unique<NoRoutes>()) {}
  ~Machine() { destroyWorld(); }

  World &create(uint32_t ranks, ComputeMode mode = ComputeMode::None, bool capture = true) {
    Settings settings;
    settings.launched = capture;
    settings.compute = mode;
    settings.hostSpeedFlops = hostSpeedFlops;
    settings.skipping = skipping;
    settings.argc = 2;
    static char name[] = "program", argument[] = "argument";
    static char *argv[] = {name, argument, nullptr};
    settings.argv = argv;
    settings.envp = environ;
    for (uint32_t rank = 0; rank < ranks; ++rank)
      settings.hosts.push_back(rank % static_cast<uint32_t>(platform.hosts().size()));
    return createWorld(engine, platform, network, costs, compute, std::move(settings),
                       capture ? &sink : nullptr);
  }

private:
  static std::vector<platform::Host> makeHosts(uint32_t count) {
    std::vector<platform::Host> hosts;
    for (uint32_t i = 0; i < count; ++i)
      hosts.push_back({"host-" + std::to_string(i), 1e9, 1});
    return hosts;
  }
};

/// A program whose private sections and main are made by hand. One per test process at a time:
/// the registry keeps modules, so a test changes the one record.
struct Program {
  /// The stand-ins for gn_priv and gn_zero, one after the other.
  struct alignas(4096) Section {
    long counter = 5;
    long *pointer = &counter;
    long spare[510] = {};
    long zeros[512] = {};
  };
  static Section section;
  static intptr_t delta;
  static gnomon_module module;
  static uint64_t instructions; ///< the module's counter

  /// Registers the program once and sets its main.
  static void use(int (*main)(int, char **, char **));
  /// A global as the program's code reaches it.
  template <class T> static T &at(T &global) {
    return *reinterpret_cast<T *>(reinterpret_cast<intptr_t>(&global) + delta);
  }
};

} // namespace gnomon::process::test
