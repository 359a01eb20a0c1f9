// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the equations of LogGps.h, each as a closed form.
#include "Bench.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

/// L = 10 us, o = 1 us, Os = 1 ns, Or = 3 ns, g = 2 ns, G = 1 ns, s = 1000, S = 65536.
Bench logGps(std::pair<const char *, const char *> more = {"loggps/S", "65536"}) {
  return Bench(platform::load("cluster:n=4,bw=125MBps,lat=24us"),
               {{"loggps/L", "10us"},
                {"loggps/o", "1us"},
                {"loggps/Os", "1ns"},
                {"loggps/Or", "3ns"},
                {"loggps/g", "2ns"},
                {"loggps/G", "1ns"},
                {"loggps/s", "1000"},
                more},
               "loggps");
}

} // namespace

TEST(LogGps, WireTimeIsContinuousWithASlopeOnEitherSideOfS) {
  // L + k g up to s, then L + s g + (k - s) G
  for (auto [bytes, seconds] : {std::pair{0, 10e-6},
                                {500, 10e-6 + 500 * 2e-9},
                                {1000, 10e-6 + 1000 * 2e-9},
                                {3000, 10e-6 + 1000 * 2e-9 + 2000 * 1e-9}}) {
    Bench bench = logGps();
    EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", static_cast<uint64_t>(bytes)), seconds)
        << bytes;
  }
}

TEST(LogGps, OverheadsAreTheCpusBelowS) {
  Bench bench = logGps();
  EXPECT_DOUBLE_EQ(bench.protocol->sendSeconds(2000), 1e-6 + 2000 * 1e-9);
  EXPECT_DOUBLE_EQ(bench.protocol->receiveSeconds(2000), 1e-6 + 2000 * 3e-9);
  EXPECT_DOUBLE_EQ(bench.protocol->sendSeconds(0), 1e-6);
  EXPECT_DOUBLE_EQ(bench.protocol->nonblockingSendSeconds(2000), 1e-6);
  EXPECT_EQ(bench.protocol->sendSeconds(65536), 0); // part of the rendezvous
  EXPECT_EQ(bench.protocol->receiveSeconds(65536), 0);
  EXPECT_EQ(bench.protocol->asyncSmallBytes(), 65536u);
  EXPECT_EQ(bench.protocol->detachedBytes(), 65536u);
}

TEST(LogGps, FromSOnBothSidesPayARendezvous) {
  // 2 L + 4 o + (o + k Os) + L + s g + (k - s) G + (o + k Or)
  const double k = 65536;
  const double wire = 10e-6 + 1000 * 2e-9 + (k - 1000) * 1e-9;
  Bench below = logGps();
  EXPECT_DOUBLE_EQ(below.alone("node-0", "node-1", 65535), wire - 1e-9);
  Bench bench = logGps();
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 65536),
                   20e-6 + 4e-6 + (1e-6 + k * 1e-9) + wire + (1e-6 + k * 3e-9));
}

TEST(LogGps, ALateReceiverMeetsTheRequestWaiting) {
  // t_s = 0. The request is there at L + o = 11 us; T4 = max(11 us, t_r) + o
  const double k = 65536;
  const double rest = (2e-6 + 10e-6) + (1e-6 + k * 1e-9) +
                      (10e-6 + 1000 * 2e-9 + (k - 1000) * 1e-9) + (1e-6 + k * 3e-9);
  for (double received : {0., 4e-6, 11e-6, 50e-6}) {
    Bench bench = logGps();
    bench.send("late", "node-0", "node-1", 65536, received, 0);
    EXPECT_NEAR(bench.run()["late"], std::max(11e-6, received) + 1e-6 + rest, 1e-15) << received;
  }
}

TEST(LogGps, ASynchronousSendBelowSHasNoRequest) {
  Bench bench = logGps();
  double end = 0;
  bench.network->rendezvous(0, 1, 3000, {},
                            {[](void *e, uint64_t) { *static_cast<double *>(e) = 1; }, &end, 0});
  bench.engine.run();
  EXPECT_DOUBLE_EQ(bench.engine.now().seconds, 14e-6);
  EXPECT_EQ(end, 1);
}

TEST(LogGps, AHostSendsOneMessageAtATime) {
  // w = 1000 g + 1000 G = 3 us: the second leaves at 3 us
  Bench bench = logGps();
  bench.send("first", "node-0", "node-1", 2000);
  bench.send("second", "node-0", "node-2", 2000);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 13e-6);
  EXPECT_DOUBLE_EQ(at["second"], 16e-6);
}

TEST(LogGps, AHostReceivesOneMessageAtATime) {
  Bench bench = logGps();
  bench.send("first", "node-0", "node-2", 2000);
  bench.send("second", "node-1", "node-2", 2000);
  bench.send("apart", "node-3", "node-0", 2000, 100e-6);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 13e-6);
  EXPECT_DOUBLE_EQ(at["second"], 16e-6);
  EXPECT_DOUBLE_EQ(at["apart"], 113e-6);
}

TEST(LogGps, BothDirectionsAlternateOnThePort) {
  // node-0 sends from 0 to 3 us; node-1's port is taken from 10 to 13 us by what arrives
  Bench bench = logGps();
  bench.send("there", "node-0", "node-1", 2000);
  bench.send("back", "node-1", "node-0", 2000);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["there"], 13e-6);
  EXPECT_DOUBLE_EQ(at["back"], 26e-6);
}

TEST(LogGps, WithoutPortsNothingWaits) {
  Bench bench = logGps({"loggps/single-port", "no"});
  bench.send("first", "node-0", "node-1", 2000);
  bench.send("second", "node-0", "node-1", 2000);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 13e-6);
  EXPECT_DOUBLE_EQ(at["second"], 13e-6);
}

TEST(LogGps, SynchronousFrom64KiBOnUnlessToldOtherwise) {
  Bench bench(platform::load("cluster:n=2,bw=125MBps,lat=24us"), {}, "loggps");
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 65535), 48e-6 + 65535 / 125e6);
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 65536), 3 * 48e-6 + 65536 / 125e6);
}

TEST(LogGps, WithinAHostNoPortIsTaken) {
  Bench bench = logGps();
  for (const char *name : {"first", "second", "third"})
    bench.send(name, "node-0", "node-0", 2000);
  bench.send("away", "node-0", "node-1", 2000);
  for (const auto &[name, date] : bench.run())
    EXPECT_DOUBLE_EQ(date, 13e-6) << name;
}

TEST(LogGps, WhatIsNotGivenIsTheRoutes) {
  // L = 48 us, G = g = 1 / (125 MB/s)
  Bench bench(platform::load("cluster:n=2,bw=125MBps,lat=24us"), {}, "loggps");
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", 50000), 48e-6 + 50000 / 125e6);
}
