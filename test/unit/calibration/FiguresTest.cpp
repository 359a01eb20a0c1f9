// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each figure of a machine comes from the experiment that shows it, the parameters that are
// written say the same in the model's terms, and what no experiment shows is told.
#include "Synthetic.h"
#include "calibration/Plot.h"
#include "calibration/Report.h"
#include "measurements/Readers.h"
#include "models/Parameters.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::calibration;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

Wishes ofSmpi() {
  Wishes wishes;
  wishes.model = Model::Smpi;
  return wishes;
}

Result fit(const std::string &text, const Wishes &wishes = ofSmpi()) {
  measurements::Collector collector;
  measurements::readText(text, "f", collector);
  return calibrate(collector.finish({"f"}), {}, wishes);
}

/// An affine machine: pingpong 20 us + b / (1 GB/s), of which os 2 us, or 3 us; eager up to 65,535.
std::string everything() {
  const Plan plan;
  Plan eager = plan;
  eager.mostBytes = 65535;
  eager.samples = 6;
  Truth ends{{65535, 25e-6, 1e9}, {NoEnd, 40e-6, 1e9}};
  return RawHead + "# eager-limit-inter: 65535\n# timer-cost: 1e-07\n# hosts: a b c d\n" +
         rawLines("pingpong", ends, plan) + rawLines("stream", {{NoEnd, 1e-6, 0.8e9}}, plan) +
         rawLines("os", {{NoEnd, 2.1e-6, 1e12}}, eager, 2, "inter", 1) +
         rawLines("or", {{NoEnd, 3.1e-6, 1e12}}, eager, 2, "inter", 1) +
         rawLines("ois", {{NoEnd, 1.1e-6, 1e12}}, eager, 2, "inter", 1) +
         rawLines("exchange", {{65535, 24e-6, 0.6e9}, {NoEnd, 41e-6, 0.6e9}}, plan, 4) +
         rawLines("pingpong", {{NoEnd, 5.5e-6, 5e9}}, eager, 2, "intra") + RawEnd;
}

TEST(Figures, ComeEachFromItsExperiment) {
  const Figures figures = fit(everything()).figures;
  EXPECT_NEAR(figures.bandwidth, 0.8e9, 0.01e9) << "the stream's, not the ping-pong's";
  EXPECT_EQ(figures.bandwidthFrom, measurements::Experiment::Stream);
  EXPECT_NEAR(figures.latencySeconds, 10e-6, 0.1e-6) << "half of 25 us less os and or";
  EXPECT_EQ(figures.eagerBytes, 65535U);
  EXPECT_EQ(figures.movedAheadBytes, 65535U);
  EXPECT_NEAR(figures.duplexSlowness.value(), 0.8 / 0.6, 0.01);
  EXPECT_NEAR(costOf(figures.sendCost, 100), 2e-6, 0.02e-6) << "less the reading of the clock";
}

TEST(Machine, SaysWhatTheFiguresSayInSmpisParameters) {
  const Result result = fit(everything());
  const Machine &machine = result.machine;
  EXPECT_EQ(machine.hosts, 4U) << "as many as have names";
  EXPECT_EQ(machine.setting("smpi/send-is-detached-thresh"), "65536B");
  EXPECT_EQ(machine.setting("smpi/async-small-thresh"), "65536B");
  std::vector<models::Setting> settings;
  for (const Setting &setting : machine.settings)
    settings.push_back({setting.key, setting.value, "f", 1});
  const models::Parameters parameters = models::makeParameters(settings);
  const double latency = Machine::numberOf(machine.latency),
               bandwidth = Machine::numberOf(machine.bandwidth);
  for (double b : {10.0, 1000.0, 60000.0, 1e6}) {
    const double s = b + 16;
    const double ends = b <= 65535 ? parameters.sendCost(b) + parameters.receiveCost(b) : 0;
    const double time = parameters.latencyFactor(s) * 2 * latency +
                        s / (parameters.bandwidthFactor(s) * bandwidth) + ends;
    const double truth = (b <= 65535 ? 25e-6 : 40e-6) + b / 1e9;
    EXPECT_NEAR(time / truth, 1, 0.01) << b;
  }
  EXPECT_NEAR(Machine::numberOf(machine.limiter), 2.1 * 0.6e9 / 1.25, 0.02e9)
      << "shares of it become rates by the links' factor of 1.25";
  EXPECT_NEAR(Machine::numberOf(machine.loopbackBandwidth), 4e9, 1e9)
      << "5 GB/s, which the factors of 1.25 of the links make 4";
}

TEST(Machine, OfPortsHasNoFactors) {
  Wishes wishes;
  wishes.model = Model::Ports;
  const Machine machine = fit(everything(), wishes).machine;
  EXPECT_EQ(machine.setting("smpi/lat-factor"), "");
  EXPECT_EQ(machine.setting("smpi/bw-factor"), "");
  EXPECT_NE(machine.setting("smpi/os"), "");
  EXPECT_EQ(machine.limiter, "") << "its protocol says what both directions cost";
}

TEST(Prediction, ReproducesTheExperiments) {
  for (const Reproduced &series : fit(everything()).reproduced) {
    if (series.key.experiment == measurements::Experiment::Stream)
      continue; // its rate is not the ping-pong's, which the factors have
    EXPECT_LT(series.error.mean, 0.02) << series.name;
  }
}

TEST(Remarks, NameWhatWasNotMeasured) {
  const Result result = fit(RawHead + rawLines("pingpong", One, {}) + RawEnd);
  const std::vector<std::string> &remarks = result.figures.remarks;
  for (const char *part :
       {"no eager limit was measured", "no 'os' was measured", "no 'ois' was measured",
        "no 'or' was measured", "no stream was measured", "sends and receives at once",
        "nothing was measured within a host"})
    EXPECT_THAT(remarks, Contains(HasSubstr(part)));
  EXPECT_EQ(result.machine.setting("smpi/send-is-detached-thresh"), "");
}

TEST(Remarks, SayWhatTwoRanksCannotShow) {
  const std::string head = RawHead + rawLines("pingpong", One, {});
  EXPECT_THAT(fit(head + rawLines("exchange", One, {}) + RawEnd).figures.remarks,
              Contains(HasSubstr("two ranks that start together show no limit")));
  const Result four = fit(head + rawLines("exchange", One, {}, 4) + RawEnd);
  EXPECT_THAT(four.figures.remarks, Not(Contains(HasSubstr("two ranks"))));
  EXPECT_NEAR(four.figures.duplexSlowness.value(), 1, 0.01);
  EXPECT_EQ(four.machine.limiter, "");
}

TEST(Remarks, SayWhereABreakpointHasNoSamples) {
  Plan plan;
  plan.gapFrom = 4000;
  plan.gapTo = 30000;
  EXPECT_THAT(fit(RawHead + rawLines("pingpong", Two, plan) + RawEnd).figures.remarks,
              Contains(HasSubstr("where there are no samples; 8,192 is taken")));
}

TEST(Remarks, SayWhereNoSlopeAndNoStartupCanBeTold) {
  Plan small, large;
  small.mostBytes = 1000;
  small.noise = 0.1;
  large.mostBytes = 1e8;
  large.noise = 0.1;
  const std::string level =
      rawLines("pingpong", {{NoEnd, 50e-6, 1e12}}, small) + rawLines("stream", One, large);
  EXPECT_THAT(fit(RawHead + level + RawEnd).figures.remarks,
              Contains(HasSubstr("do not grow with the size beyond their scatter")));
  EXPECT_THAT(
      fit(RawHead + rawLines("pingpong", {{NoEnd, 1e-12, 1e9}}, large) + RawEnd).figures.remarks,
      Contains(HasSubstr("no startup can be told from 0")));
}

TEST(EagerLimit, IsFoundInProbes) {
  std::string text = RawHead + rawLines("pingpong", One, {});
  for (uint64_t bytes : {100, 4096, 4097, 9000})
    for (int repetition = 0; repetition < 3; ++repetition)
      text +=
          fmt::format("eager-probe,2,inter,{0},{1},1,{2},0\neager-delay,2,inter,{0},{1},1,0.1,1\n",
                      bytes, repetition, bytes <= 4096 ? 1e-5 : 0.1);
  const Result result = fit(text + RawEnd);
  EXPECT_EQ(result.figures.eagerBytes, 4096U);
  EXPECT_EQ(result.machine.setting("smpi/send-is-detached-thresh"), "4097B");
}

TEST(MovedAhead, EndsWhereReceivesWaitForTheNetwork) {
  Plan plan;
  plan.mostBytes = 65535;
  const std::string text = RawHead + "# eager-limit-inter: 65535\n" +
                           rawLines("pingpong", One, {}) +
                           rawLines("or", {{4096, 1e-6, 1e11}, {NoEnd, 20e-6, 1e9}}, plan) + RawEnd;
  const Result result = fit(text);
  EXPECT_LE(result.figures.movedAheadBytes.value(), 4096U);
  EXPECT_GT(result.figures.movedAheadBytes.value(), 3000U);
  EXPECT_EQ(result.figures.eagerBytes, 65535U);
}

TEST(Costs, OfCallsThatWaitForTheNetworkAreNone) {
  const std::string text = RawHead + rawLines("pingpong", One, {}) +
                           rawLines("os", {{10000, 1e-6, 1e11}, {NoEnd, 19e-6, 1.01e9}}, {}) +
                           RawEnd;
  const Result result = fit(text);
  EXPECT_THAT(result.figures.remarks, Contains(HasSubstr("they wait for the network")));
  EXPECT_NEAR(costOf(result.figures.sendCost, 1e6), 1e-6 + 1e6 / 1e11, 0.1e-6);
}

TEST(Reports, AreWholeAndTheSameEachTime) {
  const Result result = fit(everything());
  const std::string text = renderText(result, "machine.xml");
  for (const char *part : {"machine.xml: 4 hosts, links of 800", "model smpi", "method correlation",
                           "exchange, 4 ranks, inter", "what the samples do not support"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(renderJson(result), renderJson(fit(everything())));
  const std::string svg = renderSvg(result);
  EXPECT_THAT(svg, HasSubstr("pingpong, 2 ranks, intra"));
  EXPECT_EQ(svg, renderSvg(fit(everything())));
}

} // namespace
