// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Volumes.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::process::burst;

namespace {

/// The only burst of a program, or the other one.
gnomon_burst burst(uint32_t index) {
  gnomon_burst record{};
  record.index = index;
  return record;
}

DecisionLog logOf(const VolumeRecorder &recorder, const gnomon_burst &record, uint32_t ranks) {
  DecisionLog log;
  log.ranks = ranks;
  if (std::vector<Values> volumes = recorder.volumesOf(record); !volumes.empty()) {
    const uint64_t repeats = recorder.repeatsOf(record, volumes);
    BurstLog &burst = log.bursts.emplace_back();
    burst.key = {"a.c", "f", record.index, record.index};
    burst.volumes = std::move(volumes);
    burst.repeats = repeats;
  }
  return log;
}

} // namespace

TEST(Volumes, WhatTheFormulaTellsIsNotKept) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t work : {100, 200, 150, 100000, 170000})
    recorder.note(0, record, work, 3 * work);
  EXPECT_TRUE(recorder.volumesOf(record).empty());
}

// Intent: a formula that is right as long as all is executed may read what is skipped or folded, by either plan.
TEST(Volumes, WorkThatMayBeMadeOfStaleDataTellsNothing) {
  gnomon_burst_plan frail{};
  frail.flags = GNOMON_BURST_FRAIL;
  gnomon_burst sure = burst(1), unsafe = sure, decided = sure, withoutWork = burst(2);
  unsafe.flags = GNOMON_BURST_UNSAFE;
  decided.decided = &frail;
  withoutWork.flags = GNOMON_BURST_FRAIL;
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t work : {100, 200}) {
    recorder.note(0, sure, work, work);
    recorder.note(0, withoutWork, 0, 100);
  }
  EXPECT_TRUE(recorder.volumesOf(sure).empty());
  EXPECT_TRUE(recorder.volumesOf(withoutWork).empty());
  EXPECT_EQ(recorder.volumesOf(unsafe).size(), 1u);
  EXPECT_EQ(recorder.volumesOf(decided).size(), 1u);
}

// Intent: a number that is stale may be any: of a burst that makes up next to nothing, too, what it executes is kept, as a mean.
TEST(Volumes, OfASmallPartThatMayBeStaleTheMeanIsKept) {
  gnomon_burst large = burst(1), small = burst(2);
  small.flags = GNOMON_BURST_FRAIL;
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  recorder.note(0, large, 0, 100'000'000);
  for (uint64_t work : {100, 200, 300})
    recorder.note(1, small, work, work);
  const std::vector<Values> volumes = recorder.volumesOf(small);
  ASSERT_EQ(volumes.size(), 2u);
  EXPECT_TRUE(volumes[0].empty());
  ASSERT_EQ(volumes[1].size(), 1u);
  EXPECT_EQ(volumes[1][0].value, 200);
  EXPECT_EQ(volumes[1][0].times, 1u);
}

TEST(Volumes, AFormulaThatReadsWhatIsNotThereYetTellsNothing) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t work : {50, 2000000, 2000000, 2000000})
    recorder.note(0, record, work, 2000000);
  const DecisionLog log = logOf(recorder, record, 1);
  ASSERT_EQ(log.bursts.size(), 1u);
  EXPECT_EQ(log.bursts[0].volumes[0].size(), 1u);
}

TEST(Volumes, CostsAreOfAnInstruction) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t volume : {1000, 3000}) {
    recorder.note(0, record, 0, volume);
    recorder.noteCost(record, Warmth::Warm, volume, 2e-9 * double(volume));
  }
  const std::vector<ProfileRow> rows = recorder.costsPerInstruction(record);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].bucket, 10);
  EXPECT_EQ(rows[1].bucket, 12);
  EXPECT_EQ(rows[2].bucket, -1);
  EXPECT_EQ(rows[0].warmth, static_cast<int>(Warmth::Warm));
  EXPECT_EQ(rows[2].warmth, -1);
  for (const ProfileRow &row : rows) {
    EXPECT_DOUBLE_EQ(row.secondsPerWork, 2e-9);
    EXPECT_NEAR(row.spread, 0, 1e-6);
  }
}

// Intent: few instances are measured, and what an instruction costs is not the same in small and large ones: for volumes
// that had no sample stands what all have executed, not what was measured.
TEST(Volumes, CostsOfOtherVolumesAreThoseOfAllThatWasExecuted) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (int i = 0; i < 9; ++i)
    recorder.note(0, record, 0, 1000);
  recorder.note(0, record, 0, 3000);
  recorder.noteCost(record, Warmth::Warm, 1000, 1e-6);
  recorder.noteCost(record, Warmth::Cold, 3000, 9e-6);
  const std::vector<ProfileRow> rows = recorder.costsPerInstruction(record);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_DOUBLE_EQ(rows[0].secondsPerWork, 1e-9);
  EXPECT_DOUBLE_EQ(rows[1].secondsPerWork, 3e-9);
  EXPECT_DOUBLE_EQ(rows[2].secondsPerWork, (9e-6 + 9e-6) / 12000);
}

// Intent: where it counts instructions, a run rests on no formula, however small the burst's part is.
TEST(Volumes, OfAllBurstsThatAreToBeKeptItIsWritten) {
  const gnomon_burst large = burst(1), small = burst(2);
  VolumeRecorder recorder(VolumeRecorder::Kept::All);
  recorder.note(0, large, 1000, 1000);
  recorder.note(0, large, 500, 500);
  EXPECT_FALSE(recorder.writes(small));
  recorder.note(0, small, 0, 0);
  EXPECT_EQ(recorder.volumesOf(large), (std::vector<Values>{{{1000, 1}, {500, 1}}}));
  EXPECT_EQ(recorder.volumesOf(small), (std::vector<Values>{{{1, 1}}}));
}

// Intent: of bursts that execute what their formulas tell it is said how much a unit of work is; of no others, among them
// those whose work may be stale.
TEST(Volumes, WhatAUnitOfWorkExecutes) {
  const gnomon_burst follows = burst(1), misses = burst(2), unknown = burst(3), nearly = burst(5);
  gnomon_burst stale = burst(4);
  stale.flags |= GNOMON_BURST_FRAIL;
  VolumeRecorder recorder(VolumeRecorder::Kept::All);
  for (uint64_t work : {1000, 2000, 3000}) {
    recorder.note(0, follows, work, 5 * work / 4);
    recorder.note(0, misses, work, 4000 - work);
    recorder.note(0, unknown, 0, work);
    recorder.note(0, stale, work, work);
    recorder.note(0, nearly, work, work == 2000 ? 2600 : work);
  }
  EXPECT_DOUBLE_EQ(recorder.perWork(follows), 1.25);
  EXPECT_EQ(recorder.perWork(misses), 0);
  EXPECT_EQ(recorder.perWork(unknown), 0);
  EXPECT_EQ(recorder.perWork(stale), 0);
  EXPECT_DOUBLE_EQ(recorder.perWork(nearly), 1.1);
  EXPECT_EQ(recorder.perWork(burst(6)), 0);
}

// Intent: with another input, or on other ranks that find none of their own, volumes follow the formula where it tells them;
// not where the user says whose volumes all take, or where nothing differs.
TEST(Volumes, OtherRunsFollowTheFormula) {
  DecisionLog log;
  log.ranks = 4;
  BurstLog known;
  known.volumes = {{{10, 1}}, {{20, 1}}};
  known.repeats = 8;
  BurstLog follows = known;
  follows.perWork = 1.25;
  const auto asks = [&](const BurstLog &burst, uint32_t ranks, std::optional<uint32_t> from,
                        bool finds, bool sameRun) {
    return GivenVolumes(log, ranks, from, finds, sameRun).followsFormula(burst);
  };
  EXPECT_TRUE(asks(follows, 8, {}, false, false));
  EXPECT_TRUE(asks(follows, 4, {}, true, false));
  EXPECT_FALSE(asks(known, 8, {}, false, false));
  EXPECT_FALSE(asks(follows, 4, {}, true, true));
  EXPECT_FALSE(asks(follows, 8, 1, false, false));
  EXPECT_FALSE(asks(follows, 8, {}, true, false));
}

TEST(Volumes, WhatItMissesIsKeptRankByRankInTheirOrder) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint32_t rank : {1u, 0u})
    for (uint64_t volume : {10, 30, 30, 20})
      recorder.note(rank, record, 0, volume * (rank + 1));
  const DecisionLog log = logOf(recorder, record, 2);
  ASSERT_EQ(log.bursts.size(), 1u);
  EXPECT_EQ(log.bursts[0].volumes[0], (Values{{10, 1}, {30, 2}, {20, 1}}));
  EXPECT_EQ(log.bursts[0].volumes[1], (Values{{20, 1}, {60, 2}, {40, 1}}));
}

TEST(Volumes, OfAPartThatIsTooSmallNothingIsKept) {
  const gnomon_burst large = burst(1), small = burst(2);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t i = 1; i < 100; ++i) {
    recorder.note(0, large, 1000, 1000000);
    recorder.note(0, small, 0, i);
  }
  EXPECT_FALSE(recorder.volumesOf(large).size() + recorder.volumesOf(small).size());
}

TEST(Volumes, OfWhatRepeatsItselfTheBeginningIsKept) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (int step = 0; step < 10; ++step)
    for (uint64_t volume = 1; volume <= 20; ++volume)
      recorder.note(0, record, 0, volume);
  recorder.note(0, record, 0, 1); // the run ends within a step
  const DecisionLog log = logOf(recorder, record, 1);
  ASSERT_EQ(log.bursts.size(), 1u);
  EXPECT_EQ(log.bursts[0].volumes[0].size(), 20u);
  gnomon_burst given = burst(1);
  GivenVolumes volumes(log, 1, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  for (int step = 0; step < 10; ++step)
    for (uint64_t volume = 1; volume <= 20; ++volume)
      EXPECT_EQ(volumes.next(0, given, 7).work, volume);
}

TEST(Volumes, OfWhatFollowsNoRuleTheMeanIsKept) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  double sum = 0;
  constexpr int Instances = 200000;
  for (int i = 0; i < Instances; ++i) {
    const uint64_t volume = 100 + (uint64_t(i) * 2654435761u >> 7) % 300;
    sum += double(volume);
    recorder.note(0, record, 0, volume);
  }
  const DecisionLog log = logOf(recorder, record, 1);
  ASSERT_EQ(log.bursts.size(), 1u);
  const Values &values = log.bursts[0].volumes[0];
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].times, uint64_t(Instances));
  EXPECT_NEAR(double(values[0].value), sum / Instances, 1);
}

TEST(Volumes, LargeOnesAreKeptToAPartOfThemselves) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t volume : {uint64_t{123456789012}, uint64_t{987654321}})
    recorder.note(0, record, 0, volume);
  const DecisionLog log = logOf(recorder, record, 1);
  ASSERT_EQ(log.bursts.size(), 1u);
  EXPECT_NEAR(double(log.bursts[0].volumes[0][0].value) / 123456789012, 1, 0.002);
  EXPECT_NEAR(double(log.bursts[0].volumes[0][1].value) / 987654321, 1, 0.002);
}

TEST(Volumes, AnInstanceThatNobodyKnowsIsWhatItsFormulaSays) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (uint64_t volume : {10, 0, 90})
    recorder.note(0, record, 5, volume);
  const DecisionLog log = logOf(recorder, record, 1);
  gnomon_burst given = burst(1);
  GivenVolumes volumes(log, 1, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  EXPECT_TRUE(given.flags & GNOMON_BURST_VOLUMES);
  EXPECT_EQ(volumes.next(0, given, 5).work, 10u);
  EXPECT_EQ(volumes.next(0, given, 5).work, 5u);
  EXPECT_EQ(volumes.next(0, given, 5).work, 90u);
}

namespace {

/// Of two ranks, whose instances execute so much more each than the one before, in each of some rounds; rank 1's ten times
/// as much.
DecisionLog growing(int instances, int rounds = 5) {
  const gnomon_burst record = burst(1);
  VolumeRecorder recorder(VolumeRecorder::Kept::Missed);
  for (int i = 0; i < rounds * instances; ++i)
    for (uint32_t rank : {0u, 1u})
      recorder.note(rank, record, 0, uint64_t(100 + i % instances) * (rank ? 10 : 1));
  return logOf(recorder, record, 2);
}

} // namespace

TEST(Volumes, OtherRanksTakeThoseOfTheRecordedInTurn) {
  constexpr int Many = int(GivenVolumes::MostFound) + 1;
  const DecisionLog log = growing(Many);
  gnomon_burst given = burst(1), unknown = burst(2);
  GivenVolumes volumes(log, 4, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  volumes.introduce(unknown, {});
  EXPECT_FALSE(unknown.flags & GNOMON_BURST_VOLUMES);
  EXPECT_EQ(volumes.bursts(), 1u);
  EXPECT_EQ(volumes.foundAnew(), 0u);
  EXPECT_TRUE(volumes.next(3, given, 0).known);
  EXPECT_NEAR(double(volumes.next(3, given, 0).work), 1010, 10);
  EXPECT_EQ(volumes.next(2, given, 0).work, 100u);
  GivenVolumes ofOne(log, 4, 1);
  ofOne.introduce(given, log.bursts[0]);
  EXPECT_EQ(ofOne.next(2, given, 0).work, 1000u);
}

// Intent: what a rank's cells are is its own matter; its first instances tell.
TEST(Volumes, OtherRanksFindTheirOwn) {
  const DecisionLog log = growing(3);
  gnomon_burst given = burst(1);
  GivenVolumes volumes(log, 4, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  EXPECT_EQ(volumes.foundAnew(), 1u);
  EXPECT_FALSE(volumes.isComplete());
  for (uint64_t volume : {7, 7, 9}) {
    EXPECT_FALSE(volumes.next(3, given, 0).known);
    volumes.found(3, given, volume);
  }
  volumes.found(3, given, 50); // executed for another reason
  for (uint64_t volume : {7, 7, 9, 7, 7, 9}) {
    const GivenVolumes::Volume found = volumes.next(3, given, 0);
    EXPECT_TRUE(found.known);
    EXPECT_EQ(found.work, volume);
  }
  EXPECT_FALSE(volumes.next(0, given, 0).known); // nor is a recorded rank the same among others

  GivenVolumes ofOne(log, 4, 1);
  ofOne.introduce(given, log.bursts[0]);
  EXPECT_EQ(ofOne.foundAnew(), 0u); // as the user says

  const DecisionLog short_ = growing(3, 2); // half of a run would be executed to find them
  EXPECT_EQ(short_.bursts[0].repeats, 2u);
  GivenVolumes ofShort(short_, 4, std::nullopt);
  ofShort.introduce(given, short_.bursts[0]);
  EXPECT_EQ(ofShort.foundAnew(), 0u);
}

// Intent: all ranks wait until each has found its own, but not for ever.
TEST(Volumes, RanksWaitForEachOther) {
  const DecisionLog log = growing(1);
  gnomon_burst given = burst(1);
  GivenVolumes volumes(log, 3, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  for (uint32_t rank : {0u, 1u, 2u}) {
    volumes.waited(100);
    EXPECT_FALSE(volumes.isComplete()) << rank;
    volumes.next(rank, given, 0);
    volumes.found(rank, given, 100);
  }
  EXPECT_TRUE(volumes.isComplete());

  // One that comes round waits for none that has not come yet.
  GivenVolumes ahead(log, 3, std::nullopt);
  gnomon_burst again = burst(1);
  ahead.introduce(again, log.bursts[0]);
  ahead.next(1, again, 0);
  ahead.found(1, again, 100);
  for (uint64_t i = 0; i < GivenVolumes::LeastLater; ++i) {
    EXPECT_FALSE(ahead.isComplete()) << i;
    EXPECT_EQ(ahead.next(1, again, 0).work, 100u);
  }
  EXPECT_TRUE(ahead.isComplete());
  EXPECT_FALSE(ahead.next(2, again, 0).known); // finds its own all the same

  GivenVolumes alone(log, 3, std::nullopt);
  gnomon_burst other = burst(1);
  alone.introduce(other, log.bursts[0]);
  const auto lookedFor = uint64_t((100 + 1000) / 2 * 3);
  alone.waited(uint64_t(GivenVolumes::MostWaited) * lookedFor);
  EXPECT_FALSE(alone.isComplete());
  alone.waited(1);
  EXPECT_TRUE(alone.isComplete());
}

TEST(Volumes, ARankThatFindsNoneTakesThoseOfTheRecorded) {
  const DecisionLog log = growing(3);
  gnomon_burst given = burst(1);
  GivenVolumes volumes(log, 4, std::nullopt);
  volumes.introduce(given, log.bursts[0]);
  EXPECT_FALSE(volumes.next(2, given, 0).known);
  volumes.found(2, given, 5);
  EXPECT_FALSE(volumes.next(2, given, 0).known);
  volumes.found(2, given, 0); // other ranks have run in between
  for (uint64_t volume : {102, 100, 101}) {
    const GivenVolumes::Volume taken = volumes.next(2, given, 0);
    EXPECT_TRUE(taken.known);
    EXPECT_EQ(taken.work, volume);
  }
}

namespace {

/// Of an instance whose formula says \p formula.
std::optional<uint64_t> workOf(const std::optional<SteadyWork> &steady, uint64_t formula) {
  if (!steady)
    return std::nullopt;
  return steady->units == GivenVolumes::ByFormula ? formula : steady->units;
}

} // namespace

// Intent: what is known without a search is what a search gives, on each rank, whatever other bursts come later.
TEST(Volumes, WhatIsSteadyIsWhatNextSays) {
  DecisionLog log;
  log.ranks = 2;
  log.bursts.resize(2);
  log.bursts[0].volumes = {{{10, 1}}, {{20, 2}, {0, 1}, {30, 1}}};
  log.bursts[1].volumes = {{{40, 1}}, {}};
  gnomon_burst first = burst(1), late = burst(100);
  GivenVolumes steady(log, 2, std::nullopt), asked(log, 2, std::nullopt);
  for (GivenVolumes *volumes : {&steady, &asked})
    volumes->introduce(first, log.bursts[0]);
  int known = 0;
  auto compare = [&](uint32_t rank, const gnomon_burst &record) {
    const uint64_t expected = asked.next(rank, record, 7).work;
    const std::optional<SteadyWork> work = steady.steady(rank, record);
    EXPECT_EQ(work ? *workOf(work, 7) : steady.next(rank, record, 7).work, expected);
    if (work && work->list)
      GivenVolumes::goOn(*work->list);
    known += work.has_value();
  };
  for (int i = 0; i < 12; ++i)
    for (uint32_t rank : {0u, 1u})
      compare(rank, first);
  EXPECT_EQ(known, 11 + 11 - 3); // all but the first of each rank, and those that nobody knows
  for (GivenVolumes *volumes : {&steady, &asked})
    volumes->introduce(late, log.bursts[1]);
  for (int i = 0; i < 12; ++i)
    for (uint32_t rank : {0u, 1u}) {
      compare(rank, first);
      compare(rank, late);
    }
}

// Intent: ranks that are taken to be like one that was recorded have its volumes without a search, from the first that
// asks on; those of which none is known, too.
TEST(Volumes, WhatRanksOfOneKindAskForIsKeptOnce) {
  DecisionLog log;
  log.ranks = 2;
  log.bursts.resize(1);
  log.bursts[0].volumes = {{{10, 1}}, {}};
  gnomon_burst record = burst(1);
  GivenVolumes volumes(log, 7, std::nullopt, /*finds=*/false);
  volumes.introduce(record, log.bursts[0]);
  EXPECT_FALSE(volumes.steady(0, record));
  EXPECT_EQ(volumes.next(0, record, 7).work, 10u);
  EXPECT_FALSE(volumes.steady(1, record));
  EXPECT_EQ(volumes.next(1, record, 7).work, 7u);
  for (uint32_t rank = 0; rank < 7; ++rank)
    EXPECT_EQ(workOf(volumes.steady(rank, record), 7), rank % 2 == 0 ? 10u : 7u);
}

// Intent: instances that are told together count as those that are told one by one.
TEST(Volumes, ToldTogether) {
  VolumeRecorder single(VolumeRecorder::Kept::Missed), together(VolumeRecorder::Kept::Missed);
  const gnomon_burst record = burst(1);
  for (const auto &[volume, times] :
       {std::pair<uint64_t, uint64_t>{1000, 3}, {7000, 2}, {1000, 4}}) {
    together.note(0, record, 5, volume, times);
    for (uint64_t i = 0; i < times; ++i)
      single.note(0, record, 5, volume);
  }
  ASSERT_TRUE(single.writes(record));
  EXPECT_TRUE(together.writes(record));
  EXPECT_EQ(single.volumesOf(record), together.volumesOf(record));
}
