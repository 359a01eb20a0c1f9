// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every bad platform file ends in one message with file, line and the name of what is
// wrong; none hangs, none is silently taken for something else.
#include "Routes.h"

#include "support/Error.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::HasSubstr;

namespace {

std::string errorOf(const std::string &text) {
  try {
    loadXml(text, "bad.xml");
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}

std::string inside(const std::string &content) {
  return errorOf("<platform version='4.1'>\n" + content + "</platform>");
}

/// A zone with hosts a and b, a link l, and \p more on line 4.
std::string zone(const std::string &more) {
  return inside("<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                "<link id='l' bandwidth='1GBps' latency='1us'/>\n" +
                more + "</zone>");
}

std::string link(const std::string &attributes) {
  return zone("<link id='m' " + attributes + "/>");
}

std::string cluster(const std::string &attributes) {
  return inside("<cluster id='c' prefix='n' suffix='' speed='1Gf' bw='1GBps' lat='1us' " +
                attributes + "/>");
}

} // namespace

TEST(BadInput, Quantities) {
  EXPECT_THAT(link("bandwidth='nan'"), HasSubstr("bad.xml:4: bandwidth: not a number: 'nan'"));
  EXPECT_THAT(link("bandwidth='NaNBps'"), HasSubstr("bandwidth: not a number"));
  EXPECT_THAT(link("bandwidth='-1GBps'"), HasSubstr("bandwidth: negative number"));
  EXPECT_THAT(link("bandwidth='0'"), HasSubstr("bandwidth: must be above zero"));
  EXPECT_THAT(link("bandwidth='1e400'"), HasSubstr("bandwidth: number out of range"));
  EXPECT_THAT(link("bandwidth='0x10Bps'"), HasSubstr("unknown unit"));
  EXPECT_THAT(link("bandwidth='1GBps' latency='nan'"), HasSubstr("latency: not a number"));
  EXPECT_THAT(link("bandwidth='1GBps' latency='-5us'"), HasSubstr("latency: negative"));
  EXPECT_THAT(link("bandwidth='1GBps' latency='inf'"), HasSubstr("latency: not a number"));
  EXPECT_THAT(link("bandwidth='1GBps' latency='5lightyears'"),
              HasSubstr("unknown unit 'lightyears'"));
  EXPECT_THAT(link("latency='1us'"), HasSubstr("'link' needs the attribute 'bandwidth'"));
  EXPECT_THAT(link("bandwidth=''"), HasSubstr("'link' needs the attribute 'bandwidth'"));
  EXPECT_THAT(zone("<host id='c' speed='0f'/>"), HasSubstr("speed: must be above zero"));
  EXPECT_THAT(zone("<host id='c' speed='1Gf' core='0'/>"), HasSubstr("core: must be between"));
  EXPECT_THAT(zone("<host id='c' speed='1Gf' core='-2'/>"), HasSubstr("core: not a whole number"));
  EXPECT_THAT(zone("<host id='c' speed='1Gf' pstate='3'/>"), HasSubstr("no speed number 3"));
}

TEST(BadInput, Names) {
  EXPECT_THAT(zone("<host id='a' speed='1Gf'/>"),
              HasSubstr("bad.xml:4: a second host, router or zone named 'a'"));
  EXPECT_THAT(zone("<link id='l' bandwidth='1GBps'/>"), HasSubstr("a second link named 'l'"));
  EXPECT_THAT(zone("<route src='a' dst='x'><link_ctn id='l'/></route>"),
              HasSubstr("unknown host, router or zone 'x'"));
  EXPECT_THAT(zone("<route src='a' dst='b'><link_ctn id='k'/></route>"),
              HasSubstr("unknown link 'k'"));
  EXPECT_THAT(zone("<route src='a' dst='b'/>"), HasSubstr("at least one 'link_ctn'"));
  EXPECT_THAT(zone("<route src='a' dst='b'><link_ctn id='l'/></route><route src='a' "
                   "dst='b'><link_ctn id='l'/></route>"),
              HasSubstr("a second route from 'a' to 'b'"));
  EXPECT_THAT(zone("<route src='a' dst='b'><link_ctn id='l'/></route><route src='b' "
                   "dst='a'><link_ctn id='l'/></route>"),
              HasSubstr("a second route from 'b' to 'a'"));
  EXPECT_THAT(zone("<zoneRoute src='a' dst='b'><link_ctn id='l'/></zoneRoute>"),
              HasSubstr("'a' is not a zone"));
}

TEST(BadInput, WhatIsNotSupportedIsNamed) {
  EXPECT_THAT(zone("<disk id='d'/>"),
              HasSubstr("bad.xml:4: element 'disk' is not supported in 'zone'"));
  EXPECT_THAT(zone("<storage id='d'/>"), HasSubstr("removed it in version 3.27; write a disk"));
  EXPECT_THAT(inside("<include file='/etc/passwd'/>"),
              HasSubstr("removed it in version 3.18; put the included lines here"));
  EXPECT_THAT(inside("<actor host='a' function='f'/>"),
              HasSubstr("bad.xml:2: element 'actor' is not supported in 'platform': programs are "
                        "started by `gnomon run -n N`"));
  EXPECT_THAT(zone("<host id='c' speed='1Gf' colour='f'/>"),
              HasSubstr("attribute 'colour' of 'host' is not supported"));
  EXPECT_THAT(zone("<host id='c' sped='1Gf'/>"), HasSubstr("did you mean 'speed'"));
  EXPECT_THAT(link("bandwidth='1GBps' sharing_policy='WIFI'"),
              HasSubstr("bad.xml:4: sharing_policy: 'WIFI' is not supported: there is no model of "
                        "wireless networks"));
  EXPECT_THAT(
      inside("<zone id='z' routing='Wifi'/>"),
      HasSubstr("bad.xml:2: routing: 'Wifi' is not supported: there is no model of wireless"));
  EXPECT_THAT(inside("<zone id='z' routing='Fool'/>"),
              HasSubstr("bad.xml:2: routing: 'Fool' is not supported; there are Full"));
  EXPECT_THAT(cluster("radical='0-3' topology='TORUZ' topo_parameters='2,2'"),
              HasSubstr("topology: unknown 'TORUZ'"));
  EXPECT_THAT(errorOf("<platform version='3'/>"), HasSubstr("version '3' is not supported"));
}

TEST(BadInput, Bypasses) {
  EXPECT_THAT(zone("<bypassRoute src='a' dst='b'/>"),
              HasSubstr("bad.xml:4: 'bypassRoute' needs at least one 'link_ctn'"));
  EXPECT_THAT(
      zone("<bypassRoute src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></bypassRoute>"),
      HasSubstr("attribute 'symmetrical' of 'bypassRoute' is not supported"));
  EXPECT_THAT(zone("<bypassRoute src='a' dst='b'><link_ctn id='l'/></bypassRoute>"
                   "<bypassRoute src='a' dst='b'><link_ctn id='l'/></bypassRoute>"),
              HasSubstr("a second bypass from 'a' to 'b'"));
  EXPECT_THAT(zone("<bypassZoneRoute src='a' dst='b'><link_ctn id='l'/></bypassZoneRoute>"),
              HasSubstr("'a' is not a zone"));
  auto zones = [](const std::string &bypass) {
    return inside("<zone id='w' routing='Full'>\n<zone id='p' routing='Full'>"
                  "<zone id='q' routing='Full'><host id='b' speed='1Gf'/></zone></zone>\n"
                  "<link id='l' bandwidth='1GBps'/>\n" +
                  bypass + "</zone>");
  };
  EXPECT_THAT(zones("<bypassRoute src='p' dst='b'><link_ctn id='l'/></bypassRoute>"),
              HasSubstr("bad.xml:5: 'p' is a zone: write a bypassZoneRoute"));
  // Followed, it would call itself for ever.
  EXPECT_THAT(zones("<bypassZoneRoute src='p' dst='q' gw_src='b' gw_dst='b'><link_ctn id='l'/>"
                    "</bypassZoneRoute>"),
              HasSubstr("would begin in the zone where it ends"));
}

TEST(BadInput, Coordinates) {
  auto vivaldi = [](const std::string &more) {
    return inside("<zone id='z' routing='Vivaldi'>\n" + more + "</zone>");
  };
  EXPECT_THAT(vivaldi("<host id='a' speed='1Gf'/>"),
              HasSubstr("bad.xml:3: 'host' needs the attribute 'coordinates'"));
  EXPECT_THAT(vivaldi("<host id='a' speed='1Gf' coordinates='1 2'/>"),
              HasSubstr("coordinates: a number is missing in '1 2'; expected x, y and height"));
  EXPECT_THAT(vivaldi("<host id='a' speed='1Gf' coordinates='1 2 3 4'/>"),
              HasSubstr("are more than three numbers"));
  EXPECT_THAT(vivaldi("<host id='a' speed='1Gf' coordinates='1 nan 3'/>"),
              HasSubstr("coordinates: not a number: 'nan'"));
  EXPECT_THAT(vivaldi("<peer id='a' speed='1Gf' bw_in='1' bw_out='0' coordinates='1 2 3'/>"),
              HasSubstr("bw_out: must be above zero"));
  EXPECT_THAT(zone("<peer id='p' speed='1Gf' bw_in='1' bw_out='1' coordinates='1 2 3'/>"),
              HasSubstr("element 'peer' is not supported in 'zone'"));
}

TEST(BadInput, Radicals) {
  EXPECT_THAT(cluster("radical='0-2000000000'"), HasSubstr("more than 1048576 hosts"));
  EXPECT_THAT(cluster("radical='0-99999999999999999999'"), HasSubstr("out of range"));
  // Refused before anything is made of it: who counted to that number one by one would never end.
  EXPECT_THAT(cluster("radical='0-18446744073709551615'"), HasSubstr("more than 1048576 hosts"));
  EXPECT_THAT(cluster("radical='5-1'"), HasSubstr("the range '5-1' runs backwards"));
  EXPECT_THAT(cluster("radical='0-'"), HasSubstr("radical: not a whole number"));
  EXPECT_THAT(cluster("radical='a'"), HasSubstr("radical: not a whole number"));
  EXPECT_THAT(cluster(""), HasSubstr("needs the attribute 'radical'"));
  EXPECT_THAT(cluster("radical='1,1'"), HasSubstr("a second host, router or zone named 'n1'"));
  EXPECT_THAT(cluster("radical='0-3' bb_lat='1us'"), HasSubstr("bb_lat without bb_bw"));
}

TEST(BadInput, Topologies) {
  auto topology = [](const char *name, const char *parameters, const char *radical = "0-3") {
    return cluster(std::string("radical='") + radical + "' topology='" + name +
                   "' topo_parameters='" + parameters + "'");
  };
  EXPECT_THAT(cluster("radical='0-3' topology='TORUS'"),
              HasSubstr("bad.xml:2: 'cluster' needs the attribute 'topo_parameters'"));
  EXPECT_THAT(topology("TORUS", "2,x"),
              HasSubstr("bad.xml:2: topo_parameters: not a whole number: 'x'"));
  EXPECT_THAT(topology("TORUS", "2,"), HasSubstr("topo_parameters: "));
  EXPECT_THAT(topology("TORUS", "4,0"), HasSubstr("'0' is not between 1 and"));
  EXPECT_THAT(topology("TORUS", "4,-1"), HasSubstr("topo_parameters: "));
  EXPECT_THAT(topology("TORUS", "3,3"), HasSubstr("makes 9 hosts, but the radical '0-3' names 4"));
  EXPECT_THAT(topology("TORUS", "99999999999999999999"), HasSubstr("topo_parameters: "));
  EXPECT_THAT(topology("TORUS", "1000000,1000000,1000000,1000000"),
              HasSubstr("more than 1048576 hosts"));
  EXPECT_THAT(
      topology("TORUS", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4"),
      HasSubstr("more than 32 levels or dimensions"));
  EXPECT_THAT(topology("FAT_TREE", "4"), HasSubstr("FAT_TREE takes \"levels;children;parents"));
  EXPECT_THAT(topology("FAT_TREE", "2;4;1;1"), HasSubstr("FAT_TREE takes"));
  EXPECT_THAT(topology("FAT_TREE", "1;4;1;1;1"), HasSubstr("FAT_TREE takes"));
  EXPECT_THAT(topology("FAT_TREE", "1;4;0;1"), HasSubstr("'0' is not between"));
  EXPECT_THAT(topology("FAT_TREE", "1;4;1000000;1000000"), HasSubstr("more than 8388608 links"));
  EXPECT_THAT(topology("DRAGONFLY", "2,2"), HasSubstr("DRAGONFLY takes \"groups,cables;chassis"));
  EXPECT_THAT(topology("DRAGONFLY", "2;1,1;2,1;1"), HasSubstr("DRAGONFLY takes"));
  EXPECT_THAT(topology("DRAGONFLY", "4,1;1,1;1,1;1"), HasSubstr("as many blades as groups"));
  EXPECT_THAT(topology("DRAGONFLY", "1,1;1,1;4,100000;1"), HasSubstr("cables must be between"));
  EXPECT_THAT(topology("DRAGONFLY", "1,1;1,1;1048576,1;1", "0-1048575"),
              HasSubstr("more than 8388608 links"));
}

TEST(BadInput, NotXml) {
  EXPECT_THAT(errorOf(""), HasSubstr("bad.xml"));
  EXPECT_THAT(errorOf("<platform version='4.1'>\n<zone id='z'"),
              HasSubstr("bad.xml:2: not well-formed XML"));
  EXPECT_THAT(errorOf("hello"), HasSubstr("bad.xml"));
  EXPECT_THAT(errorOf(std::string("\0\1\2\xff<", 5)), HasSubstr("bad.xml"));
  EXPECT_THAT(errorOf("<config/>"), HasSubstr("expected the element 'platform', found 'config'"));
  EXPECT_THAT(inside("words"), HasSubstr("text inside 'platform'"));
  EXPECT_THAT(inside(""), HasSubstr("has no hosts"));
}

TEST(BadInput, EntitiesDoNotGrow) {
  std::string text = "<!DOCTYPE p [<!ENTITY a 'aaaaaaaaaa'>";
  for (char c = 'b'; c < 'k'; ++c)
    text += std::string("<!ENTITY ") + c + " '&" + char(c - 1) + ";&" + char(c - 1) + ";'>";
  text += "]><platform version='4.1'><zone id='&j;' routing='Full'><host id='h' "
          "speed='1Gf'/></zone></platform>";
  EXPECT_EQ(errorOf(text), "accepted") << "entities are left as they stand";
}

TEST(BadInput, DeepNestingIsRefused) {
  std::string text = "<platform version='4.1'>";
  for (int i = 0; i < 100000; ++i)
    text += "<zone id='z" + std::to_string(i) + "' routing='Full'>";
  for (int i = 0; i < 100000; ++i)
    text += "</zone>";
  EXPECT_THAT(errorOf(text + "</platform>"), HasSubstr("nested more than 64 deep"));
}

TEST(BadInput, GatewayMustLieInItsZone) {
  EXPECT_THAT(
      inside(
          "<zone id='w' routing='Full'>\n<zone id='p' routing='Full'><host id='a' "
          "speed='1Gf'/></zone>\n"
          "<zone id='q' routing='Full'><host id='b' speed='1Gf'/></zone>\n"
          "<link id='l' bandwidth='1GBps'/>\n"
          "<zoneRoute src='p' dst='q' gw_src='b' gw_dst='b'><link_ctn id='l'/></zoneRoute></zone>"),
      HasSubstr("bad.xml:6: gw_src: 'b' is not in 'p'"));
}
