// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the equations of the models nocontention, affine, constant, hybrid and fluid, each as a
// closed form, and that the first three share nothing.
#include "Bench.h"
#include "models/RouteTable.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

constexpr double MB = 1e6;
constexpr uint64_t TenMB = 10000000 - 16; // with the envelope: 10 MB

/// Two hosts of a griffon cabinet: 48 us, 125 MB/s.
platform::Platform griffon() { return platform::load("cluster:n=2,bw=125MBps,lat=24us"); }

} // namespace

TEST(NoContention, IsThePieceWiseModelOfAMessageAlone) {
  // f_lat(s) L + s / (f_bw(s) B), and the same time as smpi's without company
  for (uint64_t bytes : {0u, 1u, 241u, 242u, 5000u, 65456u, 65457u, 4194304u}) {
    Bench bench(griffon(), {}, "nocontention");
    Bench shared(griffon(), {}, "smpi");
    double time = bench.alone("node-0", "node-1", bytes);
    EXPECT_NEAR(time, shared.alone("node-0", "node-1", bytes), 1e-12 * time) << bytes;
  }
  Bench bench(griffon(), {}, "nocontention");
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 1), 2.01467 * 48e-6 + 17 / (0.812084 * 125e6));
}

TEST(NoContention, MessagesDoNotSlowEachOther) {
  Bench bench(oneLink(), {{"network/model", "raw"}}, "nocontention");
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 1e-3 + 0.1);
  EXPECT_DOUBLE_EQ(at["cd"], 1e-3 + 0.1);
}

TEST(NoContention, TheWindowBoundsALongRoute) {
  // gamma / (2 L) = 100 kB / 2 ms = 50 MB/s
  Bench bench(oneLink(), {{"network/model", "raw"}, {"network/TCP-gamma", "100000"}},
              "nocontention");
  EXPECT_DOUBLE_EQ(bench.alone("a", "b", TenMB), 1e-3 + 0.2);
}

TEST(NoContention, WithinAHostTheLoopbackCounts) {
  Bench bench(oneLink(), {{"network/loopback-bw", "1GBps"}, {"network/loopback-lat", "1ms"}},
              "nocontention");
  EXPECT_DOUBLE_EQ(bench.alone("a", "a", TenMB), 11.6436e-3 + 1e7 / (1e9 * 0.940694));
}

TEST(Affine, DefaultIsTheOneByteLatencyAndTcpsShareOfThePeak) {
  // 2.01467 L + b / (0.92 B), no envelope
  Bench bench(griffon(), {}, "affine");
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 1000000),
                   2.01467 * 48e-6 + 1e6 / (0.92 * 125e6));
  Bench empty(griffon(), {}, "affine");
  EXPECT_DOUBLE_EQ(empty.alone("node-0", "node-1", 0), 2.01467 * 48e-6);
}

TEST(RouteTable, LeastBandwidthAndSumOfLatenciesWhereverTheNarrowLinkIs) {
  for (const char *text : {"cluster:n=2,bw=50MBps,lat=1ms,bb_bw=200MBps,bb_lat=2ms",
                           "cluster:n=2,bw=200MBps,lat=1ms,bb_bw=50MBps,bb_lat=2ms"}) {
    platform::Platform machine = platform::load(text);
    kernel::Engine engine;
    models::RouteTable routes(engine, machine, models::makeParameters({}));
    EXPECT_DOUBLE_EQ(routes.find(0, 1).latencySeconds, 4e-3) << text;
    EXPECT_DOUBLE_EQ(routes.find(0, 1).bandwidth, 50 * MB) << text;
  }
}

TEST(RouteTable, PairsThatMeetInOnePlaceKeepTheirFigures) {
  // More pairs than places; a host's own route differs from all others.
  platform::Platform machine =
      platform::load("cluster:n=400,bw=200MBps,lat=1ms,loopback_bw=1GBps,loopback_lat=1us");
  kernel::Engine engine;
  models::RouteTable routes(engine, machine, models::makeParameters({}));
  for (uint32_t source = 0; source < 400; ++source)
    for (uint32_t step = 0; step < 400; ++step) {
      uint32_t destination = (source + step * 7) % 400;
      double latency = source == destination ? 1e-6 : 2e-3;
      ASSERT_DOUBLE_EQ(routes.find(source, destination).latencySeconds, latency);
    }
}

TEST(Affine, FactorsOfTheRoutesFigures) {
  // a to d: 1 ms + 3 ms
  Bench bench(oneLink(), {{"affine/latency-factor", "1"}, {"affine/bandwidth-factor", "0.5"}},
              "affine");
  EXPECT_DOUBLE_EQ(bench.alone("a", "d", 10000000), 4e-3 + 0.2);
}

TEST(Affine, AFitGivesBothNumbers) {
  Bench bench(oneLink(), {{"affine/latency", "70us"}, {"affine/bandwidth", "50MBps"}}, "affine");
  EXPECT_DOUBLE_EQ(bench.alone("a", "d", 1000), 70e-6 + 1000 / (50 * MB));
}

TEST(Affine, MessagesDoNotSlowEachOther) {
  Bench bench(oneLink(), {{"affine/latency-factor", "1"}, {"affine/bandwidth-factor", "1"}},
              "affine");
  bench.send("ab", "a", "b", 10000000);
  bench.send("cd", "c", "d", 10000000);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 0.101);
  EXPECT_DOUBLE_EQ(at["cd"], 0.101);
}

TEST(Constant, TimeHasNeitherSizeNorWay) {
  Bench bench(oneLink(), {{"constant/time", "5us"}}, "constant");
  bench.send("small", "a", "b", 0);
  bench.send("large", "a", "d", 1000000000, 1);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["small"], 5e-6);
  EXPECT_DOUBLE_EQ(at["large"], 1 + 5e-6);
  Bench second(oneLink(), {}, "constant");
  EXPECT_DOUBLE_EQ(second.alone("a", "a", 17), 1);
}

TEST(Hybrid, RegimesAndCostsByTheKeys) {
  // The worked example of docs/models.md: os + L + s / B + or.
  Bench bench(griffon(),
              {{"network/model", "raw"}, {"smpi/os", "0:5us:0.5ns"}, {"smpi/or", "0:5us:0.5ns"}},
              "hybrid");
  EXPECT_EQ(bench.protocol->asyncSmallBytes(), 65536u);
  EXPECT_EQ(bench.protocol->detachedBytes(), 327680u);
  EXPECT_DOUBLE_EQ(bench.protocol->sendSeconds(1000) + bench.alone("node-0", "node-1", 1000) +
                       bench.protocol->receiveSeconds(1000),
                   67.128e-6);
}

TEST(Fluid, SharesWithoutFactors) {
  // L + 2 s / B for two on a link; alone on a half-duplex link no cross-traffic
  Bench bench(oneLink(), {}, "fluid");
  bench.send("ab", "a", "b", TenMB);
  bench.send("cd", "c", "d", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["ab"], 1e-3 + 0.2);
  EXPECT_DOUBLE_EQ(at["cd"], 1e-3 + 0.2);
  Bench alone(oneLink(), {}, "fluid");
  EXPECT_DOUBLE_EQ(alone.alone("a", "b", TenMB), 1e-3 + 0.1);
}
