// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is written through a view is in the file, what lies between stays, and reading stops
// at the file's end; for runs of all lengths and gaps, for they are moved in different ways.
#include "io/DataMover.h"

#include "mpi/datatype/Datatype.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <numeric>
#include <string>
#include <unistd.h>

using namespace gnomon;
using mpi::Datatype;

namespace {

class DataMover : public ::testing::TestWithParam<std::pair<int64_t, int64_t>> {
protected:
  static int openNameless() {
    std::string name = ::testing::TempDir() + "gnomon-io-XXXXXX";
    const int descriptor = mkostemp(name.data(), O_CLOEXEC);
    unlink(name.c_str());
    return descriptor;
  }
  std::string content() const {
    std::string bytes(static_cast<size_t>(file.bytes()), '?');
    EXPECT_EQ(pread(file.descriptor(), bytes.data(), bytes.size(), 0), file.bytes());
    return bytes;
  }
  /// Runs of the parameter's length and gap, and bytes for 7 of them.
  io::FileMap runs() const {
    const auto [run, gap] = GetParam();
    const Datatype *type = Datatype::contiguous(run, Datatype::predefined(0x247)); // MPI_BYTE
    return {5, std::make_shared<const mpi::Layout>(type->layout()), run + gap};
  }
  std::string pattern(size_t bytes) const {
    std::string data(bytes, '\0');
    for (size_t i = 0; i < bytes; ++i)
      data[i] = static_cast<char>('a' + i % 23);
    return data;
  }
  io::RunVisitor counting() {
    return [this](int64_t, int64_t bytes) { visited += bytes; };
  }

  io::StoredFile file{openNameless(), true};
  int64_t visited = 0;
};

} // namespace

// Intent: a file without data grows as one with data does, and the same runs are told.
TEST_P(DataMover, WithoutDataTheSameRunsAreTold) {
  const auto [run, gap] = GetParam();
  using Told = std::vector<std::pair<int64_t, int64_t>>;
  io::StoredFile hollow{int64_t{0}};
  EXPECT_FALSE(hollow.hasData());
  std::string data = pattern(static_cast<size_t>(7 * run));
  for (bool writes : {true, false}) {
    int64_t bytes[2] = {};
    Told told[2];
    const int64_t length = writes ? 5 * run + run / 2 : 7 * run; // reading goes beyond the end
    for (io::StoredFile *each : {&file, &hollow}) {
      const size_t which = each == &hollow;
      const auto visit = [&](int64_t offset, int64_t moved) {
        told[which].emplace_back(offset, moved);
      };
      char *buffer = which ? nullptr : data.data();
      bytes[which] = writes ? writeThrough(*each, runs(), run / 2, buffer, length, visit).bytes
                            : readThrough(*each, runs(), run / 2, buffer, length, visit).bytes;
    }
    EXPECT_EQ(bytes[1], bytes[0]);
    EXPECT_EQ(told[1], told[0]);
    EXPECT_EQ(hollow.bytes(), file.bytes());
  }
  EXPECT_FALSE(hollow.resize(3, "hollow"));
  EXPECT_EQ(hollow.bytes(), 3);
}

TEST_P(DataMover, WritesBetweenWhatIsThere) {
  const auto [run, gap] = GetParam();
  const int64_t whole = 5 + 7 * (run + gap);
  const std::string before(static_cast<size_t>(whole), '.');
  ASSERT_EQ(pwrite(file.descriptor(), before.data(), before.size(), 0), whole);
  const std::string data = pattern(static_cast<size_t>(7 * run));
  // From the middle of a run on.
  const int64_t first = run / 2, bytes = 6 * run;
  const io::MoveResult result = writeThrough(file, runs(), first, data.data(), bytes, counting());
  EXPECT_EQ(result.bytes, bytes);
  EXPECT_EQ(visited, bytes);
  std::string expected = before;
  for (int64_t i = 0; i < bytes; ++i)
    expected[static_cast<size_t>(5 + (first + i) / run * (run + gap) + (first + i) % run)] =
        data[static_cast<size_t>(i)];
  EXPECT_TRUE(content() == expected);
  std::string back(static_cast<size_t>(bytes), '?');
  EXPECT_EQ(readThrough(file, runs(), first, back.data(), bytes, counting()).bytes, bytes);
  EXPECT_TRUE(back == data.substr(0, static_cast<size_t>(bytes)));
}

TEST_P(DataMover, AFileGrowsToItsLastByteWithZerosBetween) {
  const auto [run, gap] = GetParam();
  const std::string data = pattern(static_cast<size_t>(3 * run));
  writeThrough(file, runs(), 0, data.data(), 3 * run, counting());
  std::string expected(static_cast<size_t>(5 + 3 * run + 2 * gap), '\0');
  for (int64_t i = 0; i < 3 * run; ++i)
    expected[static_cast<size_t>(5 + i / run * (run + gap) + i % run)] =
        data[static_cast<size_t>(i)];
  EXPECT_TRUE(content() == expected);
}

TEST_P(DataMover, ReadingStopsAtTheEnd) {
  const auto [run, gap] = GetParam();
  // Two runs and a part of the third.
  const std::string there = pattern(static_cast<size_t>(5 + 2 * (run + gap) + run / 2));
  ASSERT_EQ(pwrite(file.descriptor(), there.data(), there.size(), 0),
            static_cast<ssize_t>(there.size()));
  std::string back(static_cast<size_t>(7 * run), '?');
  const io::MoveResult result = readThrough(file, runs(), 0, back.data(), 7 * run, counting());
  const int64_t expected = 2 * run + run / 2;
  EXPECT_EQ(result.bytes, expected);
  EXPECT_EQ(visited, expected);
  for (int64_t i = 0; i < expected; ++i)
    ASSERT_EQ(back[static_cast<size_t>(i)],
              there[static_cast<size_t>(5 + i / run * (run + gap) + i % run)]);
}

// Short runs close together, far apart, long runs, runs that touch.
INSTANTIATE_TEST_SUITE_P(Runs, DataMover,
                         ::testing::Values(std::pair{1, 1}, std::pair{8, 24}, std::pair{100, 5000},
                                           std::pair{3000, 4000}, std::pair{70000, 10},
                                           std::pair{400000, 100}, std::pair{16, 0}));
