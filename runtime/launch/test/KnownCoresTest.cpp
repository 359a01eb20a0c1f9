// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/KnownCores.h"

#include "process/ranks/CoreSpeed.h"
#include "process/ranks/Processor.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

using namespace gnomon::launch;
using gnomon::process::CoreFeel;
using gnomon::process::CoreSpeed;

namespace {

constexpr uint64_t Program = 0xc0de, Other = 7;
constexpr double PageSeconds = 0;

/// A user's cache of its own.
struct Cache {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("gnomon-cores-" + std::to_string(getpid()));
  Cache() {
    std::filesystem::remove_all(folder);
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  ~Cache() {
    std::filesystem::remove_all(folder);
    unsetenv("XDG_CACHE_HOME");
  }
  void write(const std::string &text) const {
    std::filesystem::create_directories(folder / "gnomon");
    std::ofstream(folder / "gnomon/cores") << text;
  }
};

CoreSpeed::Figures found(double ratio, double chainSeconds = 2e-6) {
  CoreSpeed::Figures figures;
  figures.ratio = ratio;
  figures.chainSeconds = chainSeconds;
  return figures;
}

// Intent: a core's own ratio comes again, that of a shared core is higher, and a lower one that stands
// alone was disturbed: it is none of the processor's, however lately or early it came.
TEST(KnownCores, HaveTheLeastRatioOfMoreThanOneRun) {
  const Cache cache;
  EXPECT_EQ(knownCores(Program).ratio, 0);
  noteCores(found(1.5), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 1.5);
  noteCores(found(2.26), PageSeconds, Program);
  noteCores(found(2.25), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 2.25);
  for (double ratio : {3.0, 4.0, 1.6, 2.27})
    noteCores(found(ratio), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 2.25);
  for (int i = 0; i < 100; ++i)
    noteCores(found(3), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 3);
}

// Intent: one run in another state moves the usual clock by a thirty-second; a machine that has become
// another one is known after some.
TEST(KnownCores, HaveTheUsualClock) {
  const Cache cache;
  noteCores(found(3, 2e-6), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 2e-6, 1e-12);
  noteCores(found(3, 3e-6), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 2.5e-6, 1e-11);
  for (int i = 0; i < 100; ++i)
    noteCores(found(3, 2e-6), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 2e-6, 1e-12);
  noteCores(found(3, 2.4e-6), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 2e-6 + 0.4e-6 / 32, 1e-11);
}

// Intent: runs under valgrind, however many, change nothing once the machine itself has been seen.
TEST(KnownCores, LeaveEmulatorsOut) {
  const Cache cache;
  noteCores(found(0.5, 7e-5), PageSeconds, Program);
  noteCores(found(0.5, 7e-5), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 7e-5, 1e-11);
  noteCores(found(1.3, 1.5e-6), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 1.5e-6, 1e-12);
  EXPECT_NEAR(knownCores(Program).ratio, 1.3, 1e-12);
  noteCores(found(0.5, 7e-5), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).chainSeconds, 1.5e-6, 1e-12);
  EXPECT_NEAR(knownCores(Program).ratio, 1.3, 1e-12);
}

// Intent: what no run has found is not kept, and what no run has written is not believed.
TEST(KnownCores, BelieveNoOther) {
  const Cache cache;
  noteCores(found(0), PageSeconds, Program);
  noteCores(found(1e9), PageSeconds, Program);
  noteCores(found(3, 0), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 0);
  const std::string begin = "gnomon cores 6\n" + gnomon::process::processorName();
  const std::string code = fmt::format("\n{:016x}\n", gnomon::process::coreKernels());
  std::string many;
  for (int i = 0; i < 40; ++i)
    many += i < 32 ? "3 2e-6 1e-6 0.5 1 c0de\n" : "2 1e-6 1e-6 0.5 1 c0de\n";
  for (const std::string &text : {begin + code + "3 2e-6 1e-6 0.5 1 c0de\n", begin + code + many}) {
    cache.write(text);
    EXPECT_NEAR(knownCores(Program).ratio, 3, 1e-12);
    EXPECT_NEAR(knownCores(Program).chainSeconds, 2e-6, 1e-12);
  }
  for (const std::string &text :
       {std::string(),
        "gnomon cores 4\n" + begin.substr(15) + code + "3 2e-6 1e-6 0.5 1 c0de\n",
        "gnomon cores 6\nanother" + code + "3 2e-6 1e-6 0.5 1 c0de\n",
        begin + "\n0123\n3 2e-6 1e-6 0.5 1 c0de\n",
        begin + code,
        begin + code + "3\n",
        begin + code + "3\n2e-6\n",
        begin + code + "three 2e-6 1e-6 0.5 1 c0de\n",
        begin + code + "-3 2e-6 1e-6 0.5 1 c0de\n",
        begin + code + "1e99 2e-6 1e-6 0.5 1 c0de\n",
        begin + code + "nan 2e-6 1e-6 0.5 1 c0de\n",
        begin + code + "3 0 1e-6 0.5 1 c0de\n",
        begin + code + "3 nan 1e-6 0.5 1 c0de\n",
        begin + code + "3 2 1e-6 0.5 1 c0de\n",
        begin + code + "3 2e-6\n",
        begin + code + "3 2e-6 1e-6 -1 1 c0de\n",
        begin + code + "3 2e-6 1e-6 4 1 c0de\n",
        begin + code + "3 2e-6 1e-6 0.5 1e99 c0de\n",
        begin + code + "3 2e-6 1e-6 0.5 1 code\n",
        begin + code + "3 2e-6 1 0.5 1 c0de\n",
        begin + code + "3 2e-6 1e-6 0.5 1 c0de\n\n",
        begin + code + "3 2e-6 1e-6 0.5 1 c0de\n3 2e-6 1e-6 0.5 1 c0de 7\n"}) {
    cache.write(text);
    EXPECT_EQ(knownCores(Program).ratio, 0) << text;
    EXPECT_EQ(knownCores(Program).chainSeconds, 0) << text;
  }
}

// Intent: in some runs the host's memory was slow, from the run's beginning on; runs that made no pages say nothing.
TEST(KnownCores, HaveWhatAPageTakes) {
  const Cache cache;
  EXPECT_EQ(knownPageSeconds(), 0);
  for (double seconds : {0.0, 0.5e-6, 5e-6, 0.6e-6, 0.0, 0.4e-6, 4e-6, 0.0})
    noteCores(found(3), seconds, Program);
  EXPECT_NEAR(knownPageSeconds(), 0.6e-6, 1e-12);
}

// Intent: what a program feels of a shared core, runs of it have learned; of one that has not run, others say more than
// nothing does. A run that has learned little says little, and one that has learned very much no more than a few others.
TEST(KnownCores, HaveWhatProgramsFeel) {
  const Cache cache;
  const auto felt = [](double slope, double weight) {
    CoreSpeed::Figures figures = found(3);
    figures.feel = {slope, weight};
    return figures;
  };
  EXPECT_EQ(knownCores(Program).feel, CoreFeel::Usual);
  noteCores(felt(0, 0.001), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).feel, CoreFeel::Usual, 0.02 * CoreFeel::Usual);
  for (int run = 0; run < 8; ++run)
    noteCores(felt(0.2, 5), PageSeconds, Program);
  EXPECT_NEAR(knownCores(Program).feel, 0.2, 0.01);
  EXPECT_NEAR(knownCores(Other).feel, 0.2, 0.07);
  noteCores(felt(2, 1000), PageSeconds, Other);
  EXPECT_NEAR(knownCores(Other).feel, 1.75, 0.1);
  EXPECT_NEAR(knownCores(Program).feel, 0.2, 0.05);
}

// Intent: a cache that cannot be written is none, and says nothing.
TEST(KnownCores, NeedNoCache) {
  const Cache cache;
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  noteCores(found(3), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 0);
  unsetenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  const std::string kept = home ? home : "";
  unsetenv("HOME");
  noteCores(found(3), PageSeconds, Program);
  EXPECT_EQ(knownCores(Program).ratio, 0);
  const std::string nobodys = cache.folder.string() + "-not-there";
  setenv("HOME", nobodys.c_str(), 1);
  noteCores(found(3), PageSeconds, Program);
  EXPECT_FALSE(std::filesystem::exists(nobodys));
  if (home)
    setenv("HOME", kept.c_str(), 1);
}

} // namespace
