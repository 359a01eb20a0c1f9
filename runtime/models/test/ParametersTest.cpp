// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: parameters have SMPI's names and defaults; the last setting wins; what is unknown or not
// supported is an error that helps.
#include "models/Parameters.h"

#include "models/Protocol.h"
#include "models/delay/LogGps.h"
#include "support/Error.h"

#include <gmock/gmock.h>

#include <fstream>

using namespace gnomon;
using namespace gnomon::models;
using ::testing::HasSubstr;

namespace {

Parameters with(std::initializer_list<std::pair<const char *, const char *>> settings) {
  std::vector<Setting> list;
  for (auto [key, value] : settings)
    list.push_back({key, value, "", 0});
  return makeParameters(list);
}

std::string errorOf(const char *key, const char *value) {
  try {
    with({{key, value}});
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST(Parameters, DefaultsAreSmpis) {
  Parameters p = with({});
  EXPECT_EQ(p.weightS, 8775);
  EXPECT_EQ(p.tcpGammaBytes, 4194304);
  EXPECT_TRUE(p.crossTraffic);
  EXPECT_EQ(p.detachedBytes, 65536u);
  EXPECT_EQ(p.asyncSmallBytes, 0u);
  EXPECT_EQ(p.sendCost(1000), 0);
  EXPECT_EQ(p.wtimeSeconds, 1e-8);
  EXPECT_EQ(p.testSeconds, 25e-9);
  EXPECT_EQ(p.iprobeSeconds, 25e-9);
  EXPECT_EQ(p.initSeconds, 0);
  EXPECT_EQ(p.cpuThresholdSeconds, 1e-6);
  EXPECT_EQ(p.loopbackBandwidth, 1e10);
  EXPECT_FALSE(p.hostSpeedFlops);
  EXPECT_FALSE(p.simulateComputation);
}

TEST(Parameters, FactorsOfEachSectionFromAboveItsThresholdOn) {
  const Parameters p = with({});
  struct Section {
    double threshold, latency, bandwidth;
  };
  constexpr Section sections[] = {{0, 2.01467, 0.812084},     {257, 1.95341, 0.338112},
                                  {732, 1.9503, 0.341987},    {1426, 1.61075, 0.608902},
                                  {3484, 1.88101, 0.77493},   {5776, 2.18796, 1.08739},
                                  {9376, 2.59299, 0.58729},   {15424, 3.48845, 0.697866},
                                  {65472, 11.6436, 0.940694}, {1e9, 11.6436, 0.940694}};
  for (size_t i = 0; i + 1 < std::size(sections); ++i)
    for (double size : {sections[i].threshold + 1, sections[i + 1].threshold}) {
      EXPECT_EQ(p.latencyFactor(size), sections[i].latency) << size;
      EXPECT_EQ(p.bandwidthFactor(size), sections[i].bandwidth) << size;
    }
}

TEST(Parameters, AnyCostOfTheProtocolIsOne) {
  EXPECT_FALSE(Protocol(with({})).takesCpuTime());
  for (const char *key : {"smpi/os", "smpi/ois", "smpi/or"})
    EXPECT_TRUE(Protocol(with({{key, "0:1us:0"}})).takesCpuTime()) << key;
}

TEST(Parameters, AnyOverheadOfLogGpsIsOne) {
  EXPECT_FALSE(LogGpsProtocol(with({})).takesCpuTime());
  for (const char *key : {"loggps/o", "loggps/Os", "loggps/Or"})
    EXPECT_TRUE(LogGpsProtocol(with({{key, "1us"}})).takesCpuTime()) << key;
}

TEST(Parameters, EachCostOfTheProtocolIsItsOwn) {
  Protocol costs(with({{"smpi/os", "0:1:1"},
                       {"smpi/ois", "0:2:2"},
                       {"smpi/or", "0:3:3"},
                       {"smpi/wtime", "4"},
                       {"smpi/test", "5"},
                       {"smpi/iprobe", "6"},
                       {"smpi/init", "7"}}));
  EXPECT_EQ(costs.sendSeconds(10), 11);
  EXPECT_EQ(costs.nonblockingSendSeconds(10), 22);
  EXPECT_EQ(costs.receiveSeconds(10), 33);
  EXPECT_EQ(costs.wtimeSeconds(), 4);
  EXPECT_EQ(costs.testSeconds(), 5);
  EXPECT_EQ(costs.iprobeSeconds(), 6);
  EXPECT_EQ(costs.initSeconds(), 7);
}

TEST(Parameters, ModelIsAPresetUnderTheOtherKeysWhereverItStands) {
  Parameters p = with({{"network/weight-S", "7"}, {"network/model", "raw"}});
  EXPECT_EQ(p.weightS, 7);
  EXPECT_EQ(p.tcpGammaBytes, 0);
  EXPECT_FALSE(p.crossTraffic);
  EXPECT_EQ(p.bandwidthFactor(1), 1);
  p = with({{"network/model", "LV08"}});
  EXPECT_EQ(p.latencyFactor(5), 13.01);
  EXPECT_EQ(p.bandwidthFactor(5), 0.97);
  EXPECT_EQ(p.weightS, 20537);
  EXPECT_EQ(with({{"network/model", "CM02"}}).weightS, 0);
}

TEST(Parameters, LaterSettingsWinAndAliasesAreTheSameKey) {
  EXPECT_EQ(
      with({{"network/bandwidth-factor", "0.5"}, {"smpi/bw-factor", "0.25"}}).bandwidthFactor(9),
      0.25);
}

TEST(Parameters, Values) {
  Parameters p = with({{"smpi/os", "0:1e-6:0"},
                       {"smpi/async-small-thresh", "65536"},
                       {"smpi/send-is-detached-thresh", "320KiB"},
                       {"smpi/wtime", "0"},
                       {"smpi/host-speed", "3.5Gf"},
                       {"smpi/simulate-computation", "no"},
                       {"smpi/cpu-threshold", "-1"},
                       {"network/crosstraffic", "off"},
                       {"network/loopback-lat", "1us"},
                       {"surf/precision", "1e-12"}});
  EXPECT_EQ(p.sendCost(10), 1e-6);
  EXPECT_EQ(p.asyncSmallBytes, 65536u);
  EXPECT_EQ(p.detachedBytes, 327680u);
  EXPECT_EQ(p.wtimeSeconds, 0);
  EXPECT_EQ(p.hostSpeedFlops, 3.5e9);
  EXPECT_EQ(p.simulateComputation, false);
  EXPECT_GT(p.cpuThresholdSeconds, 1e300);
  EXPECT_FALSE(p.crossTraffic);
  EXPECT_EQ(p.loopbackLatencySeconds, 1e-6);
  EXPECT_EQ(p.timingPrecisionSeconds, 1e-12);
  // The later setting wins: auto takes a speed back.
  EXPECT_FALSE(with({{"smpi/host-speed", "3.5Gf"}, {"smpi/host-speed", "auto"}}).hostSpeedFlops);
}

TEST(Parameters, BadValuesNameTheKey) {
  EXPECT_THAT(errorOf("network/TCP-gamma", "lots"),
              HasSubstr("network/TCP-gamma: not a number: 'lots'"));
  EXPECT_THAT(errorOf("network/TCP-gamma", "-1"), HasSubstr("negative"));
  EXPECT_THAT(errorOf("network/bandwidth-factor", "0"), HasSubstr("must be above zero"));
  EXPECT_THAT(errorOf("smpi/bw-factor", "0:0"), HasSubstr("must be above zero"));
  // No message would ever end, which would be told as a deadlock.
  EXPECT_THAT(errorOf("smpi/bw-factor", "0:1e-320"), HasSubstr("must be above zero"));
  EXPECT_THAT(errorOf("network/bandwidth-factor", "1e-300"), HasSubstr("must be above zero"));
  EXPECT_THAT(errorOf("network/crosstraffic", "maybe"), HasSubstr("expected yes or no"));
  EXPECT_THAT(errorOf("smpi/host-speed", "0f"), HasSubstr("above zero"));
  EXPECT_THAT(errorOf("smpi/os", "0:1us;100:2us;50:3us"),
              HasSubstr("smpi/os: the thresholds neither rise nor fall: 50 stands beside 100"));
  EXPECT_THAT(errorOf("smpi/lat-factor", "0:1;"),
              HasSubstr("smpi/lat-factor: an empty section at the end"));
  EXPECT_THAT(errorOf("smpi/or", "0:1us:"), HasSubstr("smpi/or: an empty value"));
  EXPECT_THAT(errorOf("network/loopback-bw", "0"), HasSubstr("above zero"));
  EXPECT_THAT(errorOf("network/model", "ns-3"),
              HasSubstr("'ns-3' is not supported; there are SMPI"));
}

TEST(Parameters, NoKeyTakesNonsense) {
  for (const ParameterInfo &row : parameterTable())
    for (const char *bad :
         {"nan", "inf", "-2", "0x10", "", "1e999", "0:1;;2:3", "zero point one"}) {
      const std::string error = errorOf(std::string(row.key).c_str(), bad);
      if (row.key == "affine/fit" && *bad) // the name of a file
        EXPECT_EQ(error, "accepted");
      else
        EXPECT_THAT(error, HasSubstr(std::string(row.key))) << "='" << bad << "'";
    }
}

TEST(Parameters, UnknownAndUnsupportedKeys) {
  EXPECT_THAT(errorOf("network/latency-facter", "1"),
              HasSubstr("unknown parameter 'network/latency-facter'; did you mean "
                        "'network/latency-factor'"));
  EXPECT_THAT(errorOf("smpi/shared-malloc", "global"),
              HasSubstr("'smpi/shared-malloc' is not supported"));
  EXPECT_THAT(errorOf("smpi/allreduce", "rdb"), HasSubstr("use --coll=allreduce:rdb"));
  EXPECT_THAT(errorOf("nonsense", "1"), HasSubstr("unknown parameter 'nonsense'"));
}

TEST(Parameters, KeysWithoutEffectAreNoted) {
  Parameters p = with({{"contexts/factory", "raw"}, {"tracing/filename", "x"}});
  ASSERT_EQ(p.notes.size(), 2u);
  EXPECT_THAT(p.notes[0], HasSubstr("'contexts/factory' has no effect"));
}

TEST(Parameters, ErrorsNameFileAndLine) {
  const Setting settings[] = {{"nonsense", "1", "p.xml", 7}};
  try {
    makeParameters(settings);
    FAIL();
  } catch (const InputError &error) {
    EXPECT_THAT(error.what(), HasSubstr("p.xml:7: unknown parameter"));
  }
}

TEST(Parameters, EveryRowIsDocumented) {
  std::ifstream file(GNOMON_DOCS "/models.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(manual.empty());
  for (const ParameterInfo &row : parameterTable()) {
    EXPECT_FALSE(row.help.empty()) << row.key;
    EXPECT_THAT(manual, HasSubstr("`" + std::string(row.key) + "`"));
    if (!row.alias.empty())
      EXPECT_THAT(manual, HasSubstr("`" + std::string(row.alias) + "`"));
  }
}
