// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/CoreRatio.h"

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

namespace {

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

// Intent: the lowest ratio stays, but for a slow forgetting.
TEST(CoreRatio, IsTheLowestLately) {
  const Cache cache;
  EXPECT_EQ(knownCoreRatio(), 0);
  noteCoreRatio(3);
  EXPECT_EQ(knownCoreRatio(), 3);
  noteCoreRatio(2.5);
  EXPECT_EQ(knownCoreRatio(), 2.5);
  noteCoreRatio(4);
  EXPECT_NEAR(knownCoreRatio(), 2.5 * 1.002, 1e-5);
  for (int i = 0; i < 1000; ++i)
    noteCoreRatio(3);
  EXPECT_EQ(knownCoreRatio(), 3);
}

// Intent: what no run has found is not kept, and what no run has written is not believed.
TEST(CoreRatio, BelievesNoOther) {
  const Cache cache;
  noteCoreRatio(0);
  noteCoreRatio(1e9);
  EXPECT_EQ(knownCoreRatio(), 0);
  const std::string name = gnomon::process::processorName();
  const std::string code = fmt::format("\n{:016x}\n", gnomon::process::coreKernels());
  cache.write("gnomon cores 2\n" + name + code + "3\n");
  EXPECT_EQ(knownCoreRatio(), 3);
  for (const std::string &text :
       {std::string(), "gnomon cores 1\n" + name + "\n3\n",
        "gnomon cores 3\n" + name + code + "3\n", "gnomon cores 2\nanother" + code + "3\n",
        "gnomon cores 2\n" + name + "\n0123\n3\n", "gnomon cores 2\n" + name + code,
        "gnomon cores 2\n" + name + code + "three\n", "gnomon cores 2\n" + name + code + "-3\n",
        "gnomon cores 2\n" + name + code + "1e99\n", "gnomon cores 2\n" + name + code + "nan\n"}) {
    cache.write(text);
    EXPECT_EQ(knownCoreRatio(), 0) << text;
  }
}

// Intent: a cache that cannot be written is none, and says nothing.
TEST(CoreRatio, NeedsNoCache) {
  const Cache cache;
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  noteCoreRatio(3);
  EXPECT_EQ(knownCoreRatio(), 0);
  unsetenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  const std::string kept = home ? home : "";
  unsetenv("HOME");
  noteCoreRatio(3);
  EXPECT_EQ(knownCoreRatio(), 0);
  const std::string nobodys = cache.folder.string() + "-not-there";
  setenv("HOME", nobodys.c_str(), 1);
  noteCoreRatio(3);
  EXPECT_FALSE(std::filesystem::exists(nobodys));
  if (home)
    setenv("HOME", kept.c_str(), 1);
}

} // namespace
