// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: `affine/fit` gives the line of least mean logarithmic error, to a file's times or to the
// piece-wise model of each route.
#include "models/delay/AffineFit.h"
#include "Bench.h"
#include "support/Error.h"

#include <gmock/gmock.h>

#include <fstream>

using namespace gnomon;
using namespace gnomon::models;
using ::testing::HasSubstr;

namespace {

std::string written(const std::string &name, const std::string &text) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

platform::Platform griffon() { return platform::load("cluster:n=2,bw=125MBps,lat=24us"); }

} // namespace

TEST(AffineFit, FindsALineThatIsThere) {
  std::vector<TimedSize> points;
  for (double bytes = 1; bytes < 1e8; bytes *= 3)
    points.push_back({bytes, 7e-6 + bytes / 1.25e9});
  AffineLine line = fitAffine(points);
  EXPECT_NEAR(line.latencySeconds, 7e-6, 1e-11);
  EXPECT_NEAR(line.bandwidth, 1.25e9, 1e4);
}

TEST(AffineFit, IsAMinimumOfTheMeanLogarithmicError) {
  // Times that no line meets: the error grows whichever way the figures go.
  const std::vector<TimedSize> points = {{1, 97e-6},     {300, 112e-6},   {4096, 130e-6},
                                         {65536, 1e-3},  {65537, 1.2e-3}, {1 << 20, 9.5e-3},
                                         {1 << 24, 0.14}};
  AffineLine line = fitAffine(points);
  const double error = meanLogError(line, points);
  for (double alpha : {0.97, 0.999, 1.001, 1.03})
    for (double beta : {0.97, 0.999, 1.001, 1.03})
      EXPECT_GE(meanLogError({line.latencySeconds * alpha, line.bandwidth * beta}, points),
                error - 1e-9);
  EXPECT_LT(error, 0.2);
}

TEST(AffineFit, AnOutlierDoesNotMoveIt) {
  std::vector<TimedSize> points;
  for (double bytes = 1; bytes < 1e8; bytes *= 3)
    points.push_back({bytes, 7e-6 + bytes / 1.25e9});
  points[9].seconds *= 10; // a least-squares fit would follow it
  EXPECT_NEAR(fitAffine(points).bandwidth, 1.25e9, 1e5);
}

TEST(AffineFit, BestIsNearerToThePieceWiseModelThanTheDefault) {
  // The figures that docs/models.md prints.
  double best = 0, standard = 0;
  int sizes = 0;
  for (uint64_t bytes = 1; bytes <= 1 << 24; bytes *= 2, ++sizes) {
    auto time = [&](const char *model, const char *fit) {
      Bench bench(griffon(), {{"affine/fit", fit}}, model);
      return bench.alone("node-0", "node-1", bytes);
    };
    const double truth = time("nocontention", "default");
    best += std::abs(std::log(time("affine", "best") / truth));
    standard += std::abs(std::log(time("affine", "default") / truth));
  }
  EXPECT_LT(best, standard);
  EXPECT_NEAR(std::exp(best / sizes) - 1, 0.088, 5e-4);
  EXPECT_NEAR(std::exp(standard / sizes) - 1, 0.091, 5e-4);
}

TEST(AffineFit, AFileGivesTheLineForAllRoutes) {
  const std::string file = written(
      "times", "# bytes, one-way time\n1 7.0008us\n1000 7.8us # c\n\n1MB 807us\n1GB 800.007ms\n");
  Bench bench(griffon(), {{"affine/fit", file.c_str()}}, "affine");
  EXPECT_NEAR(bench.alone("node-0", "node-1", 1000000), 807e-6, 1e-10);
  EXPECT_NEAR(bench.alone("node-0", "node-0", 1000000), 807e-6, 1e-10);
  Bench other(griffon(), {{"affine/fit", file.c_str()}, {"affine/latency", "1s"}}, "affine");
  EXPECT_NEAR(other.alone("node-0", "node-1", 1000000), 1.0008, 1e-9) << "given outright";
}

TEST(AffineFit, ErrorsNameFileAndLine) {
  auto error = [](const char *text) -> std::string {
    const std::string file = written("bad", text);
    try {
      Bench bench(griffon(), {{"affine/fit", file.c_str()}}, "affine");
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error("1 1us\n2 nan\n"), HasSubstr("bad:2: "));
  EXPECT_THAT(error("1 0\n"), HasSubstr("bad:1: a time must be above zero"));
  EXPECT_THAT(error("1 1us 2us\n"), HasSubstr("bad:1: expected BYTES SECONDS"));
  EXPECT_THAT(error("1\n"), HasSubstr("bad:1: expected BYTES SECONDS"));
  EXPECT_THAT(error("-1 1us\n"), HasSubstr("bad:1: "));
  EXPECT_THAT(error("5 1us\n5 2us\n"), HasSubstr("two different sizes"));
  EXPECT_THAT(error(""), HasSubstr("two different sizes"));
  EXPECT_THROW(Bench(griffon(), {{"affine/fit", ""}}, "affine"), InputError);
  EXPECT_THROW(Bench(griffon(), {{"affine/fit", "no-such-file"}}, "affine"), InputError);
}
