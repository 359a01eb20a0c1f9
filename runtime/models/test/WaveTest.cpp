// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: alike messages that share links together, and nobody else with them, arrive when the
// solver says that they do, to the last bit, and in the same order, whatever comes before, after and
// between.
#include "Bench.h"

#include <gtest/gtest.h>

#include <random>

using namespace gnomon;

namespace {

/// A flat cluster behind a backbone; \p changing: and a profile of a link that no route has, so that
/// there are no waves.
platform::Platform cluster(int hosts, bool changing) {
  std::string text = "<platform version='4.1'><zone id='z' routing='Full'>";
  text += "<cluster id='c' prefix='n' suffix='' radical='0-" + std::to_string(hosts - 1) +
          "' speed='1Gf' bw='100MBps' lat='50us' bb_bw='300MBps' bb_lat='10us' "
          "loopback_bw='1GBps' loopback_lat='0'/>";
  text += "<link id='apart' bandwidth='1MBps' latency='0'/>";
  if (changing)
    text += "<trace id='p' periodicity='0'>\n1e9 1e6\n</trace>"
            "<trace_connect kind='BANDWIDTH' trace='p' element='apart'/>";
  return platform::loadXml(text + "</zone></platform>", "test.xml");
}

struct Arrivals {
  std::map<std::string, double> dates;
  std::vector<std::string> order;
  uint64_t waves;
};

/// Steps at each of which all hosts send alike, and now and then a stranger.
struct Traffic {
  int hosts;
  unsigned seed;
  int steps;
  int strangers; ///< of 10 steps, how many have one
  bool exchange; ///< each sends to two
};

std::string hostName(int number) { return "n" + std::to_string(number); }

void sendStep(Bench &bench, const Traffic &traffic, std::mt19937 &random, int step, double date) {
  const uint64_t sizes[] = {8, 100, 1000, 20000, 200000};
  const uint64_t bytes = sizes[random() % 5];
  const int shift = 1 + static_cast<int>(random() % (traffic.hosts - 1));
  for (int host = 0; host < traffic.hosts; ++host)
    for (int way = 0; way < (traffic.exchange ? 2 : 1); ++way) {
      const int to = (host + (way ? traffic.hosts - shift : shift)) % traffic.hosts;
      bench.send(std::to_string(step) + "." + std::to_string(host) + "." + std::to_string(way),
                 hostName(host).c_str(), hostName(to).c_str(), bytes, date);
    }
  if (static_cast<int>(random() % 10) >= traffic.strangers)
    return;
  const double later = (random() % 4) * 1e-5;
  for (int i = 0, count = 1 + static_cast<int>(random() % 3); i < count; ++i)
    bench.send("stranger" + std::to_string(step) + "." + std::to_string(i),
               hostName(static_cast<int>(random() % traffic.hosts)).c_str(),
               hostName(static_cast<int>(random() % traffic.hosts)).c_str(), sizes[random() % 5],
               date + later);
}

Arrivals arrivals(const Traffic &traffic, bool changing) {
  Bench bench(cluster(traffic.hosts, changing));
  std::mt19937 random(traffic.seed);
  double date = 0;
  for (int step = 0; step < traffic.steps; ++step) {
    sendStep(bench, traffic, random, step, date);
    const double gaps[] = {0, 1e-6, 1e-4, 1e-2};
    date += gaps[random() % 4];
  }
  Arrivals result{bench.run(), bench.order(), bench.flows().waves()};
  EXPECT_EQ(bench.flows().flowsInFlight(), 0U);
  return result;
}

/// How many waves there were.
uint64_t expectTheSame(const Traffic &traffic) {
  const Arrivals with = arrivals(traffic, false), without = arrivals(traffic, true);
  EXPECT_EQ(without.waves, 0U);
  EXPECT_EQ(with.order, without.order);
  EXPECT_EQ(with.dates, without.dates) << "seed " << traffic.seed; // to the last bit
  return with.waves;
}

} // namespace

TEST(Wave, ArrivesWhenTheSolverSaysSo) {
  uint64_t waves = 0;
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const int hosts : {2, 5, 15, 16, 40})
      waves += expectTheSame({hosts, seed, 30, 0, seed % 2 == 1});
  EXPECT_GT(waves, 300U);
}

TEST(Wave, StrangersBetweenChangeNothing) {
  uint64_t waves = 0;
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const int hosts : {3, 12, 17, 40})
      waves += expectTheSame({hosts, seed, 30, 1 + static_cast<int>(seed % 9), seed % 2 == 1});
  EXPECT_GT(waves, 300U);
}
