// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a host's figures are read from what `gnomon calibrate cpu` writes, and nothing else is
// taken for it.
#include "cpu/Reader.h"
#include "support/Error.h"

#include <gtest/gtest.h>

namespace gnomon::cpu {
namespace {

std::string written(const std::string &points) {
  return R"({"version": 1, "cores": 4, "speed_flops": 2.5e9, "kernels": [
    {"name": "flops", "points": [{"busy": 1, "slowness": 1}, {"busy": 2, "slowness": 9}]},
    {"name": "memory", "points": [)" +
         points + "]}]}";
}

TEST(Host, IsSpeedCoresAndSlownessOfMemory) {
  const HostFigures host =
      hostFiguresOf(written(R"({"busy": 1, "slowness": 1}, {"busy": 2, "slowness": 1.2},
                 {"busy": 3, "slowness": 1.15}, {"busy": 4, "slowness": 2.41239})"),
                    "cpu.json");
  EXPECT_EQ(host.speedFlops, 2.5e9);
  EXPECT_EQ(host.cores, 4u);
  EXPECT_EQ(host.slowness, "2:1.2;3:1.2;4:2.412"); // 1.15 is scatter: more cores are not faster
}

TEST(Host, ThatDoesNotSlowDownHasNoCurve) {
  EXPECT_EQ(
      hostFiguresOf(written(R"({"busy": 1, "slowness": 1}, {"busy": 2, "slowness": 1.01})"), "f")
          .slowness,
      "");
}

TEST(Host, OtherFilesAreRefused) {
  for (const char *text :
       {"", "[1]", "{\"version\": 1}", R"({"version": 2, "kernels": []})",
        R"({"version": 1, "speed_flops": 1e9, "cores": 0, "kernels": []})",
        R"({"version": 1, "speed_flops": 1e9, "cores": 1e30, "kernels": []})",
        R"({"version": 1, "speed_flops": "fast", "cores": 1, "kernels": []})",
        R"({"version": 1, "speed_flops": 1e9, "cores": 1, "kernels": {"a": 1}})"})
    EXPECT_THROW(hostFiguresOf(text, "f"), InputError) << text;
  for (const char *points : {R"({"busy": 2})", R"({"busy": -2, "slowness": 1})", "7",
                             R"({"busy": 2, "slowness": -1})", R"({"busy": 2, "slowness": "1"})"})
    EXPECT_THROW(hostFiguresOf(written(points), "f"), InputError) << points;
}

} // namespace
} // namespace gnomon::cpu
