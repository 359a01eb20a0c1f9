// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/FileHash.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

using namespace gnomon;

namespace {

/// A file that nobody else sees.
class Scratch {
public:
  explicit Scratch(const std::string &text) {
    char name[] = "/tmp/gnomon-hash-XXXXXX";
    descriptor_ = mkstemp(name);
    unlink(name);
    EXPECT_EQ(write(descriptor_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  ~Scratch() { close(descriptor_); }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

} // namespace

/// The values are those of the algorithm's description.
TEST(FileHash, IsXxh64) {
  EXPECT_EQ(hashOf(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hashOf("abc"), 0x44bc2cf5ad770999u);
}

TEST(FileHash, ReadsWholeFilesInPieces) {
  std::string text;
  for (int i = 0; i < 400000; ++i)
    text += std::to_string(i);
  Scratch file(text);
  lseek(file.descriptor(), 7, SEEK_SET);
  EXPECT_EQ(hashOfFile(file.descriptor()), hashOf(text));
  EXPECT_EQ(lseek(file.descriptor(), 0, SEEK_CUR), 7);
}

TEST(FileHash, LeavesLargeFilesAlone) {
  Scratch file("four");
  EXPECT_EQ(hashOfFile(file.descriptor(), 4), hashOf("four"));
  EXPECT_EQ(hashOfFile(file.descriptor(), 3), std::nullopt);
  EXPECT_EQ(hashOfFile(-1), std::nullopt);
}
