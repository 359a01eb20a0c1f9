// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/test/Fakes.h"

#include "gnomon/Burst.h"
#include "process/burst/Bursts.h"
#include "process/burst/Report.h"
#include "process/burst/Settings.h"
#include "process/ranks/CycleClock.h"
#include "process/ranks/EqualWork.h"

#include <cmath>
#include <csetjmp>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <utility>

using namespace gnomon;
using namespace gnomon::process;
using namespace gnomon::process::test;

extern "C" int gnomon_burst_begin(gnomon_burst *record, uint64_t work);
extern "C" int gnomon_burst_begin_with(gnomon_burst *record, int64_t a, int64_t b, int64_t c,
                                       int64_t d);
extern "C" void gnomon_burst_end(gnomon_burst *record);
extern "C" void gnomon_burst_end_with(gnomon_burst *record, int64_t ahead);
extern "C" void gnomon_phase(uint32_t phase);
extern "C" int gnomon_error_path(gnomon_error_site *site);
extern "C" int gnomon_free_path(uint32_t plans);

namespace {

using Scope = burst::SamplePolicy::Scope;

/// The program of the running test; hosts compute 1e9 instructions a second.
std::function<void(Rank &)> body;

int program(int, char **, char **) {
  body(*currentRank());
  return 0;
}

gnomon_burst makeRecord(uint32_t flags = GNOMON_BURST_SKIPPABLE) {
  gnomon_burst record{};
  record.function = "f";
  record.file = "f.c";
  record.flags = flags;
  record.flops = -1;
  return record;
}

void count(uint64_t instructions) { Program::instructions += instructions; }

/// Whether it was executed. In the caller's frame, as the hooks that the pass writes are.
[[gnu::always_inline]] inline bool instance(gnomon_burst &record, uint64_t instructions,
                                            uint64_t kept = 0) {
  const bool execute = gnomon_burst_begin(&record, instructions);
  count(execute ? instructions : kept);
  gnomon_burst_end(&record);
  return execute;
}

/// The same in a function that the caller calls.
[[gnu::noinline]] bool calledInstance(gnomon_burst &record, uint64_t instructions) {
  return instance(record, instructions);
}

/// A call of the runtime: what was computed becomes simulated time.
void call(Rank &rank) {
  enterRuntime(rank);
  leaveRuntime(rank);
}

struct Played {
  burst::Report report;
  double seconds = 0;
};

Played run(Scope scope, std::function<void(Rank &)> what, uint32_t ranks = 1,
           ComputeMode mode = ComputeMode::Counted, std::shared_ptr<burst::Profile> profile = {},
           double hostDrift = 0) {
  Program::use(program);
  body = std::move(what);
  Machine machine(ranks);
  burst::Settings settings;
  settings.sample.scope = scope;
  settings.reported = true;
  settings.profile = std::move(profile);
  settings.hostDrift = hostDrift;
  machine.skipping = burst::skipping(std::move(settings));
  World &world = machine.create(ranks, mode);
  Played result;
  result.seconds = runRanks(world).endedAt.seconds;
  result.report = burst::report();
  return result;
}

// Intent: skipped instances take the simulated time that executed ones take, exactly where costs
// are counted, and the report says how many were which.
TEST(BurstHooks, SkippingKeepsTime) {
  gnomon_burst record = makeRecord();
  auto what = [&](Rank &rank) {
    for (int i = 0; i < 100; ++i) {
      count(50'000);
      instance(record, 1'000'000);
      call(rank);
    }
  };
  Played all = run(Scope::Off, what), some = run(Scope::Auto, what);
  EXPECT_NEAR(all.seconds, 100 * 1.05e6 / 1e9, 1e-12);
  EXPECT_NEAR(some.seconds, all.seconds, 1e-12);
  EXPECT_EQ(all.report.skipped, 0u);
  EXPECT_EQ(some.report.executed, 4u);
  EXPECT_EQ(some.report.skipped, 96u);
  EXPECT_NEAR(some.report.sampledSeconds, 96 * 1e6 / 1e9, 1e-12);
  EXPECT_NEAR(some.report.skippableSeconds, 100 * 1e6 / 1e9, 1e-12);
  EXPECT_NEAR(some.report.computedSeconds, all.seconds, 1e-12);
  EXPECT_EQ(some.report.intervalSeconds, 0);
}

// Intent: an instance whose record has a formula is as large as the formula makes it of the numbers
// that are passed: sampled and charged like one whose work is passed.
TEST(BurstHooks, TheFormulaSaysTheWork) {
  constexpr uint64_t Each = 1000; // work and cost of one of a × b
  const uint8_t code[] = {0, 1, 2, 0, 1};
  const double coefficients[] = {Each};
  gnomon_formula formula{};
  formula.code = code;
  formula.coefficients = coefficients;
  gnomon_burst record = makeRecord();
  record.formula = &formula;
  Played some = run(Scope::Auto, [&](Rank &rank) {
    for (int i = 0; i < 100; ++i) {
      const int64_t a = 64 + i % 8, b = 10;
      if (gnomon_burst_begin_with(&record, a, b, 0, 0))
        count(Each * static_cast<uint64_t>(a * b));
      gnomon_burst_end(&record);
      call(rank);
    }
  });
  double all = 0;
  for (int i = 0; i < 100; ++i)
    all += 1000.0 * (64 + i % 8) * 10 / 1e9;
  EXPECT_EQ(some.report.skipped, 96u);
  EXPECT_NEAR(some.seconds, all, 1e-12);
}

// Intent: the confidence interval is 1.96 × the standard error of the mean × what rests on it.
TEST(BurstHooks, IntervalOfTheSamples) {
  gnomon_burst record = makeRecord();
  record.samples = 2;
  Played some = run(Scope::Auto, [&](Rank &rank) {
    for (int i = 0; i < 103; ++i) {
      const uint64_t cost = i % 2 ? 90'000 : 110'000;
      const bool execute = gnomon_burst_begin(&record, 100);
      count(execute ? cost : 0);
      gnomon_burst_end(&record);
      call(rank);
    }
  });
  // The second and third instance are samples: 90 and 110, s = √200, e = 10 of 100.
  EXPECT_EQ(some.report.executed, 3u);
  EXPECT_NEAR(some.report.sampledSeconds, 100 * 1e-4, 1e-12);
  EXPECT_NEAR(some.report.intervalSeconds, 1.96 * 0.1 * 100 * 1e-4, 1e-9);
}

// Intent: the program's clock shows a skipped instance at once.
TEST(BurstHooks, ClockSeesSkippedTime) {
  gnomon_burst record = makeRecord();
  record.flops = 5e9;
  double before = 0, after = 0;
  run(Scope::Auto, [&](Rank &rank) {
    before = readClock(rank);
    instance(record, 1);
    after = readClock(rank);
  });
  EXPECT_NEAR(after - before, 5, 1e-6);
}

// Intent: what must be kept of a skipped instance is part of its cost, not added to it.
TEST(BurstHooks, KeptSliceIsNotCountedTwice) {
  gnomon_burst record = makeRecord(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_SLICED);
  Played some = run(Scope::Auto, [&](Rank &rank) {
    for (int i = 0; i < 10; ++i) {
      instance(record, 1'000'000, 300'000);
      call(rank);
    }
  });
  EXPECT_EQ(some.report.skipped, 6u);
  EXPECT_NEAR(some.seconds, 10 * 1e6 / 1e9, 1e-12);
}

// Intent: where the counter has run ahead at the end of a burst, as it has on both ways to it, a sample is what was executed, and
// nothing of a skipped instance is lost or counted twice, nor of one of which something is kept.
TEST(BurstHooks, TheCounterMayBeAheadAtTheEnd) {
  for (const uint32_t kept : {0U, uint32_t{GNOMON_BURST_SLICED}}) {
    gnomon_burst record = makeRecord(GNOMON_BURST_SKIPPABLE | kept);
    Played some = run(Scope::Auto, [&](Rank &rank) {
      for (int i = 0; i < 100; ++i) {
        const int64_t ahead = i % 2 ? 300 : -200; // by the way that leads out
        if (gnomon_burst_begin(&record, 1000))
          count(1000);
        count(static_cast<uint64_t>(ahead));
        gnomon_burst_end_with(&record, ahead);
        count(static_cast<uint64_t>(500 - ahead));
        call(rank);
      }
    });
    EXPECT_EQ(some.report.skipped, 96U);
    EXPECT_NEAR(some.report.sampledSeconds, 96 * 1000 / 1e9, 1e-12);
    EXPECT_NEAR(some.seconds, 100 * 1500 / 1e9, 1e-12);
  }
}

// Intent: a burst inside another belongs to it: always executed, not counted, also inside what is
// kept of a skipped one.
TEST(BurstHooks, NestedBurstsBelongToTheOuter) {
  gnomon_burst outer = makeRecord(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_SLICED),
               inner = makeRecord();
  int executedInside = 0;
  // A call deeper: as in a program, where the inner burst is another function's.
  auto inside = [&]() __attribute__((noinline)) { executedInside += instance(inner, 1000); };
  Played some = run(Scope::Auto, [&](Rank &rank) {
    for (int i = 0; i < 30; ++i) {
      gnomon_burst_begin(&outer, 1000);
      inside();
      gnomon_burst_end(&outer);
      call(rank);
    }
  });
  EXPECT_EQ(executedInside, 30);
  ASSERT_EQ(some.report.rows.size(), 1u);
  EXPECT_EQ(some.report.rows[0].executed, 4u);
  EXPECT_EQ(some.report.dropped, 0u);
}

// Intent: where all is executed and counted, instances that come as they came before are counted together. None is lost,
// whatever lies between them: calls, other ranks, other work, another burst inside, a jump, the program's sudden end.
TEST(BurstHooks, ExecutedInstancesAreCountedTogether) {
  gnomon_burst outer = makeRecord(), inner = makeRecord(), left = makeRecord();
  constexpr int Rounds = 1000;
  const auto what = [&](Rank &rank) {
    jmp_buf back;
    for (volatile int i = 0; i < Rounds; i = i + 1) {
      EXPECT_EQ(gnomon_burst_begin(&outer, 100), 1);
      EXPECT_TRUE(calledInstance(inner, 10)); // belongs to the outer one
      count(90);
      gnomon_burst_end(&outer);
      EXPECT_TRUE(instance(inner, 1000 + i % 3));
      if (i % 10 == 0 && setjmp(back) == 0) {
        gnomon_burst_begin(&left, 5);
        longjmp(back, 1);
      }
      if (i % 7 == 0)
        call(rank);
    }
    if (rank.number == 1)
      abortWorld(3, "enough");
  };
  const Played played = run(Scope::Off, what, 2);
  ASSERT_EQ(played.report.rows.size(), 3u);
  const uint64_t each = 2 * Rounds;
  const std::map<uint64_t, int> expected = {{each, 2}, {each / 10, 1}};
  std::map<uint64_t, int> found;
  for (const burst::ReportRow &row : played.report.rows)
    ++found[row.executed];
  EXPECT_EQ(found, expected);
  EXPECT_EQ(played.report.dropped, each / 10);
  EXPECT_EQ(played.report.skipped, 0u);
}

// Intent: an instance left by a jump is dropped, and the bursts after it are bursts again.
TEST(BurstHooks, JumpsOutOfABurst) {
  gnomon_burst left = makeRecord(), other = makeRecord();
  Played some = run(Scope::Auto, [&](Rank &) {
    static jmp_buf back;
    if (setjmp(back) == 0) {
      gnomon_burst_begin(&left, 100);
      longjmp(back, 1);
    }
    for (int i = 0; i < 30; ++i)
      instance(other, 1000);
  });
  EXPECT_EQ(some.report.dropped, 1u);
  EXPECT_EQ(some.report.executed, 1 + 4u);
  EXPECT_EQ(some.report.skipped, 26u);
}

// Intent: an exception out of a burst in a function called is noticed when the next burst begins in
// the caller.
TEST(BurstHooks, ExceptionsOutOfABurst) {
  gnomon_burst left = makeRecord(), other = makeRecord();
  auto thrower = [&]() __attribute__((noinline)) {
    gnomon_burst_begin(&left, 100);
    throw 1;
  };
  Played some = run(Scope::Auto, [&](Rank &) {
    for (int i = 0; i < 30; ++i) {
      try {
        thrower();
      } catch (int) {
      }
      instance(other, 1000);
    }
  });
  EXPECT_GE(some.report.dropped, 4u);
  EXPECT_EQ(some.report.rows[1].executed + some.report.rows[1].skipped, 30u);
}

// Intent: an instance in which the runtime was called is no sample.
TEST(BurstHooks, CallsInsideDropTheSample) {
  gnomon_burst record = makeRecord();
  Played some = run(Scope::Auto, [&](Rank &rank) {
    for (int i = 0; i < 20; ++i) {
      if (gnomon_burst_begin(&record, 100))
        call(rank);
      gnomon_burst_end(&record);
    }
  });
  EXPECT_EQ(some.report.executed, 20u);
  EXPECT_EQ(some.report.dropped, 20u);
  EXPECT_EQ(some.report.rows[0].samples, 0u);
}

// Intent: a burst that the user forced may call the runtime (it reads the program's clock): its
// samples are what was charged inside it, and the instances that are skipped take the time that the
// executed ones took.
TEST(BurstHooks, ForcedBurstsMayCallInside) {
  gnomon_burst inner = makeRecord(0);
  gnomon_burst record = makeRecord(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FORCED);
  auto what = [&](Rank &rank) {
    for (int i = 0; i < 20; ++i) {
      if (gnomon_burst_begin(&record, 100)) {
        count(300'000);
        call(rank);
        // One that the pass found in the same function belongs to it.
        instance(inner, 700'000);
        call(rank);
      }
      gnomon_burst_end(&record);
    }
  };
  const Played all = run(Scope::Off, what), some = run(Scope::Global, what);
  EXPECT_EQ(some.report.dropped, 0u);
  EXPECT_GT(some.report.skipped, 10u);
  EXPECT_NEAR(some.seconds, all.seconds, 1e-9);
  EXPECT_NEAR(all.seconds, 20 * 1e-3, 1e-9);
}

// Intent: an error's end is taken while nothing was skipped, and not from then on.
TEST(BurstHooks, ErrorPaths) {
  gnomon_burst record = makeRecord();
  record.flops = 1;
  gnomon_error_site site{"f", "f.c", 3, 1, 0, 0, 1 << GNOMON_PLAN_PLAIN, 0};
  int first = -1, second = -1;
  Played some = run(Scope::Auto, [&](Rank &) {
    first = gnomon_error_path(&site);
    instance(record, 100);
    second = gnomon_error_path(&site);
  });
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  EXPECT_EQ(site.taken, 1u);
  ASSERT_EQ(some.report.errorSites.size(), 1u);
  EXPECT_EQ(some.report.errorPaths, 1u);
}

// Intent: a block is freed while nothing was skipped, and from then on where its address is right by the plan that holds.
TEST(BurstHooks, FreePaths) {
  gnomon_burst record = makeRecord();
  record.flops = 1;
  int first = -1, second = -1, elsewhere = -1;
  run(Scope::Auto, [&](Rank &) {
    first = gnomon_free_path(1 << GNOMON_PLAN_PLAIN);
    instance(record, 100);
    second = gnomon_free_path(1 << GNOMON_PLAN_PLAIN);
    elsewhere = gnomon_free_path(1 << GNOMON_PLAN_DECIDED);
  });
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  EXPECT_EQ(elsewhere, 1);
}

// Intent: a loop in which the user wants to stay is not left, whatever has been skipped, on any
// rank; without skipping it is left. That is no error's end.
TEST(BurstHooks, StaysInLoops) {
  gnomon_error_site site{"f", "f.c", 3, 1, 0, 1, 1 << GNOMON_PLAN_PLAIN, 0};
  int skipping = -1, exact = -1;
  Played some = run(Scope::Auto, [&](Rank &) { skipping = gnomon_error_path(&site); });
  run(Scope::Off, [&](Rank &) { exact = gnomon_error_path(&site); });
  EXPECT_EQ(skipping, 0);
  EXPECT_EQ(exact, 1);
  EXPECT_EQ(some.report.errorPaths, 0u);
  ASSERT_EQ(some.report.errorSites.size(), 1u);
  EXPECT_TRUE(some.report.errorSites[0].stays);
}

// Intent: the ranks' phases reach the sampler; a rank that ends has passed them.
TEST(BurstHooks, PhasesOfRanks) {
  gnomon_burst record = makeRecord();
  record.phase = 1;
  record.flops = 1;
  bool before = false, after = true;
  run(
      Scope::Auto,
      [&](Rank &rank) {
        if (rank.number == 1)
          return;
        before = instance(record, 100);
        gnomon_phase(1);
        enterRuntime(rank);
        world().engine.sleep(1);
        leaveRuntime(rank);
        after = instance(record, 100);
      },
      2);
  EXPECT_TRUE(before);
  EXPECT_FALSE(after);
}

// Intent: on a thread that is no rank everything is executed and nothing counted.
TEST(BurstHooks, OtherThreadsExecute) {
  gnomon_burst record = makeRecord();
  record.flops = 1;
  int begun = 0;
  Played some = run(Scope::Auto, [&](Rank &) {
    std::thread([&] {
      begun = gnomon_burst_begin(&record, 1);
      gnomon_burst_end(&record);
    }).join();
  });
  EXPECT_EQ(begun, 1);
  EXPECT_TRUE(some.report.rows.empty());
}

// Intent: the counter is behind what has run in the midst of a way through a function. Where nothing has run before, it is
// below zero then, which is no time.
TEST(BurstHooks, CounterBelowZeroIsNoTime) {
  gnomon_burst record = makeRecord();
  const Played played = run(Scope::Off, [&](Rank &rank) {
    count(static_cast<uint64_t>(-5) - Program::instructions);
    call(rank);
    instance(record, 1'005);
    call(rank);
  });
  EXPECT_GE(played.seconds, 1e-6);
  EXPECT_LT(played.seconds, 1.1e-6);
}

// Intent: with a profile, the instructions of a burst and those between bursts have their own
// rates, and skipped instances cost work × rate from the first on.
TEST(BurstHooks, ProfilesGiveRates) {
  static gnomon_burst record;
  record = makeRecord();
  static gnomon_burst *records[] = {&record};
  Program::use(program);
  Program::module.bursts = records;
  Program::module.burst_count = 1;
  auto profile = std::make_shared<burst::Profile>();
  profile->hostSpeedFlops = 1e9;
  profile->gapSecondsPerInstruction = 2e-9;
  profile->bursts.push_back({{"", "f.c", "f", 99, 0}, {{-1, -1, 4, 7e-9, 5e-9, 0.1}}});
  auto what = [&](Rank &rank) {
    for (int i = 0; i < 10; ++i) {
      count(1000);
      instance(record, 100'000);
      count(500);
    }
    call(rank);
  };
  const double gaps = 10 * 1500 * 2e-9;
  Played all = run(Scope::Off, what, 1, ComputeMode::Profile, profile);
  EXPECT_NEAR(all.seconds, gaps + 10 * 1e5 * 5e-9, 1e-12);
  Played some = run(Scope::Auto, what, 1, ComputeMode::Profile, profile);
  EXPECT_EQ(some.report.skipped, 10u);
  EXPECT_NEAR(some.seconds, gaps + 10 * 1e5 * 7e-9, 1e-12);
  // The standard error of a mean of 4 instances that spread by 10 %: 5 %. The first instance is a
  // kind of its own: √(1 + 9²).
  EXPECT_NEAR(some.report.intervalSeconds, 1.96 * 0.05 * std::sqrt(82.0) * 1e5 * 7e-9, 1e-12);
  profile->bursts[0].key.function = "g";
  profile->meanSecondsPerInstruction = 3e-9;
  Played missing = run(Scope::Off, what, 1, ComputeMode::Profile, profile);
  EXPECT_NEAR(missing.seconds, gaps + 10 * 1e5 * 3e-9, 1e-12);
  ASSERT_EQ(missing.report.notInProfile.size(), 1u);
  EXPECT_EQ(missing.report.notInProfile[0], "f (f.c:0)");
  Program::module.burst_count = 0;
}

// Intent: of instances that are not measured, the number, the work and the nesting are kept all the
// same.
TEST(BurstHooks, UnmeasuredInstancesAreCounted) {
  gnomon_burst outer = makeRecord(), inner = makeRecord();
  auto inside = [&]() __attribute__((noinline)) { instance(inner, 1000); };
  Played all = run(Scope::Off, [&](Rank &rank) {
    for (uint64_t i = 0; i < 10'000; ++i) {
      gnomon_burst_begin(&outer, 1000);
      inside();
      gnomon_burst_end(&outer);
      call(rank);
    }
  });
  ASSERT_EQ(all.report.rows.size(), 1u);
  EXPECT_EQ(all.report.rows[0].executed, 10'000u);
  EXPECT_LT(all.report.rows[0].samples, 100u);
  EXPECT_NEAR(all.report.rows[0].seconds, 10'000 * 1e-6, 1e-9);
  EXPECT_NEAR(all.seconds, 10'000 * 1e-6, 1e-9);
}

/// Of the two clocks, while it lives; hooks take HookSeconds by the counter.
struct FakeClocks {
  static constexpr double HookSeconds = 20e-9, SecondsPerTick = 1e-9;
  static inline uint64_t ticks;

  FakeThreadClock thread;
  FakeClocks() {
    ticks = 0;
    setCycleCounterForTest(
        [] {
          ticks += static_cast<uint64_t>(HookSeconds * burst::Bursts::CalibrationInstances /
                                         SecondsPerTick);
          return ticks;
        },
        SecondsPerTick);
  }
  ~FakeClocks() { setCycleCounterForTest(nullptr, 0); }
  static void pass(double seconds) { FakeThreadClock::seconds += seconds; }
};

// Intent: what the hooks themselves take is not the program's time.
TEST(BurstHooks, HooksTakeNoSimulatedTime) {
  constexpr double ProgramSeconds = 5e-9;
  const FakeClocks clocks;
  gnomon_burst record = makeRecord();
  record.flops = 0;
  Played some = run(
      Scope::Auto,
      [&](Rank &) {
        for (int i = 0; i < 1'000'000; ++i) {
          instance(record, 100);
          FakeClocks::pass(FakeClocks::HookSeconds + ProgramSeconds);
        }
      },
      1, ComputeMode::Measured);
  EXPECT_EQ(some.report.skipped, 1'000'000u);
  EXPECT_NEAR(some.seconds, 1'000'000 * ProgramSeconds, 1e-9);
}

/// The two clocks go together, but for what a test takes from the thread alone.
struct TwoClocks {
  static inline uint64_t ticks;

  FakeThreadClock thread;
  TwoClocks() {
    ticks = 0;
    setCycleCounterForTest([] { return ticks; }, 1e-9);
  }
  ~TwoClocks() { setCycleCounterForTest(nullptr, 0); }
  static void pass(uint64_t nanoseconds) {
    FakeThreadClock::seconds += 1e-9 * static_cast<double>(nanoseconds);
    ticks += nanoseconds;
  }
  /// Another thread has the core.
  static void lose(uint64_t nanoseconds) { ticks += nanoseconds; }
};

// Intent: what measured samples say is off by the host's drift at least, however alike they are;
// counted ones are not.
TEST(BurstHooks, IntervalHoldsTheHostsDrift) {
  const TwoClocks clocks;
  gnomon_burst record = makeRecord();
  auto what = [&](Rank &rank) {
    for (int i = 0; i < 3000; ++i) {
      if (gnomon_burst_begin(&record, 100)) {
        count(100'000);
        TwoClocks::pass(100'000);
      }
      gnomon_burst_end(&record);
      call(rank);
    }
  };
  const burst::Report measured = run(Scope::Auto, what, 1, ComputeMode::Measured, {}, 0.03).report;
  EXPECT_GT(measured.sampledSeconds, 1000 * 1e-4);
  EXPECT_NEAR(measured.intervalSeconds, 1.96 * 0.03 * measured.sampledSeconds, 1e-9);
  EXPECT_GT(measured.computedSeconds, 1.02 * measured.sampledSeconds); // some have been executed
  EXPECT_NEAR(measured.computedIntervalSeconds, 1.96 * 0.03 * measured.computedSeconds, 1e-9);
  const burst::Report counted = run(Scope::Auto, what, 1, ComputeMode::Counted, {}, 0.03).report;
  EXPECT_GT(counted.sampledSeconds, 0);
  EXPECT_EQ(counted.intervalSeconds, 0);
  EXPECT_EQ(counted.computedIntervalSeconds, 0);
}

/// Instances of 100 ns, as much between them, and \p lost to others in every tenth.
burst::Report shortInstances(uint64_t lost, uint64_t lostAlways) {
  const TwoClocks clocks;
  gnomon_burst record = makeRecord();
  return run(
             Scope::Off,
             [&](Rank &rank) {
               for (int i = 0; i < 10'000; ++i) {
                 gnomon_burst_begin(&record, 0);
                 TwoClocks::pass(100);
                 TwoClocks::lose((i % 10 == 3 ? lost : 0) + lostAlways);
                 gnomon_burst_end(&record);
                 TwoClocks::pass(100);
                 call(rank);
               }
             },
             1, ComputeMode::Measured)
      .report;
}

// Intent: on a busy machine short instances lose the core now and then, which the counter that times
// them does not see: those are no samples, and the shares stay as they are.
TEST(BurstHooks, InstancesThatLoseTheCoreAreNoSamples) {
  for (uint64_t lost : {0, 2'000, 20'000, 20'000'000}) {
    const burst::Report report = shortInstances(lost, 0);
    EXPECT_NEAR(report.computedSeconds, 10'000 * 200e-9, 1e-6) << lost;
    EXPECT_NEAR(report.skippableSeconds, 10'000 * 100e-9, 1e-6) << lost;
    EXPECT_TRUE(report.sharesKnown) << lost;
    EXPECT_EQ(report.preempted > 0, lost > 0) << lost;
  }
}

// Intent: what samples say beyond the time that was measured of the whole only divides it; beyond
// three times as much they are not believed.
TEST(BurstHooks, BurstsTakeNoLongerThanTheWhole) {
  const burst::Report disturbed = shortInstances(0, 400);
  EXPECT_NEAR(disturbed.skippableSeconds, disturbed.computedSeconds, 1e-12);
  EXPECT_TRUE(disturbed.sharesKnown);
  const burst::Report lost = shortInstances(0, 700);
  EXPECT_LE(lost.skippableSeconds, lost.computedSeconds);
  EXPECT_FALSE(lost.sharesKnown);
}

// Intent: where costs are measured, skipped instances take the time that executed ones take.
TEST(BurstHooks, SkippingKeepsMeasuredTime) {
  constexpr double Seconds = 1e-3;
  const FakeClocks clocks;
  gnomon_burst record = makeRecord();
  auto what = [&](Rank &rank) {
    for (int i = 0; i < 1000; ++i) {
      if (gnomon_burst_begin(&record, 100))
        FakeClocks::pass(Seconds);
      gnomon_burst_end(&record);
      call(rank);
    }
  };
  const Played all = run(Scope::Off, what, 1, ComputeMode::Measured);
  const Played some = run(Scope::Auto, what, 1, ComputeMode::Measured);
  EXPECT_EQ(all.report.skipped, 0u);
  EXPECT_GT(some.report.skipped, 500u);
  EXPECT_NEAR(all.seconds, 1000 * Seconds, 1e-3 * 1000 * Seconds);
  EXPECT_NEAR(some.seconds, all.seconds, 1e-3 * all.seconds);
}

// Intent: a long stretch teaches by its parts. What its whole is charged beside that, since earlier runs took more or less
// for equal work, is not the time of what its last part skipped: other ranks' instances would cost that less, or more.
TEST(BurstHooks, ThePartsOfAStretchKnowNothingOfEarlierRuns) {
  constexpr int Instances = 300;
  constexpr uint64_t Work = 5'000'000; // and nanoseconds: each instance is a part
  for (double earlierPerInstruction : {0.93e-9, 1.07e-9}) {
    const TwoClocks clocks;
    gnomon_burst record = makeRecord();
    std::vector<EqualWork::Earlier> earlier;
    for (uint32_t work = workOf(Work); work <= workOf(Instances * Work); ++work)
      earlier.push_back({{work, 0}, {earlierPerInstruction}});
    const Played some = run(
        Scope::Auto,
        [&](Rank &rank) {
          if (rank.number == 0)
            keepEqualWorkSteady(earlier);
          for (int i = 0; i < Instances; ++i) {
            if (gnomon_burst_begin(&record, Work)) {
              count(Work);
              TwoClocks::pass(Work);
            }
            gnomon_burst_end(&record);
          }
          call(rank);
        },
        4, ComputeMode::Measured);
    EXPECT_GT(some.report.skipped, 900u);
    constexpr double All = 4e-9 * Instances * Work;
    EXPECT_NEAR(some.report.computedSeconds, All, 0.02 * All);
  }
}

// Intent: what the runtime weighs at the end of a part of a long stretch is none of the program's time.
TEST(BurstHooks, WeighingAPartTakesNoSimulatedTime) {
  constexpr int Instances = 50;
  constexpr uint64_t Work = 6'000'000; // and nanoseconds: each instance is a part
  static double weighing;              // seconds that pass behind the next reading
  const TwoClocks clocks;
  weighing = 0;
  setThreadClockForTest([] {
    const double now = FakeThreadClock::seconds;
    FakeThreadClock::seconds += std::exchange(weighing, 0);
    return now;
  });
  gnomon_burst record = makeRecord();
  const Played some = run(
      Scope::Auto,
      [&](Rank &rank) {
        for (int i = 0; i < Instances; ++i) {
          weighing = i > 0 ? 500e-6 : 0;
          const bool execute = gnomon_burst_begin(&record, Work);
          weighing = 0;
          if (execute) {
            count(Work);
            TwoClocks::pass(Work);
          }
          gnomon_burst_end(&record);
        }
        call(rank);
      },
      1, ComputeMode::Measured);
  EXPECT_GT(some.report.skipped, 0u);
  constexpr double All = 1e-9 * Instances * Work;
  EXPECT_NEAR(some.seconds, All, 1e-3 * All);
}

} // namespace
