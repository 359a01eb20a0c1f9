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
  EXPECT_THAT(errorOf("torus:4x4"), HasSubstr("'torus' is not supported yet"));
  EXPECT_THAT(errorOf("dragonfly:x"), HasSubstr("not supported yet"));
  EXPECT_THAT(errorOf("no-such-file.xml"), HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf("/"), HasSubstr("is a directory"));
}

TEST(BuiltIn, MissingUnitIsNoted) {
  Platform platform = load("cluster:n=4,bw=125,lat=1us");
  ASSERT_EQ(platform.notes().size(), 1u);
  EXPECT_THAT(platform.notes()[0], HasSubstr("no unit in bw=125"));
}

TEST(BuiltIn, DefaultPlatformIsFlatAndNonBlocking) {
  Platform platform = defaultPlatform(16384, 2e9);
  ASSERT_EQ(platform.hosts().size(), 16384u);
  EXPECT_EQ(platform.hosts()[5].speedFlops, 2e9);
  EXPECT_EQ(routeText(platform, "node-1", "node-16383"),
            "default_link_1_UP default_link_16383_DOWN");
  EXPECT_EQ(routeText(platform, "node-1", "node-1"), "default_link_1_loopback");
}
