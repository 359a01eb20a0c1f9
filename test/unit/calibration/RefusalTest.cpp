// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: samples from which no machine follows, or an absurd one, are refused with the reason.
#include "Synthetic.h"
#include "calibration/Report.h"
#include "measurements/Readers.h"
#include "support/Error.h"

#include <gmock/gmock.h>
#include <ostream>

using namespace gnomon;
using namespace gnomon::calibration;

namespace {

struct Bad {
  std::string lines;
  std::string reason;
  /// Names the test; without it, bytes of addresses do.
  friend void PrintTo(const Bad &bad, std::ostream *out) { *out << '"' << bad.reason << '"'; }
};

class Refusals : public testing::TestWithParam<Bad> {};

TEST_P(Refusals, NameTheReason) {
  measurements::Collector collector;
  measurements::readText(RawHead + GetParam().lines + RawEnd, "f", collector);
  const measurements::Measurements measured = collector.finish({"f"});
  try {
    calibrate(measured, {}, {});
    FAIL() << GetParam().reason;
  } catch (const InputError &error) {
    EXPECT_EQ(error.file(), "f");
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().reason));
  }
}

std::string level(const std::string &experiment) {
  Plan plan;
  plan.mostBytes = 100;
  return rawLines(experiment, {{NoEnd, 50e-6, 1e12}}, plan);
}

/// Times that fall from 100 to 20 us.
std::string falling() {
  std::string text;
  for (int bytes = 1000; bytes <= 10000; bytes += 250)
    text += fmt::format("pingpong,2,inter,{},0,1,{},0\n", bytes, 110e-6 - bytes * 9e-9);
  return text;
}

std::string zeros() {
  std::string text;
  for (int bytes : {1, 2, 3, 4})
    text += fmt::format("pingpong,2,inter,{},0,1,0,0\n", bytes);
  return text;
}

std::string manySizes() {
  std::string text;
  for (size_t bytes = 1; bytes <= MostSizes + 1; ++bytes)
    text += fmt::format("pingpong,2,inter,{},0,1,{},0\n", bytes, 1e-6);
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    All, Refusals,
    testing::Values(
        Bad{rawLines("stream", One, {}), "there is no ping-pong between hosts"},
        Bad{rawLines("pingpong", One, {}, 2, "intra"), "all ping-pongs are within a host"},
        Bad{"pingpong,2,inter,8,0,1,0.1,0\npingpong,2,inter,9,0,1,0.1,0\n",
            "2 different sizes, and 3 are the fewest"},
        Bad{zeros(), "all times are 0"}, Bad{manySizes(), "1501 different sizes, more than 1500"},
        Bad{falling(), "the times fall by"},
        Bad{level("pingpong"), "neither streams nor the ping-pong's greatest messages"},
        Bad{rawLines("pingpong", {{NoEnd, 50, 1e3}}, {}), "a latency of"},
        Bad{rawLines("pingpong", {{NoEnd, 1e-7, 1e13}}, {}), "beyond that of any memory"},
        Bad{rawLines("pingpong", {{NoEnd, 1e-3, 0.1}}, {96, 40, 1000, 0, 1, 0, 0}), "is absurd"}));

} // namespace
