// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: messages that went before in the same way arrive when the solver says that they do, to the
// last bit, and in the same order, on every kind of platform, whatever comes before, after and between.
#include "Bench.h"

#include <gtest/gtest.h>

#include <random>

using namespace gnomon;

namespace {

constexpr int Hosts = 16;

std::string zones(const std::string &cluster) {
  return "<platform version='4.1'><zone id='z' routing='Full'>"
         "<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='100MBps' "
         "lat='50us' " +
         cluster +
         "/>"
         // Of no route. A platform with a profile has no waves.
         "<link id='apart' bandwidth='1MBps' latency='0'/>";
}

platform::Platform machine(const std::string &cluster, bool changing) {
  const std::string profile = "<trace id='p' periodicity='0'>\n1e9 1e6\n</trace>"
                              "<trace_connect kind='BANDWIDTH' trace='p' element='apart'/>";
  return platform::loadXml(zones(cluster) + (changing ? profile : "") + "</zone></platform>",
                           "test.xml");
}

const char *const Flat = "";
const char *const Backbone = "bb_bw='300MBps' bb_lat='10us'";
const char *const Torus = "topology='TORUS' topo_parameters='4,4' sharing_policy='SPLITDUPLEX'";
const char *const FatTree = "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,1'";
const char *const Dragonfly = "topology='DRAGONFLY' topo_parameters='2,1;2,1;2,1;2'";

std::string hostName(int number) { return "n" + std::to_string(number); }

/// Rounds of the same few steps; now and then one has a stranger among it.
struct Traffic {
  unsigned seed;
  int rounds;
  int strangers; ///< of 10 steps, how many have one
};

/// One of the steps: shifts by one distance or two, exchanges with partners, and sends to anywhere.
std::vector<std::pair<int, int>> pairsOf(int step) {
  std::mt19937 random(static_cast<unsigned>(step) * 7919U);
  std::vector<std::pair<int, int>> pairs;
  const int distance = 1 + static_cast<int>(random() % (Hosts - 1));
  for (int host = 0; host < Hosts; ++host) {
    if (step % 4 == 0 || step % 4 == 1)
      pairs.emplace_back(host, (host + distance) % Hosts);
    if (step % 4 == 1)
      pairs.emplace_back(host, (host + Hosts - distance) % Hosts);
    if (step % 4 == 2)
      pairs.emplace_back(host, host ^ (1 << (step / 4 % 4)));
    if (step % 4 == 3 && random() % 3 == 0)
      pairs.emplace_back(host, static_cast<int>(random() % Hosts));
  }
  return pairs;
}

void sendStep(Bench &bench, const std::string &name, int step, double date) {
  const uint64_t sizes[] = {8, 100, 1000, 20000};
  int number = 0;
  for (const auto &[from, to] : pairsOf(step))
    bench.send(name + std::to_string(++number), hostName(from).c_str(), hostName(to).c_str(),
               sizes[step % 3], date);
}

struct Arrivals {
  std::map<std::string, double> dates;
  std::vector<std::string> order;
  uint64_t waves;
};

Arrivals arrivals(const char *cluster, const Traffic &traffic, bool changing) {
  Bench bench(machine(cluster, changing));
  std::mt19937 random(traffic.seed);
  const auto dice = [&](int sides) {
    return static_cast<int>(random() % static_cast<unsigned>(sides));
  };
  double date = 0;
  const int steps = 2 + dice(8), firstStep = dice(40);
  for (int i = 0; i < steps * traffic.rounds; ++i) {
    sendStep(bench, std::to_string(i) + ".", firstStep + i % steps, date);
    if (dice(10) < traffic.strangers)
      bench.send("stranger" + std::to_string(i), hostName(dice(Hosts)).c_str(),
                 hostName(dice(Hosts)).c_str(), 20000, date + dice(40) * 1e-5);
    // Most steps come after the end of the one before; some come together, or while it is under way.
    const double gaps[] = {0, 3e-5, 3e-4, 1e-2, 1e-2, 1e-2, 1e-2, 1e-2};
    date += gaps[dice(8)];
  }
  Arrivals result{bench.run(), bench.order(), bench.flows().waves()};
  EXPECT_EQ(bench.flows().flowsInFlight(), 0U);
  return result;
}

/// How many waves there were.
uint64_t expectTheSame(const char *cluster, const Traffic &traffic) {
  const Arrivals with = arrivals(cluster, traffic, false),
                 without = arrivals(cluster, traffic, true);
  EXPECT_EQ(without.waves, 0U);
  EXPECT_EQ(with.order, without.order);
  EXPECT_EQ(with.dates, without.dates) << cluster << " seed " << traffic.seed; // to the last bit
  return with.waves;
}

/// Rounds of steps that each begin to share links when the one before ends, or \p offSeconds later. A
/// message of 20,000 bytes pays 3.48845 times the latency of two links.
Arrivals successions(int steps, double offSeconds, bool changing) {
  double seconds = 0; // that the first step shares links
  for (const bool whole : {false, true}) {
    Bench bench(machine(Flat, changing));
    for (int round = 0; round < (whole ? 12 : 1); ++round)
      for (int step = 0; step < (whole ? steps : 1); ++step)
        for (int host = 0; host < Hosts; ++host)
          bench.send(std::to_string(round) + "." + std::to_string(step) + "." +
                         std::to_string(host),
                     hostName(host).c_str(), hostName((host + 1 + step) % Hosts).c_str(), 20000,
                     round + step * (seconds + offSeconds));
    const std::map<std::string, double> dates = bench.run();
    if (whole)
      return {dates, bench.order(), bench.flows().waves()};
    seconds = dates.at("0.0.0") - 3.48845 * 100e-6;
  }
  return {};
}

class KnownWave : public testing::TestWithParam<const char *> {};

/// How many waves there are when \p rounds times two hosts send to two others each.
uint64_t wavesOf(int rounds, double gapSeconds) {
  Bench bench(machine(Flat, false));
  for (int round = 0; round < rounds; ++round)
    for (const auto &[from, to] : {std::pair(0, 2), {0, 3}, {1, 2}, {1, 3}})
      bench.send(std::to_string(round * 100 + from * 10 + to), hostName(from).c_str(),
                 hostName(to).c_str(), 100000, round * gapSeconds);
  bench.run();
  return bench.flows().waves();
}

} // namespace

TEST_P(KnownWave, ArrivesWhenTheSolverSaysSo) {
  uint64_t waves = 0;
  for (unsigned seed = 0; seed < 40; ++seed)
    waves += expectTheSame(GetParam(), {seed, 8, 0});
  EXPECT_GT(waves, 400U);
}

TEST_P(KnownWave, StrangersBetweenChangeNothing) {
  uint64_t waves = 0;
  for (unsigned seed = 0; seed < 80; ++seed)
    waves += expectTheSame(GetParam(), {seed, 8, 1 + static_cast<int>(seed % 9)});
  EXPECT_GT(waves, 400U);
}

INSTANTIATE_TEST_SUITE_P(OnEachPlatform, KnownWave,
                         testing::Values(Flat, Backbone, Torus, FatTree, Dragonfly));

TEST(KnownWaves, FollowOneAnother) {
  for (const int steps : {2, 3, 4}) {
    uint64_t waves = 0;
    for (const double off : {0.0, 3e-10, -3e-10, 9e-10, -9e-10, 2e-9, -2e-9, 1e-6, -1e-6}) {
      const Arrivals with = successions(steps, off, false), without = successions(steps, off, true);
      EXPECT_EQ(with.order, without.order) << off;
      EXPECT_EQ(with.dates, without.dates) << off; // to the last bit
      EXPECT_EQ(without.waves, 0U);
      if (off == 0)
        waves = with.waves;
    }
    // The first is known after two rounds, each other one two rounds after the one that it follows.
    EXPECT_EQ(waves, steps == 2 ? 10U + 8U : steps == 3 ? 10U + 8U + 6U : 10U + 8U + 6U + 4U);
  }
}

TEST(KnownWaves, BeginWithTheThirdTimeAndNotBesideOthers) {
  EXPECT_EQ(wavesOf(2, 1), 0U); // seen, then learned
  EXPECT_EQ(wavesOf(10, 1), 8U);
  EXPECT_EQ(wavesOf(10, 1e-3), 0U); // of more than 2 ms each
}

TEST(KnownWaves, KeepNoMoreThanTheyMay) {
  models::KnownWaves known(0);
  constexpr size_t Flows = 10000;
  std::vector<uint64_t> keys;
  for (uint64_t wave = 0; wave < 3; ++wave) {
    keys.push_back(models::KnownWaves::keyOf(0, 1, Flows, wave, wave));
    EXPECT_EQ(known.place(keys.back(), Flows), nullptr); // at first sight
    models::KnownWave *const place = known.place(keys.back(), Flows);
    ASSERT_NE(place, nullptr);
    place->pairs.assign(Flows, 0);
    EXPECT_EQ(known.find(keys.back()), place);
    EXPECT_EQ(wave > 0 && known.find(keys[wave - 1]), false); // gave way
  }
  EXPECT_EQ(known.place(models::KnownWaves::keyOf(0, 1, 1U << 20, 0, 0), 1U << 20), nullptr);
}
