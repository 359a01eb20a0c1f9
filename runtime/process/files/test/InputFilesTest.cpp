// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/files/InputFiles.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gnomon::process;
namespace fs = std::filesystem;

namespace {

class InputFilesTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/gnomon-inputs-XXXXXX";
    folder_ = mkdtemp(name);
    before_ = fs::current_path();
    fs::current_path(folder_);
    // As long ago as no clock is off.
    for (const char *file : {"a", "b"}) {
      std::ofstream(file) << file;
      fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    usleep(20000); // the files were made before the run
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  /// Opened by a rank; closed with the test.
  int open(InputFiles &files, uint32_t rank, const std::string &path, FileAccess access,
           int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    EXPECT_GE(descriptor, 0) << path;
    files.opened(rank, descriptor, access, path);
    return descriptor;
  }
  int read(InputFiles &files, uint32_t rank, const std::string &path) {
    return open(files, rank, path, FileAccess::Read, O_RDONLY);
  }
  int both(InputFiles &files, uint32_t rank, const std::string &path) {
    return open(files, rank, path, FileAccess::Both, O_RDWR | O_CREAT);
  }

  std::string folder_;
  fs::path before_;
};

std::string names(InputFiles &files) {
  std::string all;
  for (const InputFile &file : files.all()) {
    all += (all.empty() ? "" : " ") + file.path + ":";
    for (uint32_t rank : file.ranks)
      all += std::to_string(rank);
  }
  return all;
}

} // namespace

TEST_F(InputFilesTest, HoldWhatRanksRead) {
  InputFiles files(InputFiles::Contents::Hashed);
  read(files, 1, "b");
  read(files, 0, "a");
  read(files, 2, "./a");
  EXPECT_EQ(names(files), "a:02 b:1");
  EXPECT_EQ(files.all()[0].contents, contentsOf("a"));
  EXPECT_NE(files.all()[0].contents, contentsOf("b"));
  EXPECT_EQ(contentsOf("c"), std::nullopt);
}

TEST_F(InputFilesTest, AreNotWhatTheRunWrote) {
  InputFiles files(InputFiles::Contents::Hashed);
  open(files, 0, "c", FileAccess::Write, O_WRONLY | O_CREAT);
  read(files, 0, "c");
  open(files, 0, "a", FileAccess::Write, O_WRONLY);
  read(files, 1, "a");
  EXPECT_EQ(names(files), "");
}

/// Where it is open for both, what is done first counts.
TEST_F(InputFilesTest, OpenForBothAreWhatIsReadBeforeItIsWritten) {
  InputFiles files(InputFiles::Contents::Hashed);
  const int a = both(files, 0, "a"), b = both(files, 0, "b");
  files.read(a);
  files.written(a);
  files.written(b);
  files.read(b);
  EXPECT_EQ(names(files), "a:0");
}

TEST_F(InputFilesTest, OpenForBothMayBeMapped) {
  InputFiles files(InputFiles::Contents::Hashed);
  both(files, 0, "a");
  usleep(20000); // "new" is newer than the run
  both(files, 0, "new");
  EXPECT_EQ(names(files), "a:0");
  EXPECT_EQ(files.all()[0].contents, contentsOf("a"));
}

/// A child of the program, say.
TEST_F(InputFilesTest, AreNotWhatSomebodyWroteMeanwhile) {
  InputFiles files(InputFiles::Contents::Hashed);
  usleep(20000);
  std::ofstream("a") << "anew";
  usleep(20000);
  read(files, 0, "a");
  EXPECT_EQ(names(files), "");
}

TEST_F(InputFilesTest, AreNamedFromWhereTheRunBegan) {
  fs::create_directory("sub");
  fs::rename("a", "sub/a");
  InputFiles files(InputFiles::Contents::Hashed);
  fs::current_path("sub");
  read(files, 0, "a");
  fs::current_path("..");
  read(files, 0, fs::absolute("b").string());
  EXPECT_EQ(names(files), folder_ + "/b:0 sub/a:0");
}

TEST_F(InputFilesTest, AreNoDevicesNorWhatTheSystemMakesUp) {
  InputFiles files(InputFiles::Contents::Hashed);
  read(files, 0, "/dev/null");
  read(files, 0, "/proc/self/status");
  read(files, 0, ".");
  EXPECT_EQ(names(files), "");
}

TEST_F(InputFilesTest, AreToldOfAsTheyTurnUp) {
  std::string told;
  InputFiles files(InputFiles::Contents::NotAsked,
                   [&](const InputFile &file) { told += file.path; });
  const int b = both(files, 0, "b");
  read(files, 0, "a");
  read(files, 1, "a");
  EXPECT_EQ(told, "a");
  files.read(b);
  EXPECT_EQ(told, "ab");
}
