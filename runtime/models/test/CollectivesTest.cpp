// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the equations of PsinsCollectives.h and CurveFile.h, and that a wrong file names its
// line.
#include "Bench.h"
#include "models/collectives/CurveFile.h"
#include "support/Error.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace gnomon;
using namespace gnomon::models;
using ::testing::HasSubstr;

namespace {

std::vector<platform::HostIndex> hosts(size_t count) {
  std::vector<platform::HostIndex> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

double time(CollectiveTimes &times, std::string_view name, size_t ranks, uint64_t bytes) {
  std::vector<platform::HostIndex> list = hosts(ranks);
  return times.seconds({name, list, bytes});
}

std::string errorOf(const char *text) {
  try {
    CurveFile::parse(text, "curves");
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST(PsinsCollectives, StepsTimesLatencyAndBody) {
  for (const char *model : {"simple", "bus", "in-link", "out-link", "pmac"}) {
    Bench bench(platform::load("cluster:n=17,bw=1GBps,lat=1us"),
                {{"psins/latency", "10us"}, {"psins/bandwidth", "100MBps"}}, model);
    CollectiveTimes &times = *bench.network->collectives();
    for (const char *name : {"bcast", "reduce", "allreduce", "scan", "exscan"}) {
      EXPECT_DOUBLE_EQ(time(times, name, 16, 1000000), 4 * 10.01e-3) << name;
      EXPECT_DOUBLE_EQ(time(times, name, 17, 1000000), 5 * 10.01e-3) << name;
    }
    EXPECT_DOUBLE_EQ(time(times, "barrier", 16, 0), 40e-6);
    for (const char *name : {"gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
                             "alltoall", "alltoallv", "alltoallw", "reduce_scatter"})
      EXPECT_DOUBLE_EQ(time(times, name, 16, 1000000), 15 * 10.01e-3) << name;
  }
}

TEST(PsinsCollectives, FiguresNotGivenAreTheWorstRoutes) {
  // a to b and c to d share a link of 1 ms; a to d has 3 ms more and 50 MB/s.
  Bench bench(platform::loadXml("<platform version='4.1'><zone id='z' routing='Full'>"
                                "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                                "<host id='c' speed='1Gf'/>"
                                "<link id='l' bandwidth='100MBps' latency='1ms'/>"
                                "<link id='far' bandwidth='50MBps' latency='3ms'/>"
                                "<route src='a' dst='b'><link_ctn id='l'/></route>"
                                "<route src='a' dst='c'><link_ctn id='l'/><link_ctn id='far'/>"
                                "</route></zone></platform>",
                                "test.xml"),
              {}, "simple");
  EXPECT_DOUBLE_EQ(time(*bench.network->collectives(), "bcast", 2, 1000000), 1e-3 + 10e-3);
  EXPECT_DOUBLE_EQ(time(*bench.network->collectives(), "gather", 3, 1000000), 2 * (4e-3 + 20e-3));
}

TEST(PsinsCollectives, OnOneNodeLocalFigures) {
  Bench bench(
      platform::load("cluster:n=2,bw=1GBps,lat=1us"),
      {{"psins/latency", "1s"}, {"psins/local-latency", "2us"}, {"psins/local-bandwidth", "1GBps"}},
      "simple");
  const platform::HostIndex same[] = {1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(bench.network->collectives()->seconds({"bcast", same, 1000}), 2 * 3e-6);
}

TEST(PsinsCollectives, OrOfMessages) {
  Bench bench(platform::load("cluster:n=2,bw=1GBps,lat=1us"), {{"psins/collectives", "messages"}},
              "pmac");
  EXPECT_FALSE(bench.network->collectives()->times("bcast"));
  Bench other(platform::load("cluster:n=2,bw=1GBps,lat=1us"), {}, "smpi");
  EXPECT_EQ(other.network->collectives(), nullptr);
  EXPECT_THROW(Bench(platform::load("cluster:n=2,bw=1GBps,lat=1us"),
                     {{"psins/collectives", "fast"}}, "pmac"),
               InputError);
}

TEST(CurveFile, EachFormOfALine) {
  CurveFile file = CurveFile::parse("# a comment\n"
                                    "barrier constant latency=3us\n"
                                    "bcast linear latency=5us bandwidth=100MBps # another\n"
                                    "\n"
                                    "  allreduce\tlogarithmic latency=5us curve=16,0.25\r\n"
                                    "alltoall linear curve=20,-0.5,0.02 from=1KiB to=1MiB",
                                    "curves");
  EXPECT_DOUBLE_EQ(time(file, "barrier", 16, 0), 3e-6);
  EXPECT_DOUBLE_EQ(time(file, "bcast", 16, 1000000), 15 * (5e-6 + 0.01));
  const double f = std::exp(16) * std::pow(1e6, 0.25);
  EXPECT_NEAR(time(file, "allreduce", 16, 1000000), 4 * (5e-6 + 1e6 / f), 1e-15);
  EXPECT_NEAR(time(file, "allreduce", 16, 1000000), 14.2547e-3, 5e-8) << "the worked example";
  EXPECT_DOUBLE_EQ(time(file, "allreduce", 16, 0), 20e-6);
  for (auto [bytes, at] : {std::pair{100., 1024.}, {65536., 65536.}, {1e8, 1048576.}}) {
    const double x = std::log(at);
    EXPECT_NEAR(time(file, "alltoall", 3, static_cast<uint64_t>(bytes)),
                2 * bytes / std::exp(20 - 0.5 * x + 0.02 * x * x), 1e-12)
        << bytes;
  }
}

TEST(CurveFile, WhatItDoesNotNameOthersKnow) {
  CurveFile file = CurveFile::parse("bcast constant latency=1s", "curves");
  EXPECT_TRUE(file.times("bcast"));
  EXPECT_FALSE(file.times("allreduce"));
  Bench bench(platform::load("cluster:n=4,bw=1GBps,lat=1us"), {}, "simple");
  file.setOthers(bench.network->collectives());
  EXPECT_TRUE(file.times("allreduce"));
  EXPECT_DOUBLE_EQ(time(file, "bcast", 4, 1), 1);
  EXPECT_DOUBLE_EQ(time(file, "barrier", 4, 0), 2 * 2e-6);
}

TEST(CurveFile, ErrorsNameFileAndLine) {
  EXPECT_THAT(errorOf("bcast linear latency=5us\nbcast linear latency=5us"),
              HasSubstr("curves:2: 'bcast' stands twice"));
  EXPECT_THAT(errorOf("bcast linear"), HasSubstr("curves:1: bcast: it would take no time"));
  EXPECT_THAT(errorOf("bcast"), HasSubstr("curves:1: bcast: expected constant, logarithmic"));
  EXPECT_THAT(errorOf("bcast linear 5us"), HasSubstr("expected KEY=VALUE, found '5us'"));
  EXPECT_THAT(errorOf("bcast linear latncy=5us"), HasSubstr("did you mean 'latency'"));
  for (const char *bad : {"latency=nan", "latency=-1", "latency=", "bandwidth=0", "bandwidth=inf",
                          "curve=", "curve=1,", "curve=1,nan", "curve=1;2", "from=0", "to=0",
                          "curve=1,2,3,4,5,6,7,8,9", "curve=1000", "curve=-1000", "curve=10,0,-3",
                          "curve=1 from=2KiB to=1KiB", "curve=1 bandwidth=1GBps"})
    EXPECT_THAT(errorOf(("# one\nbcast linear " + std::string(bad)).c_str()),
                HasSubstr("curves:2: bcast: "))
        << bad;
  EXPECT_THAT(errorOf("# nothing\n"), HasSubstr("no collective"));
}
