// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a one-line platform makes the cluster it describes; what it does not understand it says
// by name.
#include "Routes.h"

#include "support/Error.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::HasSubstr;

namespace {
std::string errorOf(const std::string &text) {
  try {
    load(text);
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}
} // namespace

TEST(BuiltIn, ClusterOfOneLine) {
  Platform platform = load("cluster:n=64,bw=10Gbps,lat=2us,speed=3Gf,cores=4");
  ASSERT_EQ(platform.hosts().size(), 64u);
  EXPECT_EQ(platform.hosts()[63].name, "node-63");
  EXPECT_EQ(platform.hosts()[0].speedFlops, 3e9);
  EXPECT_EQ(platform.hosts()[0].cores, 4u);
  EXPECT_EQ(platform.links()[0].bandwidth, 1.25e9);
  EXPECT_EQ(platform.links()[0].latencySeconds, 2e-6);
  EXPECT_EQ(routeText(platform, "node-0", "node-1"), "cluster_link_0_UP cluster_link_1_DOWN");
  EXPECT_TRUE(platform.notes().empty());
}

TEST(BuiltIn, BackboneLimiterAndLoopback) {
  Platform platform = load("cluster:n=2,bw=10Gbps,lat=2us,bb_bw=100Gbps,bb_lat=1us,limiter=1Gbps,"
                           "loopback_bw=10GBps,loopback_lat=10ns,bb_sharing=FATPIPE");
  EXPECT_EQ(routeText(platform, "node-0", "node-1"),
            "cluster_link_0_limiter cluster_link_0_UP cluster_backbone cluster_link_1_DOWN "
            "cluster_link_1_limiter");
  EXPECT_EQ(routeText(platform, "node-1", "node-1"), "cluster_link_1_loopback");
  EXPECT_EQ(platform.links()[0].sharing, Sharing::FatPipe);
  EXPECT_EQ(platform.links()[0].latencySeconds, 1e-6);
}

TEST(BuiltIn, ErrorsNameTheKey) {
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps"), HasSubstr("'lat' is missing"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps,lat=1us,spede=1Gf"),
              HasSubstr("did you mean 'speed'"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps,lat=1us,lat=1us"), HasSubstr("given twice"));
  EXPECT_THAT(errorOf("cluster:n=0,bw=10Gbps,lat=1us"), HasSubstr("n must be between"));
  EXPECT_THAT(errorOf("cluster:n=2000000000,bw=10Gbps,lat=1us"), HasSubstr("1048576"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=0Gbps,lat=1us"), HasSubstr("'bw' must be above zero"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=nanGbps,lat=1us"), HasSubstr("bw: not a number"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps,lat=-1us"), HasSubstr("lat: negative"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps,lat"), HasSubstr("expected key=value"));
  EXPECT_THAT(errorOf("cluster:n=4,bw=10Gbps,lat=1us,dims=4"),
              HasSubstr("unknown key 'dims' of 'cluster'"));
  EXPECT_THAT(errorOf("no-such-file.xml"), HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf("/"), HasSubstr("is a directory"));
}

TEST(BuiltIn, Torus) {
  Platform platform = load("torus:dims=4x3,bw=10Gbps,lat=2us,loopback_bw=1GBps,sharing=SHARED");
  ASSERT_EQ(platform.hosts().size(), 12u);
  EXPECT_EQ(routeText(platform, "node-0", "node-5"),
            "torus_link_from_0_to_1 torus_link_from_1_to_5");
  EXPECT_EQ(routeText(platform, "node-5", "node-5"), "torus_link_5_loopback");
  EXPECT_EQ(load("torus:dims=1048576,bw=10Gbps,lat=2us").hosts().size(), 1048576u);
}

TEST(BuiltIn, FatTree) {
  Platform platform = load("fattree:down=4x4,up=1x2,cables=1x2,bw=10Gbps,lat=2us");
  ASSERT_EQ(platform.hosts().size(), 16u);
  EXPECT_EQ(
      routeText(platform, "node-1", "node-7"),
      "link_from_1_31_1_UP link_from_31_26_19_UP link_from_30_26_23_DOWN link_from_7_30_7_DOWN");
  EXPECT_EQ(load("fattree:down=4x4,up=1x2,bw=1Gbps,lat=2us").links().size(), 2u * (16 + 8));
}

TEST(BuiltIn, Dragonfly) {
  Platform platform =
      load("dragonfly:groups=2,chassis=3,blades=2,nodes=3,blue=4,bw=8Gbps,lat=2us,limiter=1GBps");
  ASSERT_EQ(platform.hosts().size(), 36u);
  EXPECT_THAT(routeText(platform, "node-0", "node-35"),
              HasSubstr("blue_link_between_group_0_and_1_routers_1_and_6_54_UP"));
  EXPECT_EQ(platform.links()[*platform.findHost("node-35")].name, "dragonfly_link_35_limiter");
  EXPECT_EQ(platform.links().back().bandwidth, 4e9);
}

TEST(BuiltIn, ErrorsOfTopologies) {
  EXPECT_THAT(errorOf("torus:4x4"), HasSubstr("expected key=value, found '4x4'"));
  EXPECT_THAT(errorOf("torus:bw=1Gbps,lat=1us"),
              HasSubstr("'dims' is missing: torus:dims=4x4x4,bw=10Gbps,lat=2us"));
  EXPECT_THAT(errorOf("torus:dims=4x,bw=1Gbps,lat=1us"), HasSubstr("dims: "));
  EXPECT_THAT(errorOf("torus:dims=4x0,bw=1Gbps,lat=1us"), HasSubstr("dims must be between 1"));
  EXPECT_THAT(errorOf("torus:dims=2048x2048,bw=1Gbps,lat=1us"), HasSubstr("more than 1048576"));
  EXPECT_THAT(errorOf("torus:dims=4,n=4,bw=1Gbps,lat=1us"),
              HasSubstr("unknown key 'n' of 'torus'"));
  EXPECT_THAT(errorOf("torus:dims=4,bb_bw=1Gbps,bw=1Gbps,lat=1us"),
              HasSubstr("unknown key 'bb_bw' of 'torus'"));
  EXPECT_THAT(errorOf("torus:dims=4,bw=1Gbps,lat=1us,sharing=WIFI"),
              HasSubstr("sharing must be SPLITDUPLEX, SHARED or FATPIPE"));
  EXPECT_THAT(errorOf("fattree:down=4x4,bw=1Gbps,lat=1us"), HasSubstr("'up' is missing: fattree:"));
  EXPECT_THAT(errorOf("fattree:down=4x4,up=1,bw=1Gbps,lat=1us"),
              HasSubstr("must have a number for each level"));
  EXPECT_THAT(errorOf("dragonfly:groups=4,chassis=1,blades=2,nodes=1,bw=1Gbps,lat=1us"),
              HasSubstr("as many blades as groups"));
  EXPECT_THAT(errorOf("dragonfly:groups=1x2,chassis=1,blades=2,nodes=1,bw=1Gbps,lat=1us"),
              HasSubstr("'groups' is one number"));
  EXPECT_THAT(errorOf("fat-tree:down=4"), HasSubstr("write fattree:"));
}

TEST(BuiltIn, MissingUnitIsNoted) {
  Platform platform = load("cluster:n=4,bw=125,lat=1us");
  ASSERT_EQ(platform.notes().size(), 1u);
  EXPECT_THAT(platform.notes()[0].render(), HasSubstr("bw: \"125\" has no unit"));
}

TEST(BuiltIn, DefaultPlatformIsFlatAndNonBlocking) {
  Platform platform = defaultPlatform(16384, 2e9);
  ASSERT_EQ(platform.hosts().size(), 16384u);
  EXPECT_EQ(platform.hosts()[5].speedFlops, 2e9);
  EXPECT_EQ(routeText(platform, "node-1", "node-16383"),
            "default_link_1_UP default_link_16383_DOWN");
  EXPECT_EQ(routeText(platform, "node-1", "node-1"), "default_loopback");
}
