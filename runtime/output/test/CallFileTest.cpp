// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/CallFile.h"

#include "support/Error.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <zstd.h>

using namespace gnomon::output;

namespace {

class CallFileTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("calls-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string &name) const { return (folder_ / name).string(); }
  static std::string textOf(const std::string &path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  size_t filesInFolder() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

// Intent: lines that ranks wrote in turns stand in the file in order of rank; a rank without lines
// is there too.
TEST_F(CallFileTest, RanksInOrder) {
  CallFile file(path("out.txt"), "# head", 3);
  file.append(2, "first of 2\n");
  file.append(0, "first of 0\n");
  file.append(2, "second of 2\n");
  EXPECT_EQ(file.finish(true), "");
  EXPECT_EQ(textOf(path("out.txt")),
            "# head\nrank 0\nfirst of 0\nrank 1\nrank 2\nfirst of 2\nsecond of 2\n");
  EXPECT_EQ(filesInFolder(), 1u) << "no working file stays behind";
}

// Intent: what is longer than a chunk goes through the working file whole, and is replaced there,
// in memory, and across the border of two chunks.
TEST_F(CallFileTest, ReplacesWhereverItLies) {
  const size_t chunk = CallFile::chunkBytes(2);
  CallFile file(path("out.txt"), "#", 2);
  std::string expected;
  std::vector<uint64_t> places;
  for (int i = 0; expected.size() < 3 * chunk; ++i) {
    std::string line = "line " + std::to_string(i) + " ??????\n";
    const uint64_t place = file.append(1, line);
    ASSERT_EQ(place, expected.size());
    places.push_back(place + line.size() - 7);
    expected += line;
  }
  for (uint64_t place : places) {
    file.replace(1, place, "abcdef");
    expected.replace(place, 6, "abcdef");
  }
  EXPECT_EQ(file.finish(true), "");
  EXPECT_EQ(textOf(path("out.txt")), "#\nrank 0\nrank 1\n" + expected);
}

// Intent: a run that was cut short leaves what it has, marked INCOMPLETE at both ends.
TEST_F(CallFileTest, SaysIncomplete) {
  CallFile file(path("out.txt"), "# head", 1);
  file.append(0, "one\n");
  EXPECT_EQ(file.finish(false), "");
  EXPECT_EQ(textOf(path("out.txt")),
            "# head INCOMPLETE\nrank 0\none\nINCOMPLETE: the run was cut short\n");
}

// Intent: a name that ends in .zst gets a zstd stream of the same text.
TEST_F(CallFileTest, Compresses) {
  CallFile file(path("out.zst"), "# head", 1);
  std::string expected = "# head\nrank 0\n";
  for (int i = 0; i < 100000; ++i) {
    file.append(0, "the same line\n");
    expected += "the same line\n";
  }
  EXPECT_EQ(file.finish(true), "");
  const std::string compressed = textOf(path("out.zst"));
  EXPECT_LT(compressed.size(), expected.size() / 10);
  ZSTD_DCtx *context = ZSTD_createDCtx();
  std::string text(expected.size() + 1, '\0');
  const size_t got =
      ZSTD_decompressDCtx(context, text.data(), text.size(), compressed.data(), compressed.size());
  ZSTD_freeDCtx(context);
  ASSERT_FALSE(ZSTD_isError(got));
  EXPECT_EQ(text.substr(0, got), expected);
}

// Intent: a place where nothing can be written is refused before the run.
TEST_F(CallFileTest, RefusesAtTheStart) {
  EXPECT_THROW(CallFile(path("nowhere/out.txt"), "#", 1), gnomon::InputError);
}

// Intent: a full disk is an error that names the file, and the old file stays.
TEST_F(CallFileTest, FullDisk) {
  CallFile file("/dev/full", "#", 1);
  file.append(0, "text\n");
  EXPECT_EQ(file.finish(true), "cannot write /dev/full: No space left on device");
}

// Intent: memory for chunks stays within bounds for any number of ranks.
TEST(CallFile, ChunkBytes) {
  EXPECT_EQ(CallFile::chunkBytes(1), size_t{64} << 10);
  EXPECT_EQ(CallFile::chunkBytes(4096), size_t{16} << 10);
  EXPECT_EQ(CallFile::chunkBytes(1000000), size_t{4} << 10);
}

} // namespace
