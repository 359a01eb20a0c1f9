// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is known comes back from its samples: within 2 % without noise, with holes and
// outliers, and within 5 % when each sample is off by 10 %. "Comes back": the number of segments, the
// time of every size, and of each segment the startup and the bandwidth where they are two fifths of
// some time in it (less of it, no measurement tells as well).
#include "Synthetic.h"

#include <gtest/gtest.h>

using namespace gnomon::calibration;

namespace {

/// Whether \p part is worth asking for: two fifths of the time of a size that was measured.
bool counts(double part, double whole) { return part > 0.4 * whole; }

/// \p from and \p to: sizes that were measured in the segment.
void expectPiece(const Segment &found, const Piece &truth, double from, double to, double part) {
  const auto time = [&](double bytes) { return truth.startup + bytes / truth.bandwidth; };
  if (counts(truth.startup, time(from))) {
    EXPECT_NEAR(found.line.startupSeconds, truth.startup, part * truth.startup);
  }
  if (counts(to / truth.bandwidth, time(to))) {
    EXPECT_NEAR(found.line.perByteSeconds * truth.bandwidth, 1, part);
  }
}

void expectTruth(const std::vector<Datum> &data, const Truth &truth, double part) {
  const Segmentation pieces = segment(data, {});
  ASSERT_EQ(pieces.segments.size(), truth.size());
  for (const Datum &datum : data)
    EXPECT_NEAR(pieces(datum.bytes) / timeOf(truth, datum.bytes), 1, part) << datum.bytes;
  for (size_t at = 0; at < truth.size(); ++at) {
    const Segment &found = pieces.segments[at];
    SCOPED_TRACE(fmt::format("segment {}", at));
    expectPiece(found, truth[at], data[found.first].bytes, data[found.last].bytes, part);
  }
}

class Recovery : public testing::TestWithParam<const Truth *> {};

TEST_P(Recovery, WithoutNoise) { expectTruth(dataOf(*GetParam(), {}), *GetParam(), 0.02); }

TEST_P(Recovery, WithNoise) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Plan plan;
    plan.noise = 0.1;
    plan.samples = 200;
    plan.seed = seed;
    expectTruth(dataOf(*GetParam(), plan), *GetParam(), 0.05);
  }
}

TEST_P(Recovery, WithOutliers) {
  std::vector<Datum> data = dataOf(*GetParam(), {});
  for (size_t at = 9; at + 3 < data.size(); at += 17)
    data[at].seconds *= 20;
  const std::vector<bool> off = outliers(data);
  std::vector<Datum> kept;
  for (size_t at = 0; at < data.size(); ++at)
    if (!off[at])
      kept.push_back(data[at]);
  expectTruth(kept, *GetParam(), 0.02);
}

TEST_P(Recovery, WithAGap) {
  Plan plan;
  plan.gapFrom = 20000;
  plan.gapTo = 50000;
  expectTruth(dataOf(*GetParam(), plan), *GetParam(), 0.02);
}

/// One sample in twenty is a hundred times too long: medians pass over it.
TEST_P(Recovery, WithOutliersAmongSamples) {
  std::vector<Datum> data;
  for (auto [bytes, seconds] : samplesOf(*GetParam(), {})) {
    seconds[3] *= 100;
    seconds[17] *= 100;
    const auto point = gnomon::measurements::makePoint(bytes, seconds);
    data.push_back({static_cast<double>(bytes), point.median, point.relativeError()});
  }
  expectTruth(data, *GetParam(), 0.02);
}

INSTANTIATE_TEST_SUITE_P(Truths, Recovery, testing::Values(&One, &Two, &Four));

} // namespace
