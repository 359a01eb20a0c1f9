// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/PageCost.h"

#include "process/ranks/test/Fakes.h"

#include <functional>
#include <gtest/gtest.h>

using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

/// A host on which a page takes `seconds` by a fault, the program's and the reference's alike, and
/// `togetherSeconds` in one call with others.
struct FakePages {
  static inline double seconds, togetherSeconds;
  static inline uint64_t made, ofReference;

  FakePages() {
    seconds = 1e-6;
    togetherSeconds = 0;
    made = ofReference = 0;
  }
  static double make(uint32_t pages) {
    made += pages;
    ofReference += pages;
    FakeThreadClock::seconds += pages * seconds;
    return pages * seconds;
  }
  static PageCost::Source source() {
    return {make, [](uint32_t pages) { return pages * togetherSeconds; }, [] { return made; }};
  }
  /// The program makes pages.
  static void use(uint32_t pages) {
    made += pages;
    FakeThreadClock::seconds += pages * seconds;
  }
};

std::function<void(Rank &)> body;

double run(std::function<void(Rank &)> what) {
  Program::use([](int, char **, char **) {
    body(*currentRank());
    return 0;
  });
  body = std::move(what);
  Machine machine(1);
  World &world = machine.create(1, ComputeMode::Measured);
  keepPagesSteady(FakePages::source());
  return runRanks(world).endedAt.seconds;
}

void call(Rank &rank) {
  enterRuntime(rank);
  leaveRuntime(rank);
}

// Intent: however slowly the host makes pages, they are charged at what they took at best, and what
// else the program does takes what it takes.
TEST(PageCost, ChargesWhatPagesTakeAtBest) {
  for (double slower : {1.0, 3.0, 10.0}) {
    const FakeThreadClock clock;
    const FakePages pages;
    const double simulated = run([&](Rank &rank) {
      for (int step = 0; step < 100; ++step) {
        FakePages::seconds = step < 5 ? 1e-6 : slower * 1e-6;
        FakeThreadClock::seconds += 5e-3;
        FakePages::use(2000);
        call(rank);
      }
    });
    EXPECT_NEAR(simulated, 100 * (5e-3 + 2000e-6), 0.04 * 100 * 7e-3) << slower;
    // A hundredth of the program's, and those at the start.
    EXPECT_LE(FakePages::ofReference, 100 * 2000 / 100 + 16 * 8);
  }
}

// Intent: where faults are dear, a page is charged as one that is made in one call with others.
TEST(PageCost, ChargesDearFaultsAsPagesMadeTogether) {
  const FakeThreadClock clock;
  const FakePages pages;
  FakePages::seconds = 11e-6;
  FakePages::togetherSeconds = 0.8e-6;
  const double simulated = run([&](Rank &rank) {
    for (int step = 0; step < 100; ++step) {
      FakeThreadClock::seconds += 25e-3;
      FakePages::use(2000);
      call(rank);
    }
  });
  EXPECT_NEAR(simulated, 100 * (25e-3 + 2000 * 0.8e-6), 1e-6);
}

// Intent: the small gain of a machine whose faults are cheap changes nothing.
TEST(PageCost, FaultsAreDearOnlyAtFarMoreThanPages) {
  EXPECT_FALSE(areFaultsDear(0.5e-6, 0.3e-6));
  EXPECT_TRUE(areFaultsDear(11e-6, 0.8e-6));
  EXPECT_FALSE(areFaultsDear(11e-6, 0)); // the kernel cannot
}

// Intent: what the runtime makes in between is not the program's, nor is what the reference makes.
TEST(PageCost, TheRuntimesPagesAreNotTheRanks) {
  const FakeThreadClock clock;
  const FakePages pages;
  const double simulated = run([&](Rank &rank) {
    FakePages::use(2000);
    call(rank);
    FakePages::seconds = 5e-6;
    for (int step = 0; step < 10; ++step) {
      FakeThreadClock::seconds += 5e-3;
      enterRuntime(rank);
      FakePages::use(2000);
      leaveRuntime(rank);
    }
  });
  EXPECT_NEAR(simulated, 2000e-6 + 10 * 5e-3, 1e-9);
  EXPECT_EQ(pageFigures().leftOutSeconds, 0);
}

// Intent: a run whose pages are slow from its beginning on charges what earlier runs saw, and says what it saw itself.
TEST(PageCost, EarlierRunsSayWhatPagesTakeAtBest) {
  PageCost pages;
  FakePages::seconds = 5e-6;
  FakePages::made = 0;
  pages.enable(FakePages::source(), 1e-6);
  FakePages::use(2000);
  EXPECT_NEAR(pages.stretch(20e-3, 1), 2000 * 4e-6, 1e-9);
  EXPECT_NEAR(pages.figures().nominalSeconds, 1e-6, 1e-12);
  EXPECT_NEAR(pages.figures().bestSeconds, 5e-6, 1e-12);
}

// Intent: a stretch is never emptied, whatever the reference says.
TEST(PageCost, LeavesAPartOfEachStretch) {
  PageCost pages;
  FakePages::seconds = 1e-6;
  FakePages::made = 0;
  pages.enable(FakePages::source());
  FakePages::use(2000);
  EXPECT_NEAR(pages.stretch(2e-3, 1), 0, 1e-12);
  FakePages::seconds = 50e-6;
  FakePages::use(10'000);
  EXPECT_NEAR(pages.stretch(10e-3, 2), 9e-3, 1e-9);
  EXPECT_NEAR(pages.figures().nominalSeconds, 1e-6, 1e-12);
  EXPECT_NEAR(pages.figures().mostSeconds, 50e-6, 1e-12);
}

// Intent: pages that were made ahead of their use count as no faults, though the kernel counts them,
// and are charged at what such pages take at best, whatever they took.
TEST(PageCost, PagesMadeAheadAreChargedExactly) {
  rusage usage{};
  usage.ru_minflt = 1000;
  const uint64_t before = faultsOf(usage);
  usage.ru_minflt += 512;
  usage.ru_majflt += 3;
  const FakeThreadClock clock;
  const FakePages pages;
  FakePages::seconds = 11e-6;
  FakePages::togetherSeconds = 0.8e-6;
  const double simulated = run([&](Rank &rank) {
    FakeThreadClock::seconds += 25e-3 + 3.5e-3;
    notePagesAhead(512, 3.5e-3);
    call(rank);
  });
  EXPECT_EQ(faultsOf(usage) - before, 3u);
  EXPECT_NEAR(simulated, 25e-3 + 512 * 0.8e-6, 1e-9);
}

// Intent: pages that were made ahead in less than they take at best are charged that too, and the figures say so.
TEST(PageCost, PagesMadeAheadMayTakeLess) {
  PageCost pages;
  FakePages::seconds = 11e-6;
  FakePages::togetherSeconds = 0.8e-6;
  pages.enable(FakePages::source());
  EXPECT_NEAR(pages.ahead(512, 300e-6), 512 * 0.8e-6, 1e-12);
  EXPECT_NEAR(pages.figures().leftOutSeconds, 300e-6 - 512 * 0.8e-6, 1e-12);
}

// Intent: without pages there is no reference, and nothing is left out.
TEST(PageCost, MakesNoPagesForNothing) {
  PageCost pages;
  FakePages::made = FakePages::ofReference = 0;
  pages.enable(FakePages::source());
  EXPECT_EQ(pages.stretch(1, 1), 0);
  EXPECT_EQ(FakePages::ofReference, 0u);
  EXPECT_EQ(PageCost().stretch(1, 1), 0);
}

} // namespace
