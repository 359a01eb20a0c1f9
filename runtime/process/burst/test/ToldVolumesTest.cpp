// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a recorded run is told what each burst, and the code between bursts, has computed.
#include "process/ranks/test/Fakes.h"

#include "gnomon/Burst.h"
#include "process/burst/Bursts.h"
#include "process/burst/Settings.h"
#include "process/ranks/VolumeSink.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace gnomon;
using namespace gnomon::process;
using namespace gnomon::process::test;

extern "C" int gnomon_burst_begin(gnomon_burst *record, uint64_t work);
extern "C" void gnomon_burst_end(gnomon_burst *record);
extern "C" void gnomon_burst_end_with(gnomon_burst *record, int64_t ahead);
extern "C" void smpi_execute_flops(double flops);

namespace {

using Computation = std::vector<std::pair<uint32_t, double>>; ///< parts and their instructions

/// Keeps what is told. While it lives, runs are recorded.
struct Keeper final : VolumeSink {
  Keeper() { volumeSink = this; }
  ~Keeper() override { volumeSink = nullptr; }
  Keeper(const Keeper &) = delete;
  Keeper &operator=(const Keeper &) = delete;
  uint32_t part(const std::string &name) override {
    names.push_back(name);
    return static_cast<uint32_t>(names.size());
  }
  void played(const Rank &rank) override {
    Computation &told = computations.emplace_back();
    std::vector<VolumeTally::Part> &parts = tally(rank.number).parts();
    for (const VolumeTally::Part &part : parts)
      told.emplace_back(part.number, part.volume.instructions);
    parts.clear();
  }
  void readClock(const Rank &, uint32_t) override {}
  void sleeps(const Rank &, double) override {}

  std::vector<std::string> names; ///< of parts, from 1 on
  std::vector<Computation> computations;
};

std::function<void(Rank &)> body;

int program(int, char **, char **) {
  body(*currentRank());
  return 0;
}

gnomon_burst burstOf(const char *function) {
  gnomon_burst record{};
  record.function = function;
  record.file = "f.c";
  record.flags = GNOMON_BURST_SKIPPABLE;
  record.flops = -1;
  return record;
}

void count(uint64_t instructions) { Program::instructions += instructions; }

/// In the caller's frame, as the hooks that the pass writes are. The counter is \p ahead at the end.
[[gnu::always_inline]] inline void instance(gnomon_burst &record, uint64_t instructions,
                                            int64_t ahead = 0) {
  EXPECT_TRUE(gnomon_burst_begin(&record, instructions));
  count(instructions + static_cast<uint64_t>(ahead));
  ahead ? gnomon_burst_end_with(&record, ahead) : gnomon_burst_end(&record);
}

[[gnu::noinline]] void callee(gnomon_burst &record) { instance(record, 500'000); }

/// A call of the runtime: what was computed becomes simulated time.
void call(Rank &rank) {
  enterRuntime(rank);
  leaveRuntime(rank);
}

/// What is told of the program's computations. With a summary hooks take another way than without.
void record(Keeper &keeper, bool reported, std::function<void(Rank &)> what) {
  Program::use(program);
  body = std::move(what);
  Machine machine(1);
  burst::Settings settings;
  settings.reported = reported;
  settings.traced = true;
  machine.skipping = burst::skipping(std::move(settings));
  runRanks(machine.create(1, ComputeMode::Counted));
}

} // namespace

TEST(ToldVolumes, ArePartsInTheOrderInWhichTheyCame) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a"), b = burstOf("b");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 3; ++i) {
        instance(a, 200'000);
        count(30'000);
        instance(b, 400'000);
        instance(a, 1'000);
        count(7'000);
        call(rank);
      }
    });
    const Computation each{{1, 201'000}, {0, 37'000}, {2, 400'000}};
    EXPECT_EQ(keeper.computations, std::vector(3, each)) << reported;
    EXPECT_EQ(keeper.names, (std::vector<std::string>{"f.c:0 a #0", "f.c:0 b #0"})) << reported;
  }
}

TEST(ToldVolumes, WhatIsCountedAheadIsThePartsBehind) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 2; ++i) {
        instance(a, 200'000, 60'000);
        call(rank);
      }
    });
    const Computation each{{1, 200'000}, {0, 60'000}};
    EXPECT_EQ(keeper.computations, std::vector(2, each)) << reported;
  }
}

TEST(ToldVolumes, ABurstInsideAnotherBelongsToIt) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst outer = burstOf("outer"), inner = burstOf("inner");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 2; ++i) {
        gnomon_burst_begin(&outer, 0);
        callee(inner);
        callee(outer);
        gnomon_burst_end(&outer);
        callee(inner);
        call(rank);
      }
    });
    const Computation each{{1, 1'000'000}, {2, 500'000}};
    EXPECT_EQ(keeper.computations, std::vector(2, each)) << reported;
  }
}

TEST(ToldVolumes, OfInstancesInARowAddUp) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a"), b = burstOf("b");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 3; ++i) {
        for (int turn = 0; turn < 4; ++turn) {
          instance(a, 100'000, 500);
          count(1'000);
        }
        instance(b, 300'000);
        instance(b, 300'000, 7'000);
        call(rank);
      }
    });
    const Computation each{{1, 400'000}, {0, 13'000}, {2, 600'000}};
    EXPECT_EQ(keeper.computations, std::vector(3, each)) << reported;
  }
}

TEST(ToldVolumes, ACallInsideAnInstanceLeavesTheRestToIt) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a"), b = burstOf("b");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 2; ++i) {
        instance(b, 100'000);
        count(20'000);
        gnomon_burst_begin(&a, 0);
        count(200'000);
        call(rank);
        count(300'000);
        gnomon_burst_end_with(&a, 5'000); // which the call has charged
        instance(b, 150'000);
        instance(b, 150'000);
        call(rank);
      }
    });
    const Computation before{{1, 100'000}, {0, 20'000}, {2, 200'000}};
    const Computation behind{{2, 300'000}, {1, 300'000}};
    EXPECT_EQ(keeper.computations, (std::vector{before, behind, before, behind})) << reported;
  }
}

TEST(ToldVolumes, WhatIsCountedFurtherAheadThanAnInstanceRanIsTakenFromIt) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      instance(a, 400'000);
      for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(gnomon_burst_begin(&a, 0));
        count(1'000);
        gnomon_burst_end_with(&a, 3'000);
      }
      call(rank);
    });
    const Computation each{{1, 396'000}, {0, 6'000}};
    EXPECT_EQ(keeper.computations, std::vector(1, each)) << reported;
  }
}

TEST(ToldVolumes, WhatIsExecutedInNameIsOfThePartThatRuns) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      instance(a, 200'000);
      gnomon_burst_begin(&a, 0);
      smpi_execute_flops(100'000 * flopsPerCost());
      count(100'000);
      gnomon_burst_end(&a);
      smpi_execute_flops(50'000 * flopsPerCost());
      instance(a, 200'000);
      call(rank);
    });
    const Computation each{{1, 600'000}, {0, 50'000}};
    EXPECT_EQ(keeper.computations, std::vector(1, each)) << reported;
  }
}

TEST(ToldVolumes, WhatACallHasChargedAheadIsNotTheCodesBehindIt) {
  for (const bool reported : {false, true}) {
    Keeper keeper;
    gnomon_burst a = burstOf("a");
    record(keeper, reported, [&](Rank &rank) {
      call(rank);
      for (int i = 0; i < 2; ++i) {
        instance(a, 200'000);
        count(90'000); // 60,000 of which run behind the call
        call(rank);
        Program::instructions -= 60'000;
        instance(a, 200'000);
        count(70'000);
        call(rank);
      }
    });
    const Computation before{{1, 200'000}, {0, 90'000}}, behind{{1, 140'000}, {0, 70'000}};
    EXPECT_EQ(keeper.computations, (std::vector{before, behind, before, behind})) << reported;
  }
}
