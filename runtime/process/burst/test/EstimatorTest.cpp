// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Estimator.h"

#include "support/Number.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::process::burst;

namespace {

Estimator of(std::initializer_list<Sample> samples) {
  Estimator estimator;
  for (const Sample &sample : samples)
    estimator.add(sample);
  return estimator;
}

// Intent: the rate is the ratio of the sums, R = Σ c / Σ w, not the mean of the ratios.
TEST(Estimator, RateIsARatioOfSums) {
  // (10 + 60) / (1 + 10) = 6.36…; the mean of 10 and 6 would be 8.
  EXPECT_DOUBLE_EQ(of({{10, 1}, {60, 10}}).rate(), 70.0 / 11);
}

// Intent: s = √(Σ (r − R)² / (n − 1)), e = s / √n / R.
TEST(Estimator, SpreadAndError) {
  // r = 8, 10, 12; R = 10; s = √(8 / 2) = 2; e = 2 / √3 / 10.
  Estimator e = of({{8, 1}, {10, 1}, {12, 1}});
  EXPECT_DOUBLE_EQ(e.spread(), 2);
  EXPECT_DOUBLE_EQ(e.relativeError(), 2 / std::sqrt(3.0) / 10);
  EXPECT_TRUE(std::isinf(of({{8, 1}}).relativeError()));
}

// Intent: work that is not known counts as one unit.
TEST(Estimator, UnknownWorkIsOneInstance) { EXPECT_DOUBLE_EQ(of({{6, 0}, {8, 0}}).rate(), 7); }

// Intent: an instance far off is left out; many of them belong to the burst.
TEST(Estimator, OutliersAreLeftOutWhenTheyAreRare) {
  Estimator rare = of({{1, 1}, {1, 1}, {9, 1}, {1, 1}});
  EXPECT_DOUBLE_EQ(rare.rate(), 1);
  EXPECT_EQ(rare.outliers(), 1u);
  // 2 of 5 are more than a fifth.
  Estimator often = of({{1, 1}, {1, 1}, {9, 1}, {9, 1}, {1, 1}});
  EXPECT_DOUBLE_EQ(often.rate(), 21.0 / 5);
  EXPECT_EQ(often.outliers(), 0u);
  // 8 times the median and no more is none.
  EXPECT_EQ(of({{1, 1}, {1, 1}, {8, 1}, {1, 1}}).outliers(), 0u);
}

// Intent: a count is right, however far off: none is left out.
TEST(Estimator, CountedSamplesAreNoOutliers) {
  const Estimator rare = of({{.cost = 1, .counted = true},
                             {.cost = 1, .counted = true},
                             {.cost = 101, .counted = true},
                             {.cost = 1, .counted = true}});
  EXPECT_DOUBLE_EQ(rare.rate(), 26);
  EXPECT_EQ(rare.outliers(), 0u);
}

// Intent: three equal counts are enough where the work is known, and say little where it is not.
TEST(Estimator, InstancesOfUnknownWorkNeedMoreSamples) {
  const SamplePolicy usual, numbers = SamplePolicy::parse("n=3..100");
  Estimator sized, unsized;
  for (uint32_t i = 1; i < Estimator::LeastUnsized; ++i) {
    sized.add({.cost = 5, .counted = true});
    unsized.add({.cost = 5, .counted = true, .sized = false});
    EXPECT_EQ(sized.enough(usual), i >= usual.leastSamples) << i;
    EXPECT_FALSE(unsized.enough(usual)) << i;
    EXPECT_EQ(unsized.enough(numbers), i >= numbers.leastSamples) << i;
  }
  unsized.add({.cost = 5, .counted = true, .sized = false});
  EXPECT_TRUE(unsized.enough(usual));
}

// Intent: while they differ by much, such instances are counted ten times as often as others.
TEST(Estimator, InstancesOfUnknownWorkMayNeedMany) {
  const SamplePolicy policy;
  Estimator estimator;
  for (uint32_t i = 0; i < policy.mostSamples * Estimator::MoreUnsized; ++i) {
    EXPECT_FALSE(estimator.enough(policy)) << i;
    estimator.add({.cost = i % 8 == 7 ? 400.0 : 4, .counted = true, .sized = false});
  }
  EXPECT_TRUE(estimator.enough(policy));
  EXPECT_NEAR(estimator.rate(), 53.5, 0.5);
}

// Intent: what was seen to be disturbed is an outlier much sooner, but not for the disturbance
// alone.
TEST(Estimator, DisturbedSamplesAreSuspect) {
  Estimator slow = of({{1, 1}, {1, 1}, {2, 1, 0, true}, {1, 1}});
  EXPECT_DOUBLE_EQ(slow.rate(), 1);
  Estimator harmless = of({{1, 1}, {1, 1}, {1.4, 1, 0, true}, {1, 1}});
  EXPECT_DOUBLE_EQ(harmless.rate(), 1.1);
  EXPECT_DOUBLE_EQ(of({{1, 1}, {1, 1}, {2, 1}, {1, 1}}).rate(), 1.25);
}

// Intent: enough is at least n samples within the error, or the most there may be.
TEST(Estimator, EnoughFollowsThePolicy) {
  SamplePolicy policy;
  policy.leastSamples = 3;
  policy.mostSamples = 5;
  policy.relativeError = 0.05;
  Estimator e = of({{1, 1}, {1, 1}});
  EXPECT_FALSE(e.enough(policy));
  e.add({1, 1});
  EXPECT_TRUE(e.enough(policy));
  // 1, 2, 3: s = 1, e = 1 / √3 / 2 = 0.29.
  e = of({{1, 1}, {2, 1}, {3, 1}});
  EXPECT_FALSE(e.enough(policy));
  e.add({2, 1});
  EXPECT_FALSE(e.enough(policy));
  e.add({2, 1});
  EXPECT_TRUE(e.enough(policy));
  // An outlier is no sample.
  EXPECT_FALSE(of({{1, 1}, {1, 1}, {20, 1}}).enough(policy));
}

// Intent: ranks disagree by what the noise within them does not explain: √((B − W) / n₀) / m.
TEST(Estimator, RanksDisagree) {
  // Rates 0.9, 1.1 and 2.9, 3.1: m = 2, B = 2 × 1 + 2 × 1 = 4, W = 4 × 0.01 / 2 = 0.02,
  // n₀ = (4 − 8 / 4) / 1 = 2.
  Estimator apart = of({{0.9, 1, 0}, {1.1, 1, 0}, {2.9, 1, 1}, {3.1, 1, 1}});
  EXPECT_NEAR(apart.rankDisagreement(), std::sqrt(3.98 / 2) / 2, 1e-12);
  // The same costs on both ranks.
  EXPECT_EQ(of({{1, 1, 0}, {3, 1, 0}, {1, 1, 1}, {3, 1, 1}}).rankDisagreement(), 0);
  // 1 and 3, 2 and 4: B = 1, W = 2: noise.
  EXPECT_EQ(of({{1, 1, 0}, {3, 1, 0}, {2, 1, 1}, {4, 1, 1}}).rankDisagreement(), 0);
  EXPECT_EQ(of({{1, 1, 7}, {3, 1, 7}}).rankDisagreement(), 0);
  EXPECT_EQ(of({{1, 1, 0}, {3, 1, 1}}).rankDisagreement(), 0);
  // An outlier of one rank is no disagreement.
  EXPECT_EQ(of({{1, 1, 0}, {1, 1, 0}, {1, 1, 1}, {1, 1, 1}, {90, 1, 1}}).rankDisagreement(), 0);
}

// Intent: samples of one stretch share a moment of the host: where ranks execute as many instructions, one that was met in
// a slow moment is no slow rank, and one that is slow in each of its stretches is.
TEST(Estimator, RanksWithAsManyInstructionsDisagreeByStretches) {
  const auto sample = [](double cost, uint32_t rank, uint32_t stretch, double instructions = 1000) {
    return Sample{cost, 1, rank, false, false, instructions, stretch};
  };
  // The first rank has met one slow moment.
  EXPECT_EQ(of({sample(2, 0, 1), sample(2, 0, 1), sample(1, 0, 2), sample(1, 1, 1), sample(1, 1, 1),
                sample(1, 1, 2)})
                .rankDisagreement(),
            0);
  // Of one stretch each, nobody knows.
  EXPECT_EQ(
      of({sample(2, 0, 1), sample(2, 0, 1), sample(1, 1, 1), sample(1, 1, 1)}).rankDisagreement(),
      0);
  EXPECT_GT(of({sample(2, 0, 1), sample(2, 0, 1), sample(2, 0, 2), sample(1, 1, 1), sample(1, 1, 1),
                sample(1, 1, 2)})
                .rankDisagreement(),
            0.3);
  // What instructions tell is a rank's own, and so is what nobody has counted.
  for (const double instructions : {2000.0, 0.0})
    EXPECT_GT(of({sample(2, 0, 1, instructions), sample(2, 0, 1, instructions), sample(1, 1, 1),
                  sample(1, 1, 1)})
                  .rankDisagreement(),
              0.3);
}

// Intent: a rank's part holds its samples only.
TEST(Estimator, PartOfARank) {
  Estimator all = of({{1, 1, 0}, {5, 1, 1}, {7, 1, 1}});
  EXPECT_DOUBLE_EQ(all.of(1).rate(), 6);
  EXPECT_EQ(all.of(1).count(), 2u);
  EXPECT_EQ(all.of(9).count(), 0u);
}

// Intent: --sample reads a scope and numbers in any order, and names what it does not understand.
TEST(SamplePolicy, Parses) {
  using Scope = SamplePolicy::Scope;
  SamplePolicy all = SamplePolicy::parse("local,rse=2,n=4..50");
  EXPECT_EQ(all.scope, Scope::Local);
  EXPECT_DOUBLE_EQ(all.relativeError, 0.02);
  EXPECT_EQ(all.leastSamples, 4u);
  EXPECT_EQ(all.mostSamples, 50u);
  EXPECT_EQ(SamplePolicy::parse("off").scope, Scope::Off);
  EXPECT_EQ(SamplePolicy::parse("n=7").scope, Scope::Auto);
  EXPECT_EQ(SamplePolicy::parse("n=7").leastSamples, 7u);
  EXPECT_EQ(SamplePolicy::parse("n=7").mostSamples, 7u);
  EXPECT_EQ(SamplePolicy::parse("rse=10%,global").scope, Scope::Global);
  for (const char *bad : {"", "on", "n=0", "n=3..", "n=9..3", "rse=-1", "auto,,local", "n=1e3"})
    EXPECT_THROW(SamplePolicy::parse(bad), NumberError) << bad;
}

// Intent: samples from which much was taken out count only until there are enough others.
TEST(Estimator, DoesWithoutDoubtfulSamplesWhenItCan) {
  SamplePolicy policy;
  Estimator e;
  for (uint32_t i = 0; i < Estimator::Hope - 1; ++i)
    e.add({2, 1, 0, false, true});
  EXPECT_EQ(e.rate(), 2);
  EXPECT_FALSE(e.enough(policy));
  Estimator hopeless = e;
  hopeless.add({2, 1, 0, false, true});
  EXPECT_TRUE(hopeless.enough(policy));
  for (uint32_t i = 0; i < Estimator::Trusted; ++i)
    e.add({1, 1, 0, false, false});
  EXPECT_EQ(e.rate(), 1);
  EXPECT_EQ(e.kept(), Estimator::Trusted);
  EXPECT_TRUE(e.enough(policy));
  EXPECT_EQ(e.of(0).rate(), 1);
  EXPECT_EQ(e.with(hopeless).rate(), 1);
}

} // namespace
