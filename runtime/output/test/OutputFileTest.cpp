// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/OutputFile.h"

#include "support/Error.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <unistd.h>

using namespace gnomon;
using namespace gnomon::output;
using Naming = OutputFile::Naming;

namespace {

/// In a folder of its own, in both ways of naming.
class OutputFileTest : public testing::TestWithParam<Naming> {
protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("outputs-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char *name) const { return folder_ / name; }
  std::string textOf(const char *name) const {
    std::stringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  long files() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

  std::filesystem::path folder_;
};

// Intent: until the end there is no file, and the old one stays as it was; then there is the new one
// and nothing else.
TEST_P(OutputFileTest, IsNamedAtTheEnd) {
  for (const char *text : {"first\n", "second\n"}) {
    const std::string before = textOf("out");
    OutputFile file(path("out"), GetParam());
    file.write(text);
    EXPECT_EQ(textOf("out"), before);
    EXPECT_EQ(file.finish(), "");
    EXPECT_EQ(textOf("out"), text);
    EXPECT_EQ(files(), 1);
  }
}

// Intent: what is not finished leaves nothing.
TEST_P(OutputFileTest, IsGivenUp) {
  {
    OutputFile(path("out"), GetParam()).write("text\n");
  }
  EXPECT_EQ(files(), 0);
}

// Intent: the folder is the one that the name meant at the start.
TEST_P(OutputFileTest, StaysWhereItWasOpened) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  OutputFile file("out", GetParam());
  std::filesystem::current_path("/");
  EXPECT_EQ(file.finish("text\n"), "");
  std::filesystem::current_path(before);
  EXPECT_EQ(textOf("out"), "text\n");
}

INSTANTIATE_TEST_SUITE_P(Namings, OutputFileTest, testing::Values(Naming::Link, Naming::Copy));

// Intent: a file that cannot be written is an error that names it, at the start where that can be
// known.
TEST(OutputFile, FailureNamesTheFile) {
  EXPECT_THROW(OutputFile("/nonexistent/out.json"), InputError);
  EXPECT_THROW(OutputFile("/"), InputError);
  EXPECT_EQ(OutputFile("/dev/full").finish("text"),
            "cannot write /dev/full: No space left on device");
}

} // namespace
