// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the equations of Psins.h and Pmac.h, each as a closed form. L = 1 ms, B = 100 MB/s, all
// messages 10 MB: a body takes 100 ms.
#include "Bench.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

constexpr uint64_t TenMB = 10000000;

Bench psins(const char *model,
            std::pair<const char *, const char *> more = {"psins/latency", "1ms"}) {
  return Bench(platform::load("cluster:n=4,bw=1GBps,lat=1us"),
               {{"psins/latency", "1ms"}, {"psins/bandwidth", "100MBps"}, more}, model);
}

} // namespace

TEST(Psins, SimpleIsLatencyPlusBodyForEach) {
  Bench bench = psins("simple");
  bench.send("first", "node-0", "node-1", TenMB);
  bench.send("second", "node-0", "node-1", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["second"], 0.101);
}

TEST(Psins, FiguresNotGivenAreTheRoutes) {
  // 2 us + 10 MB / (1 GB/s); no envelope
  Bench bench(platform::load("cluster:n=4,bw=1GBps,lat=1us"), {}, "simple");
  EXPECT_DOUBLE_EQ(bench.alone("node-0", "node-1", TenMB), 2e-6 + 0.01);
}

TEST(Psins, OneBusIsHeldForTheBody) {
  Bench bench = psins("bus");
  bench.send("first", "node-0", "node-1", TenMB);
  bench.send("second", "node-2", "node-3", TenMB, 0.05); // waits 50 ms
  bench.send("third", "node-2", "node-3", TenMB, 0.5);   // the bus is free again
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["second"], 0.201);
  EXPECT_DOUBLE_EQ(at["third"], 0.601);
}

TEST(Psins, TwoBussesTakeTheThirdMessageWhenTheFirstEnds) {
  Bench bench = psins("bus", {"psins/buses", "2"});
  bench.send("first", "node-0", "node-1", TenMB);
  bench.send("second", "node-1", "node-2", TenMB, 0.03);
  bench.send("third", "node-2", "node-3", TenMB, 0.04);  // at 100 ms
  bench.send("fourth", "node-3", "node-0", TenMB, 0.05); // at 130 ms
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["second"], 0.131);
  EXPECT_DOUBLE_EQ(at["third"], 0.201);
  EXPECT_DOUBLE_EQ(at["fourth"], 0.231);
}

TEST(Psins, NoLimitMakesTheBusSimple) {
  Bench bench = psins("bus", {"psins/buses", "0"});
  bench.send("first", "node-0", "node-1", TenMB);
  bench.send("second", "node-0", "node-1", TenMB);
  EXPECT_DOUBLE_EQ(bench.run()["second"], 0.101);
}

TEST(Psins, InLinksAreTheReceiversOnly) {
  Bench bench = psins("in-link");
  bench.send("first", "node-0", "node-2", TenMB);
  bench.send("same receiver", "node-1", "node-2", TenMB);
  bench.send("same sender", "node-0", "node-3", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["same receiver"], 0.201);
  EXPECT_DOUBLE_EQ(at["same sender"], 0.101);
}

TEST(Psins, OutLinksAreTheSendersOnly) {
  Bench bench = psins("out-link");
  bench.send("first", "node-0", "node-2", TenMB);
  bench.send("same receiver", "node-1", "node-2", TenMB);
  bench.send("same sender", "node-0", "node-3", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["same receiver"], 0.101);
  EXPECT_DOUBLE_EQ(at["same sender"], 0.201);
}

TEST(Psins, SeveralLinksOfANode) {
  Bench in = psins("in-link", {"psins/in-links", "2"});
  Bench out = psins("out-link", {"psins/out-links", "2"});
  for (Bench *bench : {&in, &out}) {
    for (const char *name : {"first", "second", "third"})
      bench->send(name, "node-0", "node-1", TenMB);
    auto at = bench->run();
    EXPECT_DOUBLE_EQ(at["second"], 0.101);
    EXPECT_DOUBLE_EQ(at["third"], 0.201);
  }
}

TEST(Psins, WithinANodeLocalFiguresAndNoResource) {
  for (const char *model : {"simple", "bus", "in-link", "out-link", "pmac"}) {
    Bench bench(platform::load("cluster:n=4,bw=1GBps,lat=1us"),
                {{"psins/bandwidth", "100MBps"},
                 {"psins/latency", "1ms"},
                 {"psins/local-bandwidth", "1GBps"},
                 {"psins/local-latency", "2us"}},
                model);
    bench.send("across", "node-0", "node-1", TenMB);
    bench.send("within", "node-0", "node-0", TenMB);
    bench.send("also within", "node-0", "node-0", TenMB);
    auto at = bench.run();
    EXPECT_DOUBLE_EQ(at["across"], 0.101) << model;
    EXPECT_DOUBLE_EQ(at["within"], 2e-6 + 0.01) << model;
    EXPECT_DOUBLE_EQ(at["also within"], 2e-6 + 0.01) << model;
  }
}

TEST(Pmac, BandwidthIsDividedByTheMessagesOnTheBusses) {
  Bench bench = psins("pmac");
  bench.send("first", "node-0", "node-1", TenMB);        // B
  bench.send("second", "node-2", "node-3", TenMB, 0.01); // B / 2
  bench.send("third", "node-2", "node-3", TenMB, 0.3);   // alone again
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["second"], 0.01 + 0.201);
  EXPECT_DOUBLE_EQ(at["third"], 0.3 + 0.101);
}

TEST(Pmac, LinksOfANodeAreDividedByItsMessages) {
  // No limit of busses. 0 -> 1: B; 2 -> 3: B; 0 -> 3 shares either link with one more: B / 2;
  // 0 -> 2 is the third out of node 0: B / 3
  Bench bench = psins("pmac", {"psins/buses", "0"});
  bench.send("01", "node-0", "node-1", TenMB);
  bench.send("23", "node-2", "node-3", TenMB);
  bench.send("03", "node-0", "node-3", TenMB);
  bench.send("02", "node-0", "node-2", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["01"], 0.101);
  EXPECT_DOUBLE_EQ(at["23"], 0.101);
  EXPECT_DOUBLE_EQ(at["03"], 0.201);
  EXPECT_DOUBLE_EQ(at["02"], 0.301);
}

TEST(Pmac, InLinksDivideToo) {
  Bench bench = psins("pmac", {"psins/buses", "0"});
  bench.send("first", "node-0", "node-3", TenMB);
  bench.send("second", "node-1", "node-3", TenMB);
  auto at = bench.run();
  EXPECT_DOUBLE_EQ(at["first"], 0.101);
  EXPECT_DOUBLE_EQ(at["second"], 0.201);
}
