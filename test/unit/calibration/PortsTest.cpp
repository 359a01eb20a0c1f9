// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the figures that only the model ports has come back from samples of a machine that has
// them, and are left out where the samples do not tell.
#include "Synthetic.h"
#include "calibration/Report.h"
#include "measurements/Readers.h"
#include "models/Factors.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::calibration;
using testing::Contains;
using testing::HasSubstr;

namespace {

/// N3's: 10 Mbit/s, 76 us one way at least, 50 us of jitter, bursts of 3000 bytes.
struct Truth10Mbit {
  double rate = 1.25e6, latency = 76e-6, jitter = 50e-6, burst = 3000, noise = 0;
};

/// Bytes of frames, as switches count them.
double framesOf(double bytes) { return bytes + 22 + 66 * std::ceil((bytes + 22) / 1448); }

std::string pingPongs(const Truth10Mbit &truth, int samples = 40) {
  Random random(7);
  std::string text;
  for (double size = 1; size < 60000; size = std::ceil(size * 1.25))
    for (int sample = 0; sample < samples; ++sample) {
      const double jitter = -truth.jitter * std::log(random.uniform());
      // What a port has gained back of its burst while the other side sent.
      const double gained = (truth.latency + truth.jitter) * truth.rate + framesOf(size) / 2;
      const double wire =
          std::max(framesOf(size) - std::min(truth.burst, gained), 0.0) / truth.rate;
      text += fmt::format("pingpong,2,inter,{},{},1,{},0\n", size, sample,
                          (truth.latency + jitter + wire) *
                              std::max(1 + truth.noise * random.normal(), 0.1));
    }
  return text;
}

std::string streams(const Truth10Mbit &truth) {
  return rawLines("stream", {{NoEnd, 1e-5, truth.rate * 1448 / 1514}}, {});
}

Result fit(const std::string &lines) {
  measurements::Collector collector;
  measurements::readText(RawHead + lines + RawEnd, "f", collector);
  Wishes wishes;
  wishes.model = Model::Ports;
  return calibrate(collector.finish({"f"}), {}, wishes);
}

double setting(const Result &result, const char *key) {
  const std::string text = result.machine.setting(key);
  return text.empty() ? -1 : Machine::numberOf(text);
}

TEST(PortsFigures, ComeBack) {
  const Truth10Mbit truth;
  const Result result = fit(pingPongs(truth) + streams(truth));
  EXPECT_NEAR(Machine::numberOf(result.machine.bandwidth), truth.rate, 0.01 * truth.rate);
  EXPECT_NEAR(Machine::numberOf(result.machine.latency), truth.latency / 2, 2e-6);
  EXPECT_NEAR(setting(result, "ports/jitter"), truth.jitter, 0.15 * truth.jitter);
  EXPECT_NEAR(setting(result, "ports/burst"), truth.burst, 150);
  EXPECT_LT(result.reproduced[0].error.mean, 0.15) << "medians of exponential times, and means";
}

/// Rounds of rings of \p ranks on N3, whose software takes \p jitter: the recursion of RingRounds.h.
std::string exchanges(int ranks, double jitter, int samples = 100) {
  Random random(11);
  const Truth10Mbit truth;
  constexpr int Rounds = 6;
  std::string text;
  for (int bytes : {1, 8, 40, 200})
    for (int sample = 0; sample < samples; ++sample) {
      std::vector<double> now(ranks, 0);
      for (int round = 0; round < Rounds; ++round) {
        std::vector<double> next(ranks);
        for (int rank = 0; rank < ranks; ++rank)
          next[rank] = std::max(now[rank], now[(rank + ranks - 1) % ranks] + truth.latency -
                                               jitter * std::log(random.uniform()));
        now = next;
      }
      for (int rank = 0; rank < ranks; ++rank)
        text += fmt::format("exchange,{},inter,{},{},{},{},{}\n", ranks, bytes, sample, Rounds,
                            now[rank], rank);
    }
  return text;
}

TEST(PortsFigures, JitterIsThatOfAllRanksWhereTheyNoticeLater) {
  const Truth10Mbit truth;
  const std::string alone = pingPongs(truth) + streams(truth);
  const Result later = fit(alone + exchanges(2, 50e-6) + exchanges(8, 200e-6));
  EXPECT_NEAR(setting(later, "ports/jitter"), 200e-6, 15e-6);
  EXPECT_NEAR(Machine::numberOf(later.machine.latency), truth.latency / 2, 2e-6);
  EXPECT_THAT(later.figures.remarks, Contains(HasSubstr("8 ranks that exchange short messages")));
  // Nothing is gained from exchanges that say the same, and from two ranks.
  const double own = setting(fit(alone), "ports/jitter");
  EXPECT_EQ(setting(fit(alone + exchanges(8, 50e-6)), "ports/jitter"), own);
  EXPECT_EQ(setting(fit(alone + exchanges(2, 200e-6)), "ports/jitter"), own);
  // Four sizes with a sample each, as tables of other benchmarks have them, are too few.
  EXPECT_EQ(setting(fit(alone + exchanges(8, 200e-6, 1)), "ports/jitter"), own);
}

TEST(PortsFigures, LatencyIsLessThanTheTimeOnTheWire) {
  Truth10Mbit truth;
  truth.burst = 0;
  const Result result = fit(pingPongs(truth) + streams(truth));
  EXPECT_NEAR(Machine::numberOf(result.machine.latency), truth.latency / 2, 8e-6);
  EXPECT_EQ(setting(result, "ports/burst"), 0);
  EXPECT_THAT(result.figures.remarks, Contains(HasSubstr("no burst of an idle port")));
}

TEST(PortsFigures, BurstIsNoneInScatter) {
  Truth10Mbit truth;
  truth.burst = 0;
  truth.noise = 0.5;
  EXPECT_EQ(setting(fit(pingPongs(truth, 6) + streams(truth)), "ports/burst"), 0);
}

TEST(PortsFigures, FewSamplesTellNoJitter) {
  const Result result = fit(pingPongs({}, 1) + streams({}));
  EXPECT_EQ(setting(result, "ports/jitter"), -1);
  EXPECT_THAT(result.figures.remarks,
              Contains(HasSubstr("do not tell how much their times scatter")));
}

TEST(PortsFigures, ThresholdsAreTheEagerLimits) {
  const Result result = fit("# eager-limit-inter: 65472\n" + pingPongs({}) + streams({}));
  EXPECT_EQ(setting(result, "smpi/async-small-thresh"), 65473);
  EXPECT_EQ(setting(result, "smpi/send-is-detached-thresh"), 65473);
  EXPECT_EQ(setting(fit(pingPongs({}) + streams({})), "smpi/async-small-thresh"), -1);
}

/// A sender of b bytes is done when 100,000 bytes are not there yet.
TEST(PortsFigures, SocketIsWhatSendersDoNotWaitFor) {
  const double goodput = 1.25e6 * 1448 / 1514;
  std::string text = "# eager-limit-inter: 65472\n" + streams({});
  for (double size = 1000; size < 2e6; size = std::ceil(size * 1.3)) {
    const double all = 300e-6 + size / goodput;
    text += fmt::format("pingpong,2,inter,{0},0,1,{1},0\nos,2,inter,{0},0,1,{2},0\n", size, all,
                        size <= 65472 ? 1e-5 : std::max(all - 100000 / goodput, 1e-5));
  }
  EXPECT_NEAR(setting(fit(text), "ports/socket"), 100000, 3000);
  EXPECT_EQ(setting(fit(pingPongs({}) + streams({})), "ports/socket"), -1);
}

TEST(PortsFigures, TimeoutsAreSeenInBlocksThatTookATimerLonger) {
  std::string text = pingPongs({}) + streams({});
  for (int repetition = 0; repetition < 40; ++repetition)
    text +=
        fmt::format("incast,8,inter,60000,{},7,{},0\n", repetition, repetition < 20 ? 0.58 : 0.36);
  EXPECT_EQ(setting(fit(text), "ports/timeout"), 0.2);
  EXPECT_EQ(setting(fit(pingPongs({}) + streams({})), "ports/timeout"), -1);
}

TEST(PortsFigures, WithinAHostAreSegments) {
  Plan plan;
  const Result one = fit(pingPongs({}) + streams({}) +
                         rawLines("pingpong", {{NoEnd, 0.7e-6, 4e9}}, plan, 2, "intra"));
  const auto node =
      models::Factors::parse(one.machine.setting("ports/node"), models::Factors::Kind::Cost);
  EXPECT_NEAR(node(1), 0.7e-6, 0.01e-6);
  EXPECT_NEAR(node(4e6), 1000.7e-6, 10e-6);
  EXPECT_EQ(one.machine.loopbackBandwidth, "");
  // Short messages are copied twice, long ones once, after a handshake.
  const Result two =
      fit(pingPongs({}) + streams({}) +
          rawLines("pingpong", {{4096, 0.5e-6, 2e9}, {NoEnd, 3e-6, 8e9}}, plan, 2, "intra"));
  const auto paths =
      models::Factors::parse(two.machine.setting("ports/node"), models::Factors::Kind::Cost);
  EXPECT_NEAR(paths(1000) / 1e-6, 1, 0.02);
  EXPECT_NEAR(paths(1e6) / 128e-6, 1, 0.02);
}

} // namespace
