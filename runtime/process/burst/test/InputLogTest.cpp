// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/InputLog.h"

#include "process/burst/InputCheck.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace gnomon::process;
using namespace gnomon::process::burst;

namespace {

InputFile file(std::string path, uint64_t hash, std::set<uint32_t> ranks = {0}) {
  return {std::move(path), {1, hash}, {10, hash}, std::move(ranks)};
}

/// in.[first-last], one a rank, by a format of the number.
std::vector<InputFile> numbered(const char *form, uint32_t first, uint32_t last) {
  std::vector<InputFile> files;
  for (uint32_t i = first; i <= last; ++i)
    files.push_back(file(fmt::format(fmt::runtime(form), i), i, {i}));
  return files;
}

std::string names(const std::vector<InputLog> &logs) {
  std::string all;
  for (const InputLog &log : logs)
    all += (all.empty() ? "" : " ") + log.path;
  return all;
}

} // namespace

TEST(InputLog, HasALineAFile) {
  const auto logs = inputLogs({file("b", 1, {0, 1, 2}), file("a7", 2)}, 3);
  EXPECT_EQ(names(logs), "a7 b");
  EXPECT_EQ(logs[0].ranks, std::vector<uint32_t>{0});
  EXPECT_TRUE(logs[1].ranks.empty());
  EXPECT_EQ(logs[1].contents, (FileContents{10, 1}));
}

TEST(InputLog, DoesNotNameRanksThatWereStartedLater) {
  const auto logs = inputLogs({file("a", 1, {0, 1, 2, 3}), file("b", 1, {1, 2})}, 2);
  EXPECT_TRUE(logs[0].ranks.empty());
  EXPECT_EQ(logs[1].ranks, std::vector<uint32_t>{1});
}

TEST(InputLog, HasALineForNumbersThatRunOn) {
  for (const auto &[form, first, last, name] :
       {std::tuple("r{:04}/in.h5", 0u, 20u, "r[0000-0020]/in.h5"),
        std::tuple("in.{}", 3u, 120u, "in.[3-120]"),
        std::tuple("in.{:03}", 90u, 110u, "in.[090-110]")}) {
    const auto logs = inputLogs(numbered(form, first, last), 200);
    ASSERT_EQ(names(logs), name);
    EXPECT_EQ(logs[0].files, last - first + 1);
    EXPECT_EQ(logs[0].ranks.size(), last - first + 1);
    EXPECT_EQ(logs[0].contents.bytes, 10 * (last - first + 1));
    EXPECT_EQ(filesNamed(logs[0].path), logs[0].files);
    const auto paths = pathsOf(logs[0]);
    EXPECT_EQ(paths.front(), fmt::format(fmt::runtime(form), first));
    EXPECT_EQ(paths.back(), fmt::format(fmt::runtime(form), last));
    EXPECT_EQ(paths.size(), logs[0].files);
  }
}

TEST(InputLog, KeepsApartWhatNoNumberJoins) {
  auto files = numbered("in.{}", 0, 40);
  files.erase(files.begin() + 20);
  EXPECT_EQ(names(inputLogs(files, 64)), "in.[0-19] in.[21-40]");
  EXPECT_EQ(inputLogs(numbered("in.{}", 0, 14), 64).size(), 15u);
  EXPECT_EQ(inputLogs(numbered("in[{}]", 0, 40), 64).size(), 41u);
  // Zeros in front, and then longer numbers.
  EXPECT_EQ(names(inputLogs(numbered("in.{:02}", 5, 130), 200)), "in.[05-99] in.[100-130]");
}

TEST(InputLog, KnowsManyByAllOfThem) {
  auto files = numbered("in.{}", 0, 40);
  const auto before = inputLogs(files, 64);
  files[7].contents.hash = 99;
  EXPECT_NE(inputLogs(files, 64)[0].contents, before[0].contents);
  files[7].contents.hash = std::nullopt;
  EXPECT_EQ(inputLogs(files, 64)[0].contents.hash, std::nullopt);
}

TEST(InputLog, IsNoNameOfMany) {
  for (const char *name : {"in", "in.[3]", "in.[a-b]", "in.[5-5]", "in.[7-5]", "in.[-5]",
                           "in.[0-999999999]", "in]0-5[", "in.[0-1234567890]"})
    EXPECT_EQ(filesNamed(name), 0u) << name;
}

TEST(InputDifferences, SayWhatIsAssumed) {
  InputDifferences found;
  EXPECT_TRUE(found.sentences().empty());
  found.changed = {"in.dat"};
  found.unrecorded = {"a", "b", "c", "d", "e", "f", "g"};
  found.unread = {"in.[0-63]"};
  EXPECT_EQ(found.count(), 9u);
  EXPECT_EQ(found.sentences(),
            (std::vector<std::string>{
                "the file in.dat differs from the one recorded: what is given is an assumption",
                "the files a, b, c, d, e and 2 more were not read when decisions were recorded: "
                "what is given is an assumption",
                "the files in.[0-63] were read when decisions were recorded, and are not read now, "
                "or not all: what is given is an assumption"}));
}

TEST(InputCheck, ComparesWithTheFilesAsTheyAre) {
  const FileContents program = contentsOf("/proc/self/exe").value();
  FileKey key;
  contentsOf("/proc/self/exe", &key);
  const InputFile read{"/proc/self/exe", key, {}, {0}};
  InputCheck same({{"/proc/self/exe", 1, program, {}}});
  EXPECT_EQ(same.before().count(), 0u);
  EXPECT_EQ(same.after({read}).count(), 0u);
  EXPECT_EQ(same.after({}).unread.size(), 1u);
  InputCheck other({{"/proc/self/exe", 1, {program.bytes, 1}, {}}, {"/none", 1, {}, {}}});
  EXPECT_EQ(other.before().changed.size(), 1u);
  EXPECT_EQ(other.before().missing.size(), 1u);
  EXPECT_EQ(other.after({read}).count(), 2u);
  InputCheck none({});
  EXPECT_EQ(none.after({read}).unrecorded, std::vector<std::string>{"/proc/self/exe"});
}
