// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Repeats.h"

#include "process/burst/Sampler.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr uint32_t Burst = 3;

/// One of \p work that may come again so often; its place.
uint32_t keep(Repeats &repeats, uint64_t work, uint32_t limit = 100) {
  const uint32_t place = repeats.placeFor(Burst, work);
  repeats[place].work = work;
  repeats[place].slot = 0;
  repeats[place].limit = limit;
  return place;
}

/// A rank's clock, and hooks while its code runs.
struct Hooks {
  explicit Hooks(Repeats &repeats) {
    hooks.clock = &clock;
    hooks.all = hooks.latest = repeats.data();
    hooks.size = hooks.free = repeats.size();
  }
  /// Whether an instance of \p work begins, runs so long and ends at once.
  bool instance(uint64_t work, uint64_t instructions) {
    gnomon_burst record{};
    Repeat *again = hooks.find(Burst, work);
    if (!again)
      return false;
    hooks.begin(*again, record, nullptr, 1000);
    const bool ended = hooks.end(1000 + instructions);
    hooks.close();
    return ended;
  }
  gnomon::process::BurstClock clock;
  RepeatHooks hooks;
};

// Intent: what has the work of one before begins at once, as often as it may, and nothing else.
TEST(Repeats, TheSameWorkComesAgain) {
  Repeats repeats;
  EXPECT_EQ(repeats.find(Burst, 100), 0u);
  const uint32_t place = keep(repeats, 100, 2);
  EXPECT_EQ(repeats.find(Burst, 100), place);
  EXPECT_EQ(repeats.find(Burst, 101), 0u);
  EXPECT_EQ(repeats.find(Burst - 1, 100), 0u);
  Hooks code(repeats);
  EXPECT_EQ(code.hooks.find(Burst, 101), nullptr);
  EXPECT_EQ(code.hooks.find(Burst - 1, 100), nullptr);
  EXPECT_EQ(code.hooks.find(Burst + 1, 100), nullptr);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(code.hooks.find(Burst, 100), &repeats[place]);
    code.instance(100, 7);
  }
  EXPECT_EQ(code.hooks.find(Burst, 100), nullptr);
  EXPECT_EQ(repeats[place].begun, 2u);
}

// Intent: no instance begins at once inside another one, nor where no rank's code runs.
TEST(Repeats, NoneBeginsInsideAnother) {
  Repeats repeats;
  const uint32_t place = keep(repeats, 100);
  Hooks code(repeats);
  gnomon_burst record{};
  code.hooks.begin(repeats[place], record, nullptr, 0);
  EXPECT_EQ(code.hooks.find(Burst, 100), nullptr);
  code.hooks.close();
  EXPECT_EQ(code.hooks.find(Burst, 100), &repeats[place]);
  EXPECT_EQ(RepeatHooks().find(Burst, 100), nullptr);
}

// Intent: an instance ends at once that has executed as much as the latest one of its burst, if that was like it.
TEST(Repeats, EndsAsTheOneBefore) {
  Repeats repeats;
  const uint32_t place = keep(repeats, 100);
  Hooks code(repeats);
  repeats[place].volume = 7;
  EXPECT_FALSE(code.instance(100, 7));
  repeats[place].ended = 1;
  EXPECT_TRUE(code.instance(100, 7));
  EXPECT_FALSE(code.instance(100, 8));
  EXPECT_EQ(repeats[place].ended, 2u);
}

// Intent: two works of one burst are kept beside each other, whatever they are.
TEST(Repeats, WorksThatComeByTurns) {
  for (uint64_t work = 2; work < 1000; ++work) {
    Repeats repeats;
    const uint32_t one = keep(repeats, 1), other = keep(repeats, work);
    EXPECT_EQ(repeats.find(Burst, 1), one);
    EXPECT_EQ(repeats.find(Burst, work), other);
    EXPECT_EQ(Repeats::indexOf(other), Burst);
  }
}

// Intent: all that are listed are told once, in the order of their first ones.
TEST(Repeats, AreToldInTheirOrder) {
  Repeats repeats;
  const uint32_t one = keep(repeats, 1), other = keep(repeats, 2);
  for (const uint32_t place : {other, one, other})
    repeats.list(repeats[place], place);
  std::vector<uint64_t> told;
  const auto tellAll = [&] {
    repeats.tellAll([](const Repeat &) {}, [&](Repeat &again) { told.push_back(again.work); });
  };
  tellAll();
  tellAll();
  EXPECT_EQ(told, (std::vector<uint64_t>{2, 1}));
}

/// A rank that executes and watches all, as in a run that records decisions.
struct Scene {
  Sampler sampler;
  gnomon_burst record{};
  RankBursts rank;

  Scene() : sampler(policy(), 1, 1) {
    record.function = "f";
    record.flags = GNOMON_BURST_SKIPPABLE;
    record.flops = -1;
    sampler.watchCaches();
  }
  static SamplePolicy policy() {
    SamplePolicy policy;
    policy.scope = SamplePolicy::Scope::Global;
    policy.learnsOnly = true;
    return policy;
  }
  static constexpr uint64_t Work = 40;
  /// The next instance; whether it is measured.
  bool instance() {
    Decision decision = sampler.begin(rank, record, Work, 1);
    if (decision.action == Decision::Action::Decide)
      decision = sampler.decide(rank, record, 1);
    const bool measured = decision.action == Decision::Action::Measure;
    if (measured)
      sampler.executed(rank, 4e-6, false);
    return measured;
  }
  /// Instances until one is not measured of which the next ones may be like it.
  uint32_t executeUntilAlike() {
    for (int i = 0; i < 1000; ++i)
      if (!instance() && sampler.mayComeAgain(rank) > 5)
        return sampler.mayComeAgain(rank);
    return 0;
  }
};

// Intent: instances that are told together leave what those leave that are told one by one, up to the next measured one.
TEST(Repeats, LeaveWhatSingleOnesLeave) {
  Scene single, together;
  const uint32_t left = single.executeUntilAlike();
  ASSERT_EQ(together.executeUntilAlike(), left);
  ASSERT_GT(left, 5u);
  for (uint32_t i = 0; i < left; ++i)
    EXPECT_FALSE(single.instance());
  Repeat again;
  again.work = Scene::Work;
  again.slot = together.rank.slot;
  again.begun = left;
  EXPECT_EQ(together.sampler.cameAgain(together.rank, again), 0u);
  const Stretch &one = single.rank.stretch, &other = together.rank.stretch;
  EXPECT_EQ(one.executed, other.executed);
  EXPECT_EQ(one.shape, other.shape);
  EXPECT_EQ(one.kind, other.kind);
  ASSERT_EQ(one.terms.size(), other.terms.size());
  EXPECT_EQ(one.terms[0].times, other.terms[0].times);
  EXPECT_DOUBLE_EQ(one.terms[0].work, other.terms[0].work);
  EXPECT_EQ(single.sampler.entries()[0].executed, together.sampler.entries()[0].executed);
  EXPECT_DOUBLE_EQ(single.sampler.slots()[0].executedWork[2],
                   together.sampler.slots()[0].executedWork[2]);
  EXPECT_TRUE(together.instance());
}

} // namespace
