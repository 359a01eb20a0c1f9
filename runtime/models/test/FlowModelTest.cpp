// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the equations of FlowModel.h, each as a closed form.
#include "Bench.h"

#include <gtest/gtest.h>

#include <random>

using namespace gnomon;

namespace {
constexpr double MB = 1e6;
constexpr uint64_t TenMB = 10000000 - 16; // with the envelope: 10 MB
} // namespace

TEST(FlowModel, RawTimeIsLatencyPlusSizeOverBandwidth) {
  // T = L + s/B
  Bench bench(oneLink(), {{"network/model", "raw"}});
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", TenMB), 1e-3 + 0.1);
}

TEST(FlowModel, TheEnvelopeTravelsWithEveryMessage) {
  Bench bench(oneLink(), {{"network/model", "raw"}});
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", 0), 1e-3 + 16 / (100 * MB));
}

TEST(FlowModel, FactorsOfTheEnlargedSize) {
  // s = 257 is the last of the first section, s = 258 the first of the second
  Bench bench(oneLink("FATPIPE"));
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", 241), 2.01467e-3 + 257 / (0.812084 * 100 * MB));
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", 242), 1.95341e-3 + 258 / (0.338112 * 100 * MB));
}

TEST(FlowModel, TwoFlowsOnALinkShareIt) {
  // both: L + 2 s / B
  Bench bench(oneLink(), {{"network/model", "raw"}});
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 1e-3 + 0.2);
  EXPECT_DOUBLE_EQ(at["cd"], 1e-3 + 0.2);
}

TEST(FlowModel, LaterFlowTakesHalfFromItsArrivalOn) {
  // cd joins at 0.051 when half of ab is left: ab needs 0.1 more, then cd has the link alone for
  // its second half
  Bench bench(oneLink(), {{"network/model", "raw"}});
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB, 0.05);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 0.151);
  EXPECT_DOUBLE_EQ(at["cd"], 0.201);
}

TEST(FlowModel, LatenciesThatEndTogetherNeedNotBeginInARow) {
  // two pay 1 ms, two 4 ms; both twos share the first link: L + 2 s / B
  Bench bench(oneLink(), {{"network/model", "raw"}});
  for (const char *name : {"1", "2"}) {
    bench.send(std::string("ab") + name, "a", "b", 0);
    bench.send(std::string("ad") + name, "a", "d", 0);
  }
  auto at = bench.run();
  for (const char *name : {"1", "2"}) {
    EXPECT_DOUBLE_EQ(at[std::string("ab") + name], 1e-3 + 32 / (100 * MB));
    EXPECT_DOUBLE_EQ(at[std::string("ad") + name], 4e-3 + 32 / (100 * MB));
  }
  EXPECT_EQ(bench.order(), (std::vector<std::string>{"ab1", "ab2", "ad1", "ad2"}));
  EXPECT_EQ(bench.flows().flowsInFlight(), 0u);
}

TEST(FlowModel, FatPipeGivesEachTheWhole) {
  Bench bench(oneLink("FATPIPE"), {{"network/model", "raw"}});
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 1e-3 + 0.1);
  EXPECT_DOUBLE_EQ(at["cd"], 1e-3 + 0.1);
}

TEST(FlowModel, CrossTrafficOnAHalfDuplexLink) {
  // one flow uses the link with 1 + 0.05: x = B / 1.05
  Bench bench(oneLink(), {{"network/model", "raw"}, {"network/crosstraffic", "yes"}});
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", TenMB), 1e-3 + 0.1 * 1.05);
}

TEST(FlowModel, CrossTrafficBetweenOppositeFlows) {
  // each uses its way with 1 and the other's with 0.05: x = B / 1.05
  auto split = platform::load("cluster:n=2,bw=100MBps,lat=500us");
  Bench bench(std::move(split), {{"network/model", "raw"}, {"network/crosstraffic", "yes"}});
  bench.send("there", "node-0", "node-1", TenMB);
  bench.send("back", "node-1", "node-0", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["there"], 1e-3 + 0.105);
  EXPECT_DOUBLE_EQ(at["back"], 1e-3 + 0.105);
}

TEST(FlowModel, AloneOnADuplexLinkCrossTrafficCostsNothing) {
  auto split = platform::load("cluster:n=2,bw=100MBps,lat=500us");
  Bench bench(std::move(split), {{"network/model", "raw"}, {"network/crosstraffic", "yes"}});
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", TenMB), 1e-3 + 0.1);
}

TEST(FlowModel, WindowBoundsALongRoute) {
  // x = gamma / (2 L) = 100 kB / 2 ms = 50 MB/s
  Bench bench(oneLink(), {{"network/model", "raw"}, {"network/TCP-gamma", "100000"}});
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", TenMB), 1e-3 + 0.2);
}

TEST(FlowModel, SharesAreInverseToRoundTripPenalties) {
  // p_ab = 1 ms, p_ad = 4 ms on the common link: 80 and 20 MB/s while both share. ab (8 MB) ends at
  // 4 ms + x.
  Bench bench(oneLink(), {{"network/model", "raw"}});
  bench.send("ad", "a", "d", TenMB);              // joins at 4 ms
  bench.send("cd", "c", "d", 8000000 - 16, 3e-3); // joins at 4 ms
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["cd"], 4e-3 + 0.1);
  // ad has moved 2 MB then; 8 MB are left at 100 MB/s
  EXPECT_DOUBLE_EQ(at["ad"], 4e-3 + 0.1 + 0.08);
}

TEST(FlowModel, WeightSAddsToThePenalty) {
  // p = L + S / B: with S = 100 kB each link adds 1 ms: p_cd = 2 ms, p_ad = 4 + 2 = 6 ms; shares 75
  // and 25 MB/s
  Bench bench(oneLink(), {{"network/model", "raw"}, {"network/weight-S", "100000"}});
  bench.send("ad", "a", "d", TenMB);
  bench.send("cd", "c", "d", 7500000 - 16, 3e-3);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["cd"], 4e-3 + 0.1);
  EXPECT_DOUBLE_EQ(at["ad"], 4e-3 + 0.1 + 0.075);
}

TEST(FlowModel, FlowInItsLatencyPhaseTakesNoShare) {
  // ad's latency is 4 ms: cd ends before
  Bench bench(oneLink(), {{"network/model", "raw"}});
  bench.send("ad", "a", "d", TenMB);
  bench.send("cd", "c", "d", 200000 - 16);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["cd"], 1e-3 + 2e-3);
  EXPECT_DOUBLE_EQ(at["ad"], 4e-3 + 0.1);
}

TEST(FlowModel, LimiterTakesBothDirections) {
  // both opposite flows cross both limiters: 1.05 x + 1.05 x = limit... with cross-traffic off: 2 x
  // = 100 MB/s
  auto limited = platform::load("cluster:n=2,bw=100MBps,lat=500us,limiter=100MBps");
  Bench bench(std::move(limited), {{"network/model", "raw"}});
  bench.send("there", "node-0", "node-1", TenMB);
  bench.send("back", "node-1", "node-0", TenMB);
  EXPECT_DOUBLE_EQ(bench.run()["there"], 1e-3 + 0.2);
}

TEST(FlowModel, OwnLoopbackWhereThePlatformHasNone) {
  // 10 GB/s, no latency; the bandwidth factor counts
  Bench bench(oneLink());
  EXPECT_DOUBLE_EQ(bench.alone("a", "a", TenMB), 1e7 / (1e10 * 0.940694));
  Bench slow(oneLink(), {{"network/loopback-bw", "1GBps"},
                         {"network/loopback-lat", "1ms"},
                         {"network/latency-factor", "2"}});
  EXPECT_DOUBLE_EQ(slow.alone("a", "a", TenMB), 2e-3 + 1e7 / (1e9 * 0.940694));
}

TEST(FlowModel, TheLoopbackIsAFatPipe) {
  Bench bench(oneLink());
  bench.send("first", "a", "a", TenMB);
  bench.send("second", "a", "a", TenMB);
  bench.send("elsewhere", "b", "b", TenMB);
  for (const auto &[name, date] : bench.run())
    EXPECT_DOUBLE_EQ(date, 1e7 / (1e10 * 0.940694)) << name;
}

TEST(FlowModel, WithoutLatencyAllWeighTheSame) {
  // p = 1 when T = 0, not the sum of S / B: over one link or over two, 50 MB/s each
  Bench bench(oneLink("SHARED", "0", "0"),
              {{"network/model", "raw"}, {"network/weight-S", "100000"}});
  bench.send("ad", "a", "d", TenMB);
  bench.send("cd", "c", "d", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ad"], 0.2);
  EXPECT_DOUBLE_EQ(at["cd"], 0.2);
}

TEST(FlowModel, EventsCloserThanThePrecisionHappenTogether) {
  Bench bench(oneLink("FATPIPE"), {{"network/model", "raw"}});
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB, 0.5e-9);
  auto at = bench.run();
  EXPECT_EQ(at["ab"], at["cd"]);
  Bench exact(oneLink("FATPIPE"), {{"network/model", "raw"}, {"precision/timing", "0"}});
  exact.send("ab", "a", "b", TenMB);
  exact.send("cd", "c", "d", TenMB, 0.5e-9);
  at = exact.run();
  EXPECT_NEAR(at["cd"] - at["ab"], 0.5e-9, 1e-15);
}

TEST(FlowModel, WhatEndsTogetherArrivesInTheOrderOfItsStart) {
  // two senders with three each: all end at one date, and an MPI program sees in which order
  Bench bench(platform::load("cluster:n=8,bw=100MBps,lat=500us"));
  bench.send("one", "node-1", "node-2", 1);
  bench.send("another", "node-3", "node-4", 100000); // their places are used again, the last first
  bench.run();
  bench.forgetOrder();
  const std::vector<std::string> started = {"node-3", "node-1", "node-4",
                                            "node-2", "node-6", "node-5"};
  for (size_t i = 0; i < started.size(); ++i)
    bench.send(started[i], i % 2 ? "node-0" : "node-7", started[i].c_str(), 100000, 1);
  auto at = bench.run();
  EXPECT_EQ(at["node-1"], at["node-3"]);
  EXPECT_EQ(bench.order(), started);
}

TEST(FlowModel, EndsCloserThanThePrecisionAreOneAmongFlowsThatShareToo) {
  // 50 GB/s each: 10 bytes more take 0.2 ns
  Bench bench(platform::load("cluster:n=3,bw=100GBps,lat=500us"), {{"network/model", "raw"}});
  bench.send("short", "node-0", "node-1", 1000000000);
  bench.send("long", "node-0", "node-2", 1000000010);
  auto at = bench.run();
  EXPECT_NEAR(at["short"], 1e-3 + 1000000016 / 50e9, 1e-15);
  EXPECT_EQ(at["short"], at["long"]);
}

TEST(FlowModel, ScalingTheMachineScalesTheTime) {
  // Metamorphic: half of every bandwidth and twice every latency double every time.
  auto run = [](const char *text) {
    Bench bench(platform::load(text), {{"network/TCP-gamma", "0"}, {"network/weight-S", "0"}});
    for (uint64_t i = 0; i < 8; ++i)
      bench.send(std::to_string(i), ("node-" + std::to_string(i)).c_str(),
                 ("node-" + std::to_string((i * 3 + 1) % 8)).c_str(), 100000 * (i + 1));
    return bench.run();
  };
  auto whole = run("cluster:n=8,bw=10Gbps,lat=2us,bb_bw=20Gbps,bb_lat=1us");
  auto half = run("cluster:n=8,bw=5Gbps,lat=4us,bb_bw=10Gbps,bb_lat=2us");
  for (const auto &[name, date] : whole)
    EXPECT_NEAR(half[name], 2 * date, 1e-8 * date) << name;
}

TEST(FlowModel, AnIdleHostChangesNothing) {
  auto run = [](const char *text) {
    Bench bench(platform::load(text));
    bench.send("m", "node-0", "node-1", 12345);
    bench.send("n", "node-1", "node-2", 54321);
    return bench.run();
  };
  EXPECT_EQ(run("cluster:n=3,bw=1Gbps,lat=2us,bb_bw=1Gbps"),
            run("cluster:n=300,bw=1Gbps,lat=2us,bb_bw=1Gbps"));
}

TEST(FlowModel, ManyMessagesLeaveNothingBehind) {
  Bench bench(platform::load("cluster:n=50,bw=1Gbps,lat=2us,bb_bw=4Gbps"));
  for (int i = 0; i < 5000; ++i)
    bench.send(std::to_string(i), ("node-" + std::to_string(i % 50)).c_str(),
               ("node-" + std::to_string(i * 7 % 50)).c_str(),
               static_cast<uint64_t>(i) * 13 % 100000, i * 1e-6);
  EXPECT_EQ(bench.run().size(), 5000u);
  EXPECT_EQ(bench.flows().flowsInFlight(), 0u);
}

TEST(FlowModel, ManyFlowsOfOneBottleneckEndAsOneByOne) {
  // n flows of sizes s, 2 s, … n s on a link B: while k are left each moves B / k, so the i-th ends
  // at L + (s / B) (sum over j <= i of (n - j + 1)), whether they are given in this order or not
  constexpr int Count = 40;
  for (int step : {1, 7, -1}) {
    Bench bench(oneLink(), {{"network/model", "raw"}});
    for (int i = 0; i < Count; ++i) {
      int size = ((i * step) % Count + Count) % Count + 1;
      bench.send(std::to_string(size), "a", "b", static_cast<uint64_t>(size) * 1000000 - 16);
    }
    auto at = bench.run();
    double end = 1e-3;
    for (int i = 1; i <= Count; ++i) {
      end += 0.01 * (Count - i + 1);
      EXPECT_NEAR(at[std::to_string(i)], end, 1e-12) << step;
    }
  }
}

TEST(FlowModel, AFlowThatChangesItsBottleneckKeepsWhatItMoved) {
  // ab and cd share l (50 MB/s each); from 0.1 s on ad, with far behind l, takes its part by its
  // penalty: p = 1, 1 and 4 ms, levels 100 / (1 + 1 + 1/4) MB/s: 44.4, 44.4, 11.1. When ab and cd
  // have ended, ad is alone.
  Bench bench(oneLink(), {{"network/model", "raw"}});
  bench.send("ab", "a", "b", TenMB); // shares from 1 ms on
  bench.send("cd", "c", "d", TenMB);
  bench.send("ad", "a", "d", TenMB, 0.1 - 3e-3); // shares from 101 ms on
  auto at = bench.run();
  double rest = 10 - 0.1 * 50, both = rest / (100 / 2.25);
  EXPECT_NEAR(at["ab"], 0.101 + both, 1e-12);
  EXPECT_NEAR(at["cd"], 0.101 + both, 1e-12);
  EXPECT_NEAR(at["ad"], 0.101 + both + (10 - both * 25 / 2.25) / 100, 1e-12);
}

namespace {

struct PlainFlow {
  double join; ///< when the latency is paid
  double left;
  double factor, penalty, bound;
  std::vector<solver::Usage> usages;
  double end = -1;
};

/// The equations of FlowModel.h, everything solved again at every change.
void simulatePlainly(std::vector<PlainFlow> &flows, const platform::Platform &machine) {
  for (double now = 0;;) {
    solver::MaxMin system;
    for (const platform::Link &link : machine.links())
      system.addConstraint(link.bandwidth, solver::Sharing::Shared);
    std::map<PlainFlow *, solver::VariableIndex> moving;
    double next = 1e9;
    for (PlainFlow &flow : flows)
      if (flow.end < 0 && flow.join <= now)
        moving[&flow] = system.add(flow.penalty, flow.bound, flow.usages);
      else if (flow.end < 0)
        next = std::min(next, flow.join);
    system.solve();
    for (auto [flow, variable] : moving)
      next = std::min(next, now + flow->left / (system.rate(variable) * flow->factor));
    if (next == 1e9)
      return;
    for (auto [flow, variable] : moving) {
      flow->left -= system.rate(variable) * flow->factor * (next - now);
      if (flow->left < 1e-6)
        flow->end = next;
    }
    now = next;
  }
}

} // namespace

TEST(FlowModel, RandomTrafficEqualsAPlainSimulation) {
  for (const char *cluster : {"cluster:n=12,bw=1Gbps,lat=2us,bb_bw=2Gbps",
                              "cluster:n=12,bw=1Gbps,lat=2us", "cluster:n=40,bw=1Gbps,lat=2us"}) {
    Bench bench(platform::load(cluster), {{"precision/timing", "0"}});
    solver::Weights weights;
    models::PathTable paths(bench.platform, bench.parameters, UINT32_MAX, weights);
    std::mt19937 random(5);
    std::vector<PlainFlow> flows;
    const auto hosts = static_cast<uint32_t>(bench.platform.hosts().size());
    for (int i = 0; i < 200; ++i) {
      uint32_t from = random() % hosts, to = (from + 1 + random() % (hosts - 1)) % hosts;
      uint64_t bytes = random() % 100000;
      double date = static_cast<double>(random() % 50) * 1e-5;
      bench.send(std::to_string(i), ("node-" + std::to_string(from)).c_str(),
                 ("node-" + std::to_string(to)).c_str(), bytes, date);
      const double size = static_cast<double>(bytes) + 16;
      const models::PathTable::Path &path = paths.find(from, to);
      const models::PathTable::Kind &kind = paths.kind(path);
      auto usages = paths.usages(path);
      flows.push_back({.join = date + kind.latencySeconds * bench.parameters.latencyFactor(size),
                       .left = size,
                       .factor = bench.parameters.bandwidthFactor(size),
                       .penalty = kind.penalty,
                       .bound = kind.bound,
                       .usages = {}});
      for (const solver::Usage &usage : usages) // without the number, which is another solver's
        flows.back().usages.emplace_back(usage.constraint, usage.weight);
    }
    simulatePlainly(flows, bench.platform);
    auto at = bench.run();
    for (size_t i = 0; i < flows.size(); ++i)
      EXPECT_NEAR(at[std::to_string(i)], flows[i].end, 1e-9 * flows[i].end) << cluster;
    EXPECT_EQ(bench.flows().flowsInFlight(), 0u);
  }
}

TEST(FlowModel, EndsCloserThanThePrecisionHappenTogetherInAGroup) {
  // one byte at 50 MB/s is 20 ns
  Bench bench(oneLink(), {{"network/model", "raw"}, {"precision/timing", "50e-9"}});
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB + 1);
  auto at = bench.run();
  EXPECT_EQ(at["ab"], at["cd"]);
}
