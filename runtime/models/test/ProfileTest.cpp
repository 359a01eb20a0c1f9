// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: profiles change links and hosts at their dates: flows and bursts under way go on at the
// new rate, nothing else moves, and what is switched off ends in a failure that names it.
#include "Bench.h"

#include "models/CpuModel.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

/// One link of 100 MB/s and 1 ms between a and b, with profiles; no factors, no envelope.
platform::Platform changing(const std::string &profiles) {
  return platform::loadXml("<platform version='4.1'><zone id='z' routing='Full'>"
                           "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                           "<host id='c' speed='1Gf'/>"
                           "<link id='l' bandwidth='100MBps' latency='1ms'/>"
                           "<link id='m' bandwidth='100MBps' latency='1ms'/>"
                           "<route src='a' dst='b'><link_ctn id='l'/></route>"
                           "<route src='a' dst='c'><link_ctn id='l'/><link_ctn id='m'/></route>" +
                               profiles + "</zone></platform>",
                           "test.xml");
}

std::string profile(const char *kind, const char *element, const std::string &steps,
                    const char *period = "0") {
  const std::string id = std::string(kind) + element;
  return "<trace id='" + id + "' periodicity='" + period + "'>\n" + steps +
         "</trace><trace_connect kind='" + kind + "' trace='" + id + "' element='" + element +
         "'/>";
}

const Bench::Settings Plain = {{"smpi/bw-factor", "0:1"},
                               {"smpi/lat-factor", "0:1"},
                               {"network/TCP-gamma", "0"},
                               {"network/weight-S", "0"},
                               {"network/crosstraffic", "no"}};

constexpr double Envelope = 16;

} // namespace

TEST(Profiles, AFlowUnderWayGoesOnAtTheNewBandwidth) {
  // 99 ms at 100 MB/s from t = 1 ms on, then 50 MB/s: (20e6 + 16 - 9.9e6) / 50e6 s more.
  Bench bench(changing(profile("BANDWIDTH", "l", "0.1 50e6\n")), Plain);
  EXPECT_NEAR(bench.alone("a", "b", 20000000), 0.1 + (20e6 + Envelope - 9.9e6) / 50e6, 1e-12);
}

TEST(Profiles, MoreBandwidthServesFlowsThatStartLater) {
  // As in SimGrid a flow keeps the least bandwidth of its route at its start as a bound.
  Bench bench(changing(profile("BANDWIDTH", "l", "0.1 200e6\n")), Plain);
  bench.send("first", "a", "b", 20000000);
  bench.send("later", "a", "b", 20000000, 1);
  auto ends = bench.run();
  EXPECT_NEAR(ends["first"], 0.001 + (20e6 + Envelope) / 100e6, 1e-12);
  EXPECT_NEAR(ends["later"], 1.001 + (20e6 + Envelope) / 200e6, 1e-12);
}

TEST(Profiles, TwoFlowsShareWhatIsLeft) {
  // 1 ms on each link: alone 100 MB/s; two share 100, then 60 MB/s, evenly (weight-S is 0 and the
  // route over m is longer: shares 2 : 1).
  Bench bench(changing(profile("BANDWIDTH", "l", "0.1 60e6\n")), Plain);
  bench.send("near", "a", "b", 30000000);
  bench.send("far", "a", "c", 30000000);
  auto ends = bench.run();
  const double size = 30e6 + Envelope, first = 1e5 + 2e8 / 3 * 0.098;
  const double near = 0.1 + (size - first) / 40e6;
  EXPECT_NEAR(ends["near"], near, 1e-9);
  const double far = size - 1e8 / 3 * 0.098 - 20e6 * (near - 0.1);
  EXPECT_NEAR(ends["far"], near + far / 60e6, 1e-9);
}

TEST(Profiles, LatencyCountsForLaterFlows) {
  Bench bench(changing(profile("LATENCY", "l", "0 5e-3\n0.5 20e-3\n")), Plain);
  bench.send("first", "a", "b", 0);
  bench.send("over the change", "a", "b", 0, 0.499);
  bench.send("later", "a", "b", 0, 1);
  auto ends = bench.run();
  EXPECT_NEAR(ends["first"], 5e-3 + Envelope / 1e8, 1e-12) << "steps at date 0 come first";
  EXPECT_NEAR(ends["over the change"], 0.504 + Envelope / 1e8, 1e-12);
  EXPECT_NEAR(ends["later"], 1.02 + Envelope / 1e8, 1e-12);
}

TEST(Profiles, LatencyChangesTheWindowsBoundAtOnce) {
  // gamma 1e5 bytes: 1e5 / (2 × 1 ms) = 50 MB/s, then 1e5 / (2 × 2 ms) = 25 MB/s.
  Bench bench(changing(profile("LATENCY", "l", "0.101 2e-3\n")), {{"smpi/bw-factor", "0:1"},
                                                                  {"smpi/lat-factor", "0:1"},
                                                                  {"network/TCP-gamma", "1e5"},
                                                                  {"network/crosstraffic", "no"}});
  EXPECT_NEAR(bench.alone("a", "b", 10000000), 0.101 + (10e6 + Envelope - 5e6) / 25e6, 1e-12);
}

TEST(Profiles, PenaltiesFollowTheLinksOfARoute) {
  // S = 1e5 bytes: p = 1 ms + S / 1e8 = 2 ms for a → b, 4 ms for a → c: 2 : 1 of 100 MB/s. Then m
  // has 50 MB/s, so S / B grows by 1 ms, or a latency of 2 ms: p = 5 ms, and 5 : 2.
  for (const std::string &change :
       {profile("BANDWIDTH", "m", "0.1 50e6\n"), profile("LATENCY", "m", "0.1 2e-3\n")}) {
    Bench bench(changing(change), {{"smpi/bw-factor", "0:1"},
                                   {"smpi/lat-factor", "0:1"},
                                   {"network/TCP-gamma", "0"},
                                   {"network/weight-S", "1e5"},
                                   {"network/crosstraffic", "no"}});
    bench.send("near", "a", "b", 20000000);
    bench.send("far", "a", "c", 20000000);
    const double moved = 1e5 + 2e8 / 3 * 0.098; // alone for 1 ms
    EXPECT_NEAR(bench.run()["near"], 0.1 + (20e6 + Envelope - moved) / (5e8 / 7), 1e-9) << change;
  }
}

TEST(Profiles, LapsRepeat) {
  // 100 MB/s in [0, 0.1), 50 MB/s in [0.1, 0.2), and so on: 15 MB a lap.
  Bench bench(changing(profile("BANDWIDTH", "l", "0 100e6\n0.1 50e6\n", "0.2")), Plain);
  // From 1 ms on: 9.9 + 5 MB, then 10 + 5, 10 + 5, then 9 of the next: 54 MB less the envelope.
  EXPECT_NEAR(bench.alone("a", "b", 53900000 - 16), 0.69, 1e-12);
}

TEST(Profiles, AProfileThatRepeatsForEverDoesNotKeepTheRunGoing) {
  Bench bench(changing(profile("BANDWIDTH", "l", "0 100e6\n0.1 50e6\n", "0.2") +
                       profile("SPEED", "a", "0 1\n0.1 0\n", "0.2")),
              Plain);
  models::CpuModel cpu(bench.engine, bench.platform);
  bench.run();
  EXPECT_EQ(bench.engine.now().seconds, 0);
}

TEST(Profiles, OtherModelsTakeTheFiguresAtTheStart) {
  Bench bench(
      changing(profile("BANDWIDTH", "l", "0.5 50e6\n") + profile("LATENCY", "l", "0.5 3e-3\n")),
      Plain, "nocontention");
  bench.send("before", "a", "b", 100000000, 0.4);
  bench.send("after", "a", "b", 100000000, 2);
  auto ends = bench.run();
  EXPECT_NEAR(ends["before"], 0.401 + (1e8 + Envelope) / 1e8, 1e-12);
  EXPECT_NEAR(ends["after"], 2.003 + (1e8 + Envelope) / 50e6, 1e-12);
}

namespace {

std::vector<models::Failure> failures;

class Off : public ::testing::Test {
protected:
  void SetUp() override { failures.clear(); }
  static void note(const models::Failure &failure) { failures.push_back(failure); }
};

} // namespace

TEST_F(Off, ALinkUnderAMessageIsAFailure) {
  Bench bench(changing(profile("LINK_AVAIL", "m", "0.05 0\n")), Plain);
  bench.network->onFailure(note);
  bench.send("over l", "a", "b", 20000000);
  bench.send("over l and m", "a", "c", 20000000, 0.04);
  bench.run();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].what, models::Failure::What::Link);
  EXPECT_EQ(failures[0].name, "m");
  EXPECT_EQ(failures[0].cause, "test.xml:2");
  EXPECT_EQ(failures[0].date.seconds, 0.05);
  EXPECT_EQ(failures[0].bytes, 20000000u);
  EXPECT_EQ(bench.platform.hosts()[failures[0].destination].name, "c");
}

TEST_F(Off, AMessageOverADeadLinkFailsAtItsStartAndOneAfterItsReturnDoesNot) {
  for (const char *model : {"smpi", "nocontention"}) {
    failures.clear();
    Bench bench(changing(profile("LINK_AVAIL", "l", "1 0\n2 1\n")), Plain, model);
    bench.network->onFailure(note);
    bench.send("before", "a", "b", 0);
    bench.send("while", "a", "b", 7, 1.5);
    bench.send("after", "a", "b", 0, 3);
    auto ends = bench.run();
    ASSERT_EQ(failures.size(), 1u) << model;
    EXPECT_EQ(failures[0].date.seconds, 1.5);
    EXPECT_EQ(failures[0].bytes, 7u);
    EXPECT_EQ(ends.count("after"), 1u) << model;
  }
}

TEST_F(Off, AHostIsTold) {
  platform::Platform machine = changing(profile("HOST_AVAIL", "b", "0 0\n"));
  kernel::Engine engine;
  models::CpuModel cpu(engine, machine);
  cpu.onFailure(note);
  // Something that lasts: events in the background alone end the run at once.
  cpu.compute(0, 1e9, {[](void *, uint64_t) {}, nullptr, 0});
  engine.run();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].what, models::Failure::What::Host);
  EXPECT_EQ(failures[0].name, "b");
}

namespace {

double endOfBurst(const std::string &steps, double flops, const char *period = "0") {
  platform::Platform machine = changing(profile("SPEED", "a", steps, period));
  kernel::Engine engine;
  models::CpuModel cpu(engine, machine);
  struct Burst {
    kernel::Engine &engine;
    double end = -1;
  } burst{engine};
  cpu.compute(0, flops,
              {[](void *object, uint64_t) {
                 auto *self = static_cast<Burst *>(object);
                 self->end = self->engine.now().seconds;
               },
               &burst, 0});
  engine.run();
  return burst.end;
}

} // namespace

TEST(Profiles, ABurstUnderWayGoesOnAtTheNewSpeed) {
  EXPECT_NEAR(endOfBurst("1 0.5\n", 2e9), 3, 1e-12) << "1 s at 1 Gf, 2 s at half of it";
  EXPECT_NEAR(endOfBurst("0 2\n", 2e9), 1, 1e-12);
}

TEST(Profiles, ABurstWaitsWhileItsHostStands) {
  EXPECT_NEAR(endOfBurst("1 0\n5 1\n", 2e9), 6, 1e-12);
  EXPECT_NEAR(endOfBurst("0 1\n1 0\n", 2.5e9, "3"), 6.5, 1e-12);
  EXPECT_EQ(endOfBurst("1 0\n", 2e9), -1) << "nothing is left to happen: a deadlock";
}
