// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whatever pairs were asked for before, a path is the one that the platform's routes give.
#include "models/PathTable.h"

#include "models/Registry.h"
#include "platform/Xml.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

using namespace gnomon;
using models::PathTable;

namespace {

/// Hosts of one zone, each pair on a link of its own: as many kinds of paths as pairs.
platform::Platform manyKinds(int hosts) {
  std::string text = "<platform version='4.1'><zone id='z' routing='Full'>", links, routes;
  for (int i = 0; i < hosts; ++i) {
    text += "<host id='h" + std::to_string(i) + "' speed='1Gf'/>";
    for (int j = 0; j < i; ++j) {
      std::string name = "l" + std::to_string(i) + "-" + std::to_string(j);
      links += "<link id='" + name + "' bandwidth='1GBps' latency='" +
               std::to_string(1 + i * hosts + j) + "us'/>";
      routes += "<route src='h" + std::to_string(i) + "' dst='h" + std::to_string(j) +
                "'><link_ctn id='" + name + "'/></route>";
    }
  }
  return platform::loadXml(text + links + routes + "</zone></platform>", "test.xml");
}

/// What FlowModel.h says, from the routes.
void expectPath(const platform::Platform &machine, const models::Parameters &parameters,
                const solver::Weights &weights, PathTable &table, platform::HostIndex source,
                platform::HostIndex destination) {
  const auto loopback = static_cast<solver::ConstraintIndex>(machine.links().size());
  platform::Route there, back;
  machine.route(source, destination, there);
  machine.route(destination, source, back);
  std::map<solver::ConstraintIndex, double> uses;
  double latency = parameters.loopbackLatencySeconds, bound = parameters.loopbackBandwidth;
  double penalty = latency + parameters.weightS / bound;
  if (there.links.empty()) {
    uses[loopback] = 1;
  } else {
    penalty = latency = there.latencySeconds;
    bound = solver::Unbounded;
    for (platform::LinkIndex link : there.links) {
      bound = std::min(bound, machine.links()[link].bandwidth);
      penalty += parameters.weightS / machine.links()[link].bandwidth;
      uses[link] += 1;
    }
    for (platform::LinkIndex link : back.links)
      uses[link] += 0.05;
    bound = std::min(bound, parameters.tcpGammaBytes / (2 * latency));
  }
  const PathTable::Path &path = table.find(source, destination);
  ASSERT_DOUBLE_EQ(table.kind(path).latencySeconds, latency);
  ASSERT_DOUBLE_EQ(table.kind(path).penalty, penalty);
  ASSERT_DOUBLE_EQ(table.kind(path).bound, bound);
  auto got = table.usages(path);
  ASSERT_EQ(got.size(), uses.size());
  for (const solver::Usage &usage : got)
    ASSERT_DOUBLE_EQ(usage.weight, uses[usage.constraint]);
  for (const solver::Usage &usage : got)
    ASSERT_EQ(usage.weight, weights.at(usage.weightNumber, 0));
}

/// Any pairs, a few of them again and again, so that they compete for places.
void expectPaths(const platform::Platform &machine) {
  auto parameters = models::makeParameters(models::chooseNetwork("smpi", {}, {}).settings({}, {}));
  solver::Weights weights;
  PathTable table(machine, parameters, static_cast<solver::ConstraintIndex>(machine.links().size()),
                  weights);
  std::mt19937 random(3);
  const auto hosts = static_cast<uint32_t>(machine.hosts().size());
  for (int i = 0; i < 20000; ++i) {
    auto source = static_cast<platform::HostIndex>(random() % (i % 2 ? hosts : 3));
    auto destination = static_cast<platform::HostIndex>(random() % hosts);
    expectPath(machine, parameters, weights, table, source, destination);
    if (::testing::Test::HasFatalFailure())
      FAIL() << source << " to " << destination << " after " << i;
  }
}

} // namespace

TEST(PathTable, OnAClusterWithABackbone) {
  expectPaths(platform::load("cluster:n=50,bw=10Gbps,lat=5us,bb_bw=100Gbps,bb_lat=1us"));
}

// Hosts of one centre: in closed form where all are alike, and right where they are not.

TEST(PathTable, OnAClusterWithLimiters) {
  expectPaths(platform::load("cluster:n=50,bw=10Gbps,lat=5us,limiter=8Gbps"));
}

TEST(PathTable, OnAClusterWhoseLinksServeBothDirections) {
  expectPaths(platform::loadXml(
      "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-19' speed='1Gf' "
      "bw='1GBps' lat='5us' bb_bw='10GBps' bb_lat='1us' sharing_policy='SHARED'/></platform>",
      "test.xml"));
}

TEST(PathTable, OnTwoClusters) {
  const std::string rest = "' suffix='' radical='0-19' speed='1Gf' router_id='r";
  auto cluster = [&](const std::string &name, const char *figures) {
    return "<cluster id='" + name + "' prefix='" + name + rest + name + "' " + figures + "/>";
  };
  expectPaths(platform::loadXml(
      "<platform version='4.1'><zone id='z' routing='Full'>" +
          cluster("a", "bw='1GBps' lat='5us' bb_bw='10GBps' bb_lat='1us'") +
          cluster("b", "bw='2GBps' lat='3us'") +
          "<link id='l' bandwidth='1GBps' latency='7us'/><zoneRoute src='a' dst='b' gw_src='ra' "
          "gw_dst='rb'><link_ctn id='l'/></zoneRoute></zone></platform>",
      "test.xml"));
}

/// Hosts h0 to h5 around a centre, each with a link ui up and, but for the last, which may go down
/// by another's, di down.
struct Centre {
  std::function<std::string(int)> figures = [](int) { return "bandwidth='1GBps' latency='2us'"; };
  int downOfLast = 5;
  std::string rest = {}; ///< of the zone

  platform::Platform load() const {
    std::string hosts, uses;
    for (int i = 0; i < 6; ++i) {
      const std::string n = std::to_string(i), down = std::to_string(i == 5 ? downOfLast : i);
      hosts += "<host id='h" + n + "' speed='1Gf'/>";
      hosts +=
          "<link id='u" + n + "' " + figures(i) + "/><link id='d" + n + "' " + figures(i) + "/>";
      uses += "<host_link id='h" + n + "' up='u" + n + "' down='d" + down + "'/>";
    }
    return platform::loadXml("<platform version='4.1'><zone id='z' routing='Cluster'>" + hosts +
                                 "<link id='x' bandwidth='3GBps' latency='9us'/>" + uses +
                                 "<router id='r'/>" + rest + "</zone></platform>",
                             "test.xml");
  }
};

TEST(PathTable, OnACentre) { expectPaths(Centre().load()); }

TEST(PathTable, OnACentreWithLinksOfUnequalFigures) {
  expectPaths(Centre{.figures = [](int i) {
                return "bandwidth='1GBps' latency='" + std::to_string(2 + i / 5) + "us'";
              }}.load());
  expectPaths(Centre{.figures = [](int i) {
                return "latency='2us' bandwidth='" + std::to_string(1 + i / 5) + "GBps'";
              }}.load());
}

TEST(PathTable, OnACentreWhereAHostUsesAnothersLink) {
  expectPaths(Centre{.downOfLast = 2}.load());
}

TEST(PathTable, OnACentreWithABypass) {
  expectPaths(
      Centre{.rest = "<bypassRoute src='h1' dst='h3'><link_ctn id='x'/></bypassRoute>"}.load());
}

TEST(PathTable, WithMoreUsesThanALineHolds) {
  expectPaths(platform::load("torus:dims=32x3,bw=10Gbps,lat=5us"));
}

TEST(PathTable, WithAsManyKindsAsPairs) { expectPaths(manyKinds(40)); }
