// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: platforms/machines describes the machines that the papers describe: their hosts, and the
// links, latencies and bandwidths under one switch and between two.
#include "Routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace gnomon::platform;

namespace {

constexpr double LinkLatency = 24e-6;
constexpr double Gigabit = 125e6; ///< bytes/s

class Machine {
public:
  Machine(const std::string &name, std::string suffix)
      : platform_(load(GNOMON_PLATFORMS "/machines/" + name + ".xml")), prefix_(name + "-"),
        suffix_(std::move(suffix)) {}

  void checkHosts(size_t count, uint32_t cores, double speedFlops) const {
    ASSERT_EQ(platform_.hosts().size(), count);
    for (const Host &host : platform_.hosts()) {
      EXPECT_EQ(host.cores, cores) << host.name.str();
      EXPECT_EQ(host.speedFlops, speedFlops) << host.name.str();
    }
    EXPECT_TRUE(platform_.findHost(host(1)) && platform_.findHost(host(count)));
  }

  /// The route between two numbered hosts, there and (of the same latency) back.
  void checkRoute(size_t from, size_t to, const char *links, double latencySeconds) const {
    EXPECT_EQ(routeText(platform_, host(from).c_str(), host(to).c_str()), links);
    EXPECT_DOUBLE_EQ(route(from, to).latencySeconds, latencySeconds);
    EXPECT_DOUBLE_EQ(route(to, from).latencySeconds, latencySeconds);
  }

  /// The bandwidths, bytes/s, along a route.
  std::vector<double> bandwidths(size_t from, size_t to) const {
    std::vector<double> values;
    for (LinkIndex link : route(from, to).links)
      values.push_back(platform_.links()[link].bandwidth);
    return values;
  }

  /// How many links a message crosses, for every host as seen from \p from.
  std::vector<size_t> hostsByLinks(size_t from) const {
    std::vector<size_t> counts;
    for (size_t to = 1; to <= platform_.hosts().size(); ++to) {
      if (to == from)
        continue;
      const size_t links = route(from, to).links.size();
      counts.resize(std::max(counts.size(), links + 1));
      ++counts[links];
    }
    return counts;
  }

private:
  std::string host(size_t number) const { return prefix_ + std::to_string(number) + suffix_; }

  Route route(size_t from, size_t to) const {
    Route route;
    platform_.route(platform_.findHost(host(from)).value(), platform_.findHost(host(to)).value(),
                    route);
    return route;
  }

  Platform platform_;
  std::string prefix_, suffix_;
};

using Bandwidths = std::vector<double>;
using Counts = std::vector<size_t>;

} // namespace

// Cabinets of 33, 27 and 32; between them one second-level switch.
TEST(Machines, Griffon) {
  Machine griffon("griffon", ".nancy.grid5000.fr");
  griffon.checkHosts(92, 8, 10e9);
  griffon.checkRoute(1, 33, "cabinet1_link_1_UP cabinet1_backbone cabinet1_link_33_DOWN",
                     2 * LinkLatency);
  griffon.checkRoute(33, 34,
                     "cabinet1_link_33_UP cabinet1_backbone second-level cabinet2_backbone "
                     "cabinet2_link_34_DOWN",
                     3 * LinkLatency);
  EXPECT_EQ(griffon.bandwidths(33, 34),
            (Bandwidths{Gigabit, 10 * Gigabit, 10 * Gigabit, 10 * Gigabit, Gigabit}));
  EXPECT_EQ(griffon.hostsByLinks(33), (Counts{0, 0, 0, 33 - 1, 0, 92 - 33}));
  EXPECT_EQ(griffon.hostsByLinks(60), (Counts{0, 0, 0, 27 - 1, 0, 92 - 27}));
}

// 18 switches, six with 18 nodes and twelve with 17; distant nodes are three switches apart.
TEST(Machines, Gdx) {
  Machine gdx("gdx", ".orsay.grid5000.fr");
  gdx.checkHosts(312, 2, 4e9);
  gdx.checkRoute(1, 18, "cabinets1-2_link_1_UP cabinets1-2_link_18_DOWN", 2 * LinkLatency);
  gdx.checkRoute(1, 312,
                 "cabinets1-2_link_1_UP uplink1_UP uplink18_DOWN cabinets35-36_link_312_DOWN",
                 4 * LinkLatency);
  EXPECT_EQ(gdx.bandwidths(1, 312), (Bandwidths{Gigabit, Gigabit, Gigabit, Gigabit}));
  EXPECT_EQ(gdx.hostsByLinks(1), (Counts{0, 0, 18 - 1, 0, 312 - 18}));
  EXPECT_EQ(gdx.hostsByLinks(312), (Counts{0, 0, 17 - 1, 0, 312 - 17}));
}

// The limiters of Bedaride et al. 2013: 1.5 B for a node, 13 Gbit/s for a cabinet, the latter on no
// route within a cabinet. Their example goes from node 40 to node 104.
TEST(Machines, Graphene) {
  Machine graphene("graphene", ".nancy.grid5000.fr");
  graphene.checkHosts(144, 4, 8e9);
  graphene.checkRoute(1, 39,
                      "cabinet1_link_1_limiter cabinet1_link_1_UP cabinet1_link_39_DOWN "
                      "cabinet1_link_39_limiter",
                      2 * LinkLatency);
  graphene.checkRoute(40, 104,
                      "cabinet2_link_40_limiter cabinet2_link_40_UP limiter2 uplink2_UP "
                      "uplink3_DOWN limiter3 cabinet3_link_104_DOWN cabinet3_link_104_limiter",
                      4 * LinkLatency);
  EXPECT_EQ(graphene.bandwidths(40, 104),
            (Bandwidths{1.5 * Gigabit, Gigabit, 13 * Gigabit, 10 * Gigabit, 10 * Gigabit,
                        13 * Gigabit, Gigabit, 1.5 * Gigabit}));
  for (auto [node, cabinet] : {std::pair{39, 39}, {74, 35}, {104, 30}, {144, 40}})
    EXPECT_EQ(graphene.hostsByLinks(node),
              (Counts{0, 0, 0, 0, size_t(cabinet) - 1, 0, 0, 0, 144 - size_t(cabinet)}));
}

// Two levels of Gigabit switches of 48 ports, of which a leaf uses 44: 43 nodes and the link up.
TEST(Machines, Tibidabo) {
  Machine tibidabo("tibidabo", "");
  tibidabo.checkHosts(128, 2, 1e9);
  tibidabo.checkRoute(1, 43, "leaf1_link_1_UP leaf1_link_43_DOWN", 2 * LinkLatency);
  tibidabo.checkRoute(1, 128, "leaf1_link_1_UP uplink1_UP uplink3_DOWN leaf3_link_128_DOWN",
                      4 * LinkLatency);
  EXPECT_EQ(tibidabo.bandwidths(1, 128), (Bandwidths{Gigabit, Gigabit, Gigabit, Gigabit}));
  for (auto [node, leaf] : {std::pair{1, 43}, {44, 43}, {128, 42}}) {
    EXPECT_EQ(tibidabo.hostsByLinks(node), (Counts{0, 0, size_t(leaf) - 1, 0, 128 - size_t(leaf)}));
  }
}
