// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CoreSpeed.h"

#include "process/ranks/CycleClock.h"
#include "process/ranks/test/Fakes.h"

#include <functional>
#include <gtest/gtest.h>

using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

void call(Rank &rank) {
  enterRuntime(rank);
  leaveRuntime(rank);
}

/// A machine whose cores each have a slowness, that of the reference and of the program alike, and one
/// clock; its time is the thread's clock's, but for what others take of it.
struct FakeCores {
  static inline std::vector<double> slowness;
  static inline uint32_t here;
  static inline double taken; ///< seconds that another program has had the core
  static inline uint32_t moves;
  static inline CoreSpeed::Known known;
  static inline double feel;      ///< of the program's work
  static inline double clockFeel; ///< the same, of the clock
  static inline double period;    ///< of the clock, by the usual one
  const FakeThreadClock clock;

  explicit FakeCores(std::vector<double> each) {
    slowness = std::move(each);
    here = moves = 0;
    taken = 0;
    known = {};
    feel = CoreFeel::Usual;
    clockFeel = period = 1;
    setCycleCounterForTest(
        [] { return static_cast<uint64_t>(1e9 * (1 + FakeThreadClock::seconds + taken)); }, 1e-9);
  }
  ~FakeCores() { setCycleCounterForTest(nullptr, 0); }

  static CoreSpeed::Source source() {
    return {[] { return 3e-6 * slowness[here] * period; },
            [] { return 1e-6 * period; },
            {[] { return here; },
             [] {
               std::vector<uint32_t> all;
               for (uint32_t i = 0; i < slowness.size(); ++i)
                 all.push_back(i);
               return all;
             },
             [](uint32_t core) {
               moves += core != here;
               here = core;
             },
             [] { return FakeThreadClock::seconds; },
             [] { return FakeThreadClock::seconds + taken; }},
            known};
  }
  /// By how much longer the program's work takes now.
  static double felt() {
    return (1 + feel * CoreSpeed::sharedBy(slowness[here] - 1)) * (1 + clockFeel * (period - 1));
  }
  /// The program computes what takes so long on a core at its best.
  static void compute(double seconds) {
    Program::instructions += static_cast<uint64_t>(1e9 * seconds);
    FakeThreadClock::seconds += seconds * felt();
  }
};

std::function<void(Rank &)> body;
CoreSpeed::Figures figures; ///< at the body's end

double run(std::function<void(Rank &)> what) {
  Program::use([](int, char **, char **) {
    body(*currentRank());
    figures = coreFigures();
    return 0;
  });
  body = std::move(what);
  Machine machine(1);
  World &world = machine.create(1, ComputeMode::Measured);
  keepSpeedSteady(FakeCores::source());
  FakeCores::moves = 0;
  return runRanks(world).endedAt.seconds;
}

/// Computations of 3 ms, each with a call behind it.
void computeSteps(Rank &rank, int steps) {
  for (int step = 0; step < steps; ++step) {
    FakeCores::compute(3e-3);
    call(rank);
  }
}

// Intent: however slow the core is, a computation is charged what it takes at best.
TEST(CoreSpeed, ChargesWhatACoreAtItsBestTakes) {
  const FakeCores cores({1});
  const double simulated = run([&](Rank &rank) {
    for (int step = 0; step < 400; ++step) {
      FakeCores::slowness[0] = step % 100 < 50 ? 1 : 1.3;
      FakeCores::compute(3e-3);
      call(rank);
    }
  });
  EXPECT_NEAR(simulated, 400 * 3e-3, 0.02 * 400 * 3e-3);
  const double felt = CoreFeel::Usual * CoreSpeed::sharedBy(0.3);
  EXPECT_NEAR(figures.slowness, 1 + felt / 2, 0.03);
  EXPECT_NEAR(figures.leftOutSeconds, 200 * 3e-3 * felt, 0.05);
}

// Intent: work that waits for itself or for memory takes as long on a shared core, other work feels it
// more than most: what a program feels is learned from it.
TEST(CoreSpeed, LearnsWhatTheProgramFeels) {
  for (double feel : {0.0, 0.6, 1.0}) {
    const FakeCores cores({1});
    FakeCores::feel = feel;
    double learnt = 0;
    run([&](Rank &rank) {
      for (int step = 0; step < 12'400; ++step) {
        if (step == 12'000)
          learnt = rank.burst.chargedSeconds();
        FakeCores::slowness[0] = step % 40 < 20 ? 1 : 1.3;
        FakeCores::compute(3e-3);
        call(rank);
      }
      learnt = rank.burst.chargedSeconds() - learnt;
    });
    EXPECT_NEAR(learnt, 400 * 3e-3, 0.02 * 400 * 3e-3) << feel;
  }
}

// Intent: a core that is a little slow shows over many looks, though no single one tells it from noise.
TEST(CoreSpeed, SeesALittleSlownessOverManyLooks) {
  const FakeCores cores({1});
  const double simulated = run([&](Rank &rank) {
    for (int step = 0; step < 400; ++step) {
      FakeCores::slowness[0] = step < 200 ? 1 : 1.03;
      FakeCores::compute(3e-3);
      call(rank);
    }
  });
  const double felt = 200 * 3e-3 * CoreFeel::Usual * CoreSpeed::sharedBy(0.03);
  EXPECT_LT(simulated - 400 * 3e-3, 0.5 * felt);
}

// Intent: a run that never has a core of its own is judged by an earlier one that had; what it has
// seen itself is told as it was.
TEST(CoreSpeed, RemembersWhatACoreTakesAtBest) {
  for (double known : {0.0, 3.0}) {
    const FakeCores cores({1.3});
    FakeCores::known.ratio = known;
    const double felt = FakeCores::felt();
    const double simulated = run([&](Rank &rank) {
      for (int step = 0; step < 100; ++step) {
        FakeThreadClock::seconds += 3e-3 * felt;
        call(rank);
      }
    });
    EXPECT_NEAR(simulated, 100 * 3e-3 * (known > 0 ? 1 : felt), 0.02 * 100 * 3e-3);
    EXPECT_NEAR(figures.ratio, 3 * 1.3, 1e-9);
  }
}

// Intent: a run that can learn nothing, on a core that is shared throughout, is charged by what earlier runs have felt.
TEST(CoreSpeed, BeginsWithWhatEarlierRunsFelt) {
  for (double feel : {0.0, 0.4, 2.0}) {
    const FakeCores cores({1.3});
    FakeCores::known.ratio = 3;
    FakeCores::known.feel = FakeCores::feel = feel;
    const double simulated = run([](Rank &rank) { computeSteps(rank, 100); });
    EXPECT_NEAR(simulated, 100 * 3e-3, 0.02 * 100 * 3e-3) << feel;
  }
}

// Intent: a look whose chain an interrupt made longer has a ratio that no core has; alone, it does not
// make all others look slow, in this run or in a later one.
TEST(CoreSpeed, ADisturbedLookIsAlone) {
  const FakeCores cores({1});
  const double simulated = run([&](Rank &rank) {
    for (int step = 0; step < 400; ++step) {
      FakeCores::slowness[0] = step == 50 || step == 90 ? 0.6 + 0.001 * step : 1;
      FakeCores::compute(3e-3);
      call(rank);
    }
  });
  EXPECT_NEAR(simulated, 400 * 3e-3, 0.02 * 400 * 3e-3);
  EXPECT_NEAR(figures.ratio, 3, 1e-9);
}

// Intent: the least of which there are more; with few, what can be said.
TEST(AgreedLeast, IsNotAlone) {
  const auto of = [](std::initializer_list<double> values) {
    AgreedLeast least;
    for (double value : values)
      least.add(value);
    return least.value();
  };
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({3}), 3);
  EXPECT_EQ(of({3, 2}), 2);
  EXPECT_EQ(of({1.49, 2.25, 2.26}), 2.25);
  EXPECT_EQ(of({2.27, 1.49, 2.25, 1.5, 2.26}), 2.25);
  EXPECT_EQ(of({3, 2.5, 2, 4}), 2);
  AgreedLeast many;
  for (int i = 1000; i > 0; --i)
    many.add(2 + 0.001 * i);
  many.add(1);
  many.add(9);
  EXPECT_EQ(many.value(), 2.001);
}

// Intent: a moment of a high clock is no core at its best: with a clock that is usually 1.25 times as
// long, nothing but the moment is charged otherwise, in a run that meets it and in one that does not.
TEST(CoreSpeed, AHighClockIsAMoment) {
  for (bool meetsIt : {false, true}) {
    const FakeCores cores({1});
    FakeCores::known = {3, 1.25e-6};
    const double simulated = run([&](Rank &rank) {
      for (int step = 0; step < 400; ++step) {
        FakeCores::period = meetsIt && step % 100 < 10 ? 1 : 1.25;
        FakeCores::compute(3e-3);
        call(rank);
      }
    });
    EXPECT_NEAR(simulated, 400 * 1.25 * 3e-3, 0.01 * 400 * 1.25 * 3e-3) << meetsIt;
  }
}

// Intent: what the usual clock is, an earlier run has found; the first run takes its own mean.
TEST(CoreSpeed, ChargesWhatTheUsualClockTakes) {
  for (double usual : {0.0, 1e-6, 1.25e-6}) {
    const FakeCores cores({1});
    FakeCores::known = {3, usual};
    FakeCores::period = 1.1;
    const double simulated = run([&](Rank &rank) { computeSteps(rank, 100); });
    const double expected = usual > 0 ? usual / 1e-6 : 1.1;
    EXPECT_NEAR(simulated, 100 * 3e-3 * expected, 0.01 * 100 * 3e-3) << usual;
    EXPECT_NEAR(figures.chainSeconds, 1.1e-6, 1e-12);
    EXPECT_NEAR(figures.ratio, 3, 1e-9);
  }
}

// Intent: what waits for memory takes as long at any clock, which is learned, too.
TEST(CoreSpeed, LearnsWhatTheProgramFeelsOfTheClock) {
  for (double feel : {0.0, 0.5, 1.0}) {
    const FakeCores cores({1});
    FakeCores::known = {3, 1e-6};
    FakeCores::clockFeel = feel;
    double learnt = 0;
    run([&](Rank &rank) {
      for (int step = 0; step < 800; ++step) {
        if (step == 400)
          learnt = rank.burst.chargedSeconds();
        FakeCores::period = step % 40 < 20 ? 1 : 1.25;
        FakeCores::compute(3e-3);
        call(rank);
      }
      learnt = rank.burst.chargedSeconds() - learnt;
    });
    EXPECT_NEAR(learnt, 400 * 3e-3, 0.02 * 400 * 3e-3) << feel;
  }
}

// Intent: on a core that is always as fast, nothing is changed.
TEST(CoreSpeed, LeavesAnEvenCoreAlone) {
  const FakeCores cores({1, 1});
  const double simulated = run([&](Rank &rank) {
    for (int step = 0; step < 100; ++step) {
      FakeCores::compute(step % 2 == 0 ? 1e-5 : 1e-2);
      call(rank);
    }
  });
  EXPECT_NEAR(simulated, 50 * (1e-5 + 1e-2), 1e-6);
  EXPECT_EQ(figures.leftOutSeconds, 0);
  EXPECT_GE(figures.looks, 45u);
  EXPECT_EQ(FakeCores::moves, 0u);
}

// Intent: the time in a long computation is judged by what was seen of the core around it, not by two
// looks alone: a moment's slowness is not taken for that of 200 ms.
TEST(CoreSpeed, AMomentIsNotALongStretch) {
  const FakeCores cores({1});
  const double simulated = run([&](Rank &rank) {
    computeSteps(rank, 200);
    FakeCores::compute(200e-3);
    FakeCores::slowness[0] = 1.3;
    call(rank);
  });
  EXPECT_NEAR(simulated, 200 * 3e-3 + 200e-3, 0.12 * 200e-3);
}

// Intent: a core that is slow for a while is left for one that is not, and the thread stays there.
TEST(CoreChoice, LeavesASlowCore) {
  const FakeCores cores({1.4, 1});
  run([&](Rank &rank) { computeSteps(rank, 100); });
  EXPECT_EQ(FakeCores::here, 1u);
  EXPECT_EQ(FakeCores::moves, 1u);
}

// Intent: where all are slow, the thread looks about ever more rarely.
TEST(CoreChoice, LooksAboutRarely) {
  const FakeCores cores({1, 1});
  run([&](Rank &rank) {
    FakeCores::slowness = {1.4, 1.4};
    computeSteps(rank, 2000);
  });
  EXPECT_GE(FakeCores::moves, 2u);
  EXPECT_LE(FakeCores::moves, 12u);
}

// Intent: a fast core that the thread must share is no better than a slow one of its own.
TEST(CoreChoice, ComesBackFromABusyCore) {
  const FakeCores cores({1.4, 1});
  uint32_t there = 0, steps = 0;
  run([&](Rank &rank) {
    for (int step = 0; step < 1000; ++step) {
      FakeCores::slowness[1] = 1.2;
      FakeCores::compute(3e-3);
      if (FakeCores::here == 1)
        FakeCores::taken += 3e-3;
      there += FakeCores::here == 1;
      ++steps;
      call(rank);
    }
  });
  EXPECT_LT(there, steps / 2);
}

} // namespace
