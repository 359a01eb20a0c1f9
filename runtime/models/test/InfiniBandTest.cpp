// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the penalties of InfiniBand.h, each as a closed form. Hosts on links of 100 MB/s that are
// wide enough or not, no latency; 1 MB with the envelope takes 10 ms alone.
#include "Bench.h"
#include "support/Error.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

constexpr uint64_t OneMB = 1000000 - 16;
constexpr double Alone = 0.01;
constexpr double E = 0.965, S = 0.925, G = 1.35;

/// Fat pipes: only the penalties limit. No cross-traffic: it would be a limit of its own.
Bench wide(Bench::Settings settings = {{"network/crosstraffic", "no"}}) {
  return Bench(platform::load("cluster:n=6,bw=100MBps,lat=0s,sharing=FATPIPE"), settings, "ib");
}

/// Messages of 1 MB at t = 0, named "from>to"; when each arrived.
std::map<std::string, double> together(Bench &bench, std::initializer_list<const char *> pairs) {
  for (const char *pair : pairs)
    bench.send(pair, ("node-" + std::string(pair, 1)).c_str(),
               ("node-" + std::string(pair + 2, 1)).c_str(), OneMB);
  return bench.run();
}

} // namespace

TEST(InfiniBand, AMessageAloneHasNoPenaltyAndNoFactors) {
  Bench bench = wide();
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", OneMB), Alone);
}

TEST(InfiniBand, OneMessageHasNoPenaltyWhateverTheFactors) {
  Bench bench = wide({{"network/crosstraffic", "no"}, {"ib/penalty-factors", "2;3;5"}});
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", OneMB), Alone);
}

TEST(InfiniBand, FanOutDividesByBetaSTimesTheMessages) {
  Bench bench = wide();
  auto at = together(bench, {"0>1", "0>2", "0>3"});
  for (const char *pair : {"0>1", "0>2", "0>3"})
    EXPECT_DOUBLE_EQ(at[pair], Alone * S * 3);
}

TEST(InfiniBand, FanInDividesByBetaETimesTheSenders) {
  Bench bench = wide();
  auto at = together(bench, {"1>0", "2>0", "3>0", "4>0"});
  EXPECT_DOUBLE_EQ(at["4>0"], Alone * E * 4);
}

TEST(InfiniBand, SeveralMessagesOfOneSenderCountTwice) {
  // in = 3, from 1 two of two senders: 2 betaE 2 against out(1) = 2 with a crowded receiver,
  // 2 betaS gammaS = 2.4975; from 2: 1 betaE 2. When the latter ends, two of one sender are left:
  // betaE 2 = 1.93, against 2 betaS = 1.85.
  Bench bench = wide();
  bench.send("a", "node-1", "node-0", OneMB);
  bench.send("b", "node-1", "node-0", OneMB);
  bench.send("c", "node-2", "node-0", OneMB);
  auto at = bench.run();
  const double c = Alone * E * 2, done = c / (Alone * E * 4);
  EXPECT_DOUBLE_EQ(at["c"], c);
  EXPECT_DOUBLE_EQ(at["a"], c + (1 - done) * Alone * E * 2);
  EXPECT_DOUBLE_EQ(at["b"], at["a"]);
}

TEST(InfiniBand, ACrowdedReceiverSlowsAllOfItsSenders) {
  // in(0) = 3: out(1) = 2 costs 2 betaS gammaS for both, more than nothing (to 4) and less than
  // 3 betaE (to 0)
  Bench bench = wide();
  auto at = together(bench, {"1>0", "1>4", "2>0", "3>0"});
  EXPECT_DOUBLE_EQ(at["1>4"], Alone * S * 2 * G);
  EXPECT_DOUBLE_EQ(at["2>0"], Alone * E * 3);
}

TEST(InfiniBand, TwoIntoAReceiverAreNoCrowd) {
  Bench bench = wide();
  auto at = together(bench, {"1>0", "1>4", "2>0"});
  // 1: 2 betaS = 1.85 and 2 betaE = 1.93 to 0
  EXPECT_DOUBLE_EQ(at["1>4"], Alone * S * 2);
  // What came last to 0 is alone from then on, and its sender too.
  EXPECT_DOUBLE_EQ(at["1>0"], Alone * E * 2);
}

TEST(InfiniBand, BothDirectionsDoNotMeet) {
  Bench bench = wide();
  auto at = together(bench, {"0>1", "1>0"});
  EXPECT_DOUBLE_EQ(at["0>1"], Alone);
  EXPECT_DOUBLE_EQ(at["1>0"], Alone);
}

TEST(InfiniBand, PenaltiesEndWithTheMessages) {
  // Until 4 ms alone; then 1.85 until the second has its 0.5 MB; then alone again.
  Bench bench = wide();
  bench.send("long", "node-0", "node-1", OneMB);
  bench.send("short", "node-0", "node-2", 500000 - 16, 0.004);
  auto at = bench.run();
  EXPECT_NEAR(at["short"], 0.004 + 0.005 * 1.85, 1e-12);
  EXPECT_NEAR(at["long"], 0.004 + 0.005 * 1.85 + 0.001, 1e-12);
}

TEST(InfiniBand, AFreedSenderFreesTheOthersOfItsReceiver) {
  // 1 and 2 send to 0; the shorter one's end leaves the other alone.
  Bench bench = wide();
  bench.send("long", "node-1", "node-0", OneMB);
  bench.send("short", "node-2", "node-0", 500000 - 16);
  auto at = bench.run();
  EXPECT_NEAR(at["short"], 0.005 * 1.93, 1e-12);
  EXPECT_NEAR(at["long"], 0.005 * 1.93 + 0.005, 1e-12);
}

TEST(InfiniBand, WithinANodeNothingCounts) {
  Bench bench = wide();
  auto at = together(bench, {"0>0", "0>1"});
  EXPECT_DOUBLE_EQ(at["0>1"], Alone);
  // An index that a penalised flow had leaves nothing behind.
  Bench again = wide();
  together(again, {"0>1", "0>2", "0>3"});
  again.send("within", "node-0", "node-0", OneMB, 1);
  const double within = again.run()["within"] - 1;
  Bench fresh = wide();
  EXPECT_NEAR(within, fresh.alone("node-0", "node-0", OneMB), 1e-12);
}

TEST(InfiniBand, LinksStillLimit) {
  Bench bench(platform::load("cluster:n=4,bw=100MBps,lat=0s"), {{"network/crosstraffic", "no"}},
              "ib");
  auto at = together(bench, {"0>1", "0>2"});
  EXPECT_DOUBLE_EQ(at["0>1"], 2 * Alone); // 1.85 would be faster
}

TEST(InfiniBand, CountsFromTheStartOfTheLatency) {
  // The second message is still in its latency of 6 ms when the first one ends.
  Bench bench(platform::loadXml("<platform version='4.1'><zone id='z' routing='Full'>"
                                "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                                "<host id='c' speed='1Gf'/>"
                                "<link id='near' bandwidth='100MBps'/>"
                                "<link id='far' bandwidth='100MBps' latency='30ms'/>"
                                "<route src='a' dst='b'><link_ctn id='near'/></route>"
                                "<route src='a' dst='c'><link_ctn id='far'/></route>"
                                "</zone></platform>",
                                "test.xml"),
              {{"network/crosstraffic", "no"}, {"network/TCP-gamma", "0"}}, "ib");
  bench.send("near", "a", "b", OneMB);
  bench.send("far", "a", "c", OneMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["near"], Alone * S * 2);
  EXPECT_DOUBLE_EQ(at["far"], 0.03 + Alone);
}

TEST(InfiniBand, FactorsAreParameters) {
  for (const char *key : {"ib/penalty-factors", "smpi/IB-penalty-factors"}) {
    Bench bench = wide({{"network/crosstraffic", "no"}, {key, "2;0.9;1.5"}});
    auto at = together(bench, {"1>0", "1>4", "2>0", "3>0"});
    EXPECT_NEAR(at["1>4"], Alone * 0.9 * 2 * 1.5, 1e-12) << key;
    EXPECT_NEAR(at["2>0"], Alone * 2 * 3, 1e-12) << key;
  }
}

TEST(InfiniBand, FactorsMustBeThreePositiveNumbers) {
  for (const char *bad :
       {"", "1", "1;2", "1;2;3;4", "1;2;3;", "1;;3", "1;2;nan", "1;-2;3", "0;1;1"})
    EXPECT_THROW(
        Bench({platform::load("cluster:n=2,bw=1GBps,lat=0s")}, {{"ib/penalty-factors", bad}}, "ib"),
        InputError)
        << bad;
}
