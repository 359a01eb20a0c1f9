// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/EarlierRuns.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

using namespace gnomon::launch;
using gnomon::process::EqualWork;
using gnomon::process::burst::RunOrigin;

namespace {

class EarlierRunsTest : public testing::Test {
protected:
  EarlierRunsTest() {
    std::filesystem::remove_all(cache_);
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
  }
  ~EarlierRunsTest() override {
    std::filesystem::remove_all(cache_);
    unsetenv("XDG_CACHE_HOME");
  }

  static EarlierRuns runs(bool skips = false,
                          const RunOrigin &origin = {"dir/app", "b0", "-n 3", 4},
                          const std::string &way = "pages steady") {
    return {origin, skips, way};
  }
  /// What runs took, per instruction, for one work of a tenth of a second.
  static void note(const EarlierRuns &runs, double perInstruction) {
    runs.note({{{700, 2}, perInstruction, 0.1}}, {});
  }
  static std::vector<double> took(const EarlierRuns &runs) {
    const std::vector<EqualWork::Earlier> all = runs.expectations().works;
    return all.size() == 1 ? all.front().perInstruction : std::vector<double>(all.size(), -1);
  }
  static bool isEmpty(const EarlierRuns &runs) {
    const EarlierRuns::Expectations all = runs.expectations();
    return all.works.empty() && all.rates.empty();
  }
  std::filesystem::path onlyFile() const {
    return std::filesystem::directory_iterator(cache_ / "gnomon/work")->path();
  }
  size_t files() const {
    const std::filesystem::path folder = cache_ / "gnomon/work";
    size_t count = 0;
    if (std::filesystem::exists(folder))
      for ([[maybe_unused]] const auto &file : std::filesystem::directory_iterator(folder))
        ++count;
    return count;
  }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(onlyFile()).rdbuf();
    return text.str();
  }

  const std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("gnomon-work-" + std::to_string(getpid()));
};

TEST_F(EarlierRunsTest, AreToldInOrder) {
  EXPECT_TRUE(isEmpty(runs()));
  note(runs(), 1e-9);
  note(runs(), 3e-9);
  const std::vector<EqualWork::Earlier> all = runs().expectations().works;
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].work, 700U);
  EXPECT_EQ(all[0].round, 2U);
  EXPECT_EQ(all[0].perInstruction, (std::vector<double>{1e-9, 3e-9}));
}

TEST_F(EarlierRunsTest, AreTheLatest) {
  for (int run = 1; run <= 12; ++run)
    note(runs(), run * 1e-9);
  ASSERT_EQ(took(runs()).size(), EarlierRuns::MostRuns);
  EXPECT_EQ(took(runs()).front(), 4e-9);
  EXPECT_EQ(took(runs()).back(), 12e-9);
}

// Intent: another build, other arguments, another number of ranks or way of measuring is another program.
TEST_F(EarlierRunsTest, AreOfTheSameProgram) {
  note(runs(), 1e-9);
  EXPECT_TRUE(isEmpty(runs(false, {"dir/app", "b1", "-n 3", 4})));
  EXPECT_TRUE(isEmpty(runs(false, {"dir/app", "b0", "-n 4", 4})));
  EXPECT_TRUE(isEmpty(runs(false, {"dir/app", "b0", "-n 3", 5})));
  EXPECT_TRUE(isEmpty(runs(false, {"dir/app", "b0", "-n 3", 4}, "pages measured")));
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path("/");
  EXPECT_TRUE(isEmpty(runs()));
  std::filesystem::current_path(here);
  EXPECT_EQ(took(runs()), std::vector<double>{1e-9});
}

// Intent: runs that skip are told what executed ones took, and for the rest what they took themselves.
TEST_F(EarlierRunsTest, OfRunsThatSkipAreApart) {
  note(runs(true), 2e-9);
  EXPECT_TRUE(isEmpty(runs(false)));
  EXPECT_EQ(took(runs(true)), std::vector<double>{2e-9});
  note(runs(false), 1e-9);
  EXPECT_EQ(took(runs(true)), std::vector<double>{1e-9});
  runs(true).note({{{800, 0}, 3e-9, 0.1}}, {});
  EXPECT_EQ(runs(true).expectations().works.size(), 2U);
}

// Intent: what skipped bursts were charged goes the same way, and executed runs that recorded it come first.
TEST_F(EarlierRunsTest, TellWhatBurstsCost) {
  const EqualWork::Found work{{700, 2}, 1e-9, 0.1};
  runs(true).note({work}, {{0xabcULL << 52, 64, 2, {3e-3}}, {7, 0, 0, {2e-8}}});
  runs(true).note({work}, {{7, 0, 0, {4e-8}}});
  std::vector<gnomon::process::burst::EarlierRate> rates = runs(true).expectations().rates;
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[0].burst, 7U);
  EXPECT_EQ(rates[0].costs, (std::vector<double>{2e-8, 4e-8}));
  EXPECT_EQ(rates[1].burst, 0xabcULL << 52);
  EXPECT_EQ(rates[1].bucket, 64U);
  EXPECT_EQ(rates[1].warmth, 2U);
  runs(false).note({work}, {{7, 0, 0, {9e-8}}});
  rates = runs(true).expectations().rates;
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[0].costs, std::vector<double>{9e-8});
}

// Intent: what is not felt is not kept, and a run of a moment says nothing.
TEST_F(EarlierRunsTest, KeepWhatCounts) {
  runs().note({{{700, 0}, 1e-9, 0.009}}, {});
  EXPECT_EQ(files(), 0U);
  runs().note({{{700, 0}, 1e-9, 1}, {{700, 1}, 1e-9, 1e-6}}, {});
  EXPECT_EQ(took(runs()), std::vector<double>{1e-9});
}

// Intent: a program that takes turns with its input finds what it left.
TEST_F(EarlierRunsTest, KeepWhatThisRunHasNotMet) {
  note(runs(), 1e-9);
  runs().note({{{800, 0}, 2e-9, 0.1}}, {});
  EXPECT_EQ(runs().expectations().works.size(), 2U);
}

// Intent: nothing of a damaged file is believed, and the next run writes a good one.
TEST_F(EarlierRunsTest, BelieveNoDamage) {
  note(runs(), 1e-9);
  const std::string good = text(), head = good.substr(0, good.rfind('\n', good.size() - 2) + 1);
  EXPECT_EQ(good.substr(head.size()), "work 700 2 1e-09\n");
  const std::string later = good.substr(good.find('\n'));
  for (const std::string &bad : {std::string(),
                                 "gnomon work 0" + later,
                                 "gnomon work 1\nanother" + later,
                                 good.substr(0, good.size() - 8),
                                 head + "work 700 2\n",
                                 head + "work 700\n",
                                 head + "\n",
                                 head + "work 2048 2 1e-9\n",
                                 head + "work 700 33 1e-9\n",
                                 head + "work -1 2 1e-9\n",
                                 head + "work 7.5 2 1e-9\n",
                                 head + "work 700 2 nan\n",
                                 head + "work 700 2 -1e-9\n",
                                 head + "work 700 2 0\n",
                                 head + "work 700 2 2e6\n",
                                 head + "work 700 2 1 1 1 1 1 1 1 1 1 1\n",
                                 head + "work 700 2 1e-9 x\n",
                                 head + "700 2 1e-9\n",
                                 head + "burst 1g 2 1 1e-9\n",
                                 head + "burst 1f 65 1 1e-9\n",
                                 head + "burst 1f 64 3 1e-9\n",
                                 head + "burst 1f 64 2\n"}) {
    std::ofstream(onlyFile()) << bad;
    EXPECT_TRUE(isEmpty(runs())) << bad;
  }
  note(runs(), 2e-9);
  EXPECT_EQ(took(runs()), std::vector<double>{2e-9});
}

// Intent: the cache does not grow with each program that was ever run.
TEST_F(EarlierRunsTest, OfManyProgramsTheLatestAreKept) {
  for (int program = 0; program < 300; ++program)
    note(runs(false, {"app", std::to_string(program), "", 1}), 1e-9);
  EXPECT_EQ(files(), 256U);
  EXPECT_EQ(took(runs(false, {"app", "299", "", 1})), std::vector<double>{1e-9});
}

TEST_F(EarlierRunsTest, NeedNoCache) {
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  note(runs(), 1e-9);
  EXPECT_TRUE(isEmpty(runs()));
  setenv("XDG_CACHE_HOME", (cache_ / "not/there").c_str(), 1);
  note(runs(), 1e-9);
  EXPECT_TRUE(isEmpty(runs()));
}

} // namespace
