// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: half a round trip on SMPI's calibration clusters takes what SMPI says, to the digits that
// it prints.
//
// Reference: smpirun 3.32 and 4.1.1 (equal), --cfg=smpi/wtime:0, computation off, on platforms like
// those below.
#include "Bench.h"

#include <gtest/gtest.h>

namespace {

/// Griffon as SMPI ships it: cabinets on a 10-Gigabit backbone each, joined by one more.
gnomon::platform::Platform griffon() {
  std::string text = "<platform version='4.1'><zone id='griffon' routing='Full'>";
  for (const char *cabinet : {"1", "2"})
    text += std::string("<cluster id='c") + cabinet + "' prefix='c" + cabinet +
            "-' suffix='' radical='0-1' speed='1Gf' bw='125MBps' lat='24us' bb_bw='1.25GBps' "
            "bb_lat='0' router_id='r" +
            cabinet + "'/>";
  text += "<link id='bb' bandwidth='1.25GBps' latency='24us'/>";
  text += "<zoneRoute src='c1' dst='c2' gw_src='r1' gw_dst='r2'><link_ctn id='bb'/></zoneRoute>";
  return gnomon::platform::loadXml(text + "</zone></platform>", "griffon");
}

/// Graphene after Bedaride et al. 2013, figure 5: between cabinets a message crosses both limiters
/// and two 10-Gigabit links.
gnomon::platform::Platform graphene() {
  std::string text = "<platform version='4.1'><zone id='graphene' routing='Full'>";
  for (const char *cabinet : {"1", "2"})
    text += std::string("<cluster id='c") + cabinet + "' prefix='c" + cabinet +
            "-' suffix='' radical='0-1' speed='1Gf' bw='125MBps' lat='24us' bb_bw='1.625GBps' "
            "bb_lat='0' router_id='r" +
            cabinet + "'/><link id='up" + cabinet +
            "' bandwidth='1.25GBps' latency='24us' sharing_policy='SPLITDUPLEX'/>";
  text += "<zoneRoute src='c1' dst='c2' gw_src='r1' gw_dst='r2'>"
          "<link_ctn id='up1' direction='UP'/><link_ctn id='up2' direction='DOWN'/></zoneRoute>";
  return gnomon::platform::loadXml(text + "</zone></platform>", "graphene");
}

struct Case {
  uint64_t bytes;
  double intra, inter;
};

void check(gnomon::platform::Platform platform, std::initializer_list<Case> cases) {
  Bench bench(std::move(platform));
  for (const Case &c : cases) {
    // The references are printed with 9 decimals or 5 significant digits.
    EXPECT_NEAR(bench.alone("c1-0", "c1-1", c.bytes), c.intra, std::max(0.6e-9, 1e-9 * c.intra))
        << c.bytes;
    EXPECT_NEAR(bench.alone("c1-0", "c2-1", c.bytes), c.inter, std::max(0.6e-9, 1e-9 * c.inter))
        << c.bytes;
  }
}

} // namespace

TEST(PingPong, Griffon) {
  check(griffon(), {{1, 9.6872e-5, 1.45224e-4},
                    {65536, 1.116371e-3, 1.395817e-3},
                    {1 << 20, 9.476496e-3, 9.755943e-3},
                    {1 << 24, 0.143238506, 0.143517952}});
}

TEST(PingPong, Graphene) {
  check(graphene(), {{1, 9.6872e-5, 1.93576e-4},
                     {65536, 1.116371e-3, 1.675263e-3},
                     {1 << 20, 9.476496e-3, 1.0035389e-2},
                     {1 << 24, 0.143238506, 0.143797399}});
}

TEST(PingPong, HandCheckOfOneByte) {
  // 48 us x 2.01467 + 17 / (125e6 x 0.812084)
  Bench bench(griffon());
  EXPECT_NEAR(bench.alone("c1-0", "c1-1", 1), 48e-6 * 2.01467 + 17 / (125e6 * 0.812084), 1e-15);
}
