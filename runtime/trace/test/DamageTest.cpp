// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a file that was cut, changed or made up is refused with its name and a byte; it never
// gives other records than were written, never crashes, and takes no more memory than a file may.
#include "trace/test/MemoryTrace.h"

#include "support/Error.h"
#include "support/FileHash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;
using testing::HasSubstr;

namespace {

class Damaged : public testing::Test {
protected:
  Damaged() {
    Generator generator(11);
    ranks_.resize(3);
    for (Calls &calls : ranks_)
      generator.body(calls, 3, 3000);
    EXPECT_EQ(write(path_, ranks_), "");
    good_ = bytesOf(path_);
  }

  /// Reads all of \p bytes; the error's text, or "" when what was read is what was written.
  std::string read(const std::string &bytes) {
    writeBytes(path_, bytes);
    try {
      const TraceFile file(path_);
      std::vector<Calls> ranks;
      for (uint32_t rank = 0; rank < file.facts().ranks; ++rank)
        ranks.push_back(callsOf(*file.open(rank)));
      return ranks == ranks_ && file.functions() == functions() ? "" : "other records";
    } catch (const InputError &error) {
      EXPECT_EQ(error.file(), path_);
      return error.what();
    }
  }

  Folder folder_;
  std::string path_ = folder_ / "a.gtr", good_;
  std::vector<Calls> ranks_;
};

/// A file of one rank and of one block, made by hand.
std::string fileOf(std::string_view block, uint64_t records, const std::string &tables,
                   std::string_view index = {}) {
  Compressor compressor;
  std::string file(Magic), ends;
  putFixed(file, FormatVersion);
  putFixed(file, uint32_t{1});
  const size_t place = file.size();
  file += compressor.section({.kind = SectionKind::Block, .records = records}, block);
  const Reference reference{.place = place, .bytes = file.size() - place, .records = records};
  putFixed(ends, uint64_t{file.size()});
  file += compressor.section({.kind = SectionKind::Tables}, tables);
  putFixed(ends, uint64_t{file.size()});
  file += compressor.section({.kind = SectionKind::Index},
                             index.empty() ? indexText({{.pages = {}, .blocks = {reference}}})
                                           : std::string(index));
  putFixed(ends, uint64_t{file.size() + TrailerBytes});
  ends += EndMagic;
  putFixed(file, hashOf(file.substr(0, FileHeadBytes) + ends));
  return file + ends;
}

Facts oneRank() {
  Facts facts;
  facts.ranks = 1;
  return facts;
}

std::string tablesOf(const Schema &schema) {
  TableBytes parts;
  parts.communicatorCount = 2;
  parts.communicators.assign(4, '\0');
  return tablesText(schema, parts, oneRank());
}

std::string varints(std::initializer_list<uint64_t> numbers) {
  std::string out;
  for (uint64_t number : numbers)
    putVarint(out, number);
  return out;
}

} // namespace

TEST_F(Damaged, CutAtAnyByte) {
  for (size_t size = 0; size < good_.size(); ++size)
    ASSERT_THAT(read(good_.substr(0, size)), size < Magic.size()
                                                 ? HasSubstr(size == 0 ? "no trace" : "cut short")
                                                 : HasSubstr("cut short"))
        << size;
  EXPECT_EQ(read(good_), "");
}

TEST_F(Damaged, AnyFlippedBitIsSeen) {
  for (size_t at = 0; at < good_.size(); ++at) {
    std::string bytes = good_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const std::string error = read(bytes);
    ASSERT_NE(error, "") << at;
    ASSERT_NE(error, "other records") << at;
  }
}

TEST_F(Damaged, APieceThatIsMissingInTheMiddle) {
  EXPECT_THAT(read(good_.substr(0, good_.size() / 2) + good_.substr(good_.size() / 2 + 1)),
              HasSubstr("bytes when it was written"));
}

TEST_F(Damaged, MoreBehindTheEnd) { EXPECT_THAT(read(good_ + "x"), HasSubstr("cut short, or")); }

TEST_F(Damaged, AnotherVersion) {
  std::string bytes = good_;
  for (const char version : {0, 3}) {
    bytes[Magic.size()] = version;
    EXPECT_THAT(read(bytes), HasSubstr("and this program reads versions 1 to 2"));
  }
}

TEST_F(Damaged, SomethingElse) {
  EXPECT_THAT(read("0 init\n0 compute 5\n"), HasSubstr("is no trace of Gnomon"));
  EXPECT_THROW(TraceFile("/nowhere/a.gtr"), InputError);
  EXPECT_THROW(TraceFile(folder_.path()), InputError);
}

TEST_F(Damaged, ABlockThatIsDamagedIsNamedWhenItIsRead) {
  std::string bytes = good_;
  bytes[FileHeadBytes + SectionHeadBytes + 3] ^= 1;
  EXPECT_THAT(read(bytes), HasSubstr("byte 16: the checksum differs"));
}

// Below: sections whose checksums are right, and that say what cannot be.

class MadeUp : public Damaged {
protected:
  MadeUp() {
    schema_.number({"f", {{"list", Kind::Number, true}}}, "");
    schema_.number({"g", {}}, "");
    tables_ = tablesOf(schema_);
  }
  std::string readBlock(const std::string &block, uint64_t records) {
    return read(fileOf(block, records, tables_));
  }
  Schema schema_;
  std::string tables_;
};

TEST_F(MadeUp, ALoopOfLoopsHasMoreRecordsThanCanBeCounted) {
  // Ten loops, one in another, each of 2^62 turns.
  std::string codes;
  for (int i = 0; i < 10; ++i)
    codes += varints({0, uint64_t{1} << 62, 1});
  codes += varints({1});
  EXPECT_THAT(readBlock(varints({1, 11, 0, 1, 1, 0, codes.size()}) + codes, 5),
              HasSubstr("more records than anybody can count"));
}

TEST_F(MadeUp, LoopsAreTooDeep) {
  std::string codes;
  for (int i = 0; i < 40; ++i)
    codes += varints({0, 1, 1});
  codes += varints({1});
  EXPECT_THAT(readBlock(varints({1, 41, 0, 1, 1, 0, codes.size()}) + codes, 1), HasSubstr("deep"));
}

TEST_F(MadeUp, ALoopIsEmpty) {
  const std::string codes = varints({0, 5, 0});
  EXPECT_THAT(readBlock(varints({1, 1, 0, 1, 1, 0, codes.size()}) + codes, 1),
              HasSubstr("a loop is empty"));
}

/// Three records, a loop of one, and a copy of \p nodes that stood \p distance before.
std::string blockWithCopy(uint64_t items, uint64_t distance, uint64_t nodes) {
  const std::string codes = varints({1, 1, 1, 0, 2, 1, 1, 0, 0, distance, nodes});
  return varints({items, 5 + std::max<uint64_t>(nodes, 1), 0, 1, 1, 0, codes.size()}) + codes;
}

TEST_F(MadeUp, ACopyHasWholeItemsThatStoodBefore) {
  EXPECT_EQ(readBlock(blockWithCopy(8, 5, 5), 10), "other records"); // understood
  EXPECT_THAT(readBlock(blockWithCopy(8, 5, 4), 9), HasSubstr("a copy has a part of a loop"));
  EXPECT_THAT(readBlock(blockWithCopy(7, 5, 5), 10), HasSubstr("other items than are left"));
  EXPECT_THAT(readBlock(blockWithCopy(5, 5, 0), 5), HasSubstr("other items than are left"));
  EXPECT_THAT(readBlock(blockWithCopy(9, 6, 5), 10), HasSubstr("how many nodes before"));
  EXPECT_THAT(readBlock(blockWithCopy(7, 3, 4), 9), HasSubstr("the nodes of a copy"));
}

TEST_F(MadeUp, ALoopIsNotCopiedIntoItself) {
  const std::string codes = varints({0, 3, 2, 1, 0, 0, 2, 2});
  EXPECT_THAT(readBlock(varints({1, 4, 0, 1, 1, 0, codes.size()}) + codes, 6),
              HasSubstr("a copy has a part of a loop"));
}

TEST_F(MadeUp, CopiesOfLoopsAreTooDeep) {
  std::string codes;
  for (int i = 0; i < 20; ++i)
    codes += varints({0, 1, 1});
  codes += varints({1});
  for (int i = 0; i < 13; ++i)
    codes += varints({0, 1, 1});
  codes += varints({0, 0, 34, 21});
  EXPECT_THAT(readBlock(varints({2, 55, 0, 1, 1, 0, codes.size()}) + codes, 2), HasSubstr("deep"));
}

TEST_F(MadeUp, AListIsLongerThanItsBlock) {
  const std::string codes = varints({1}), values = varints({2000});
  EXPECT_THAT(
      readBlock(varints({1, 1, 5, 1, 0, 1, codes.size(), values.size()}) + codes + values, 1),
      HasSubstr("more values than it says"));
}

TEST_F(MadeUp, MemoryIsNotWhatABlockAsksFor) {
  EXPECT_THAT(readBlock(varints({1, 1, uint64_t{1} << 40}), 1), HasSubstr("number of values"));
  EXPECT_THAT(readBlock(varints({uint64_t{1} << 40, 1}), 1), HasSubstr("number of items"));
}

TEST_F(MadeUp, ASectionThatWouldBeHuge) {
  Compressor compressor;
  const std::string huge(size_t{300} << 20, 'x');
  const std::string bytes = compressor.section({.kind = SectionKind::Block, .records = 0}, huge);
  ASSERT_LT(bytes.size(), size_t{1} << 20);
  EXPECT_THROW(Decompressor().open(bytes, {.kind = SectionKind::Block, .records = 0}), Damage);
}

TEST_F(MadeUp, AGroupThatWouldBeHuge) {
  TableBytes parts;
  parts.communicatorCount = 2;
  parts.communicators = varints({1, 0, 0, uint64_t{1} << 40, 0, 0, 0});
  EXPECT_THAT(read(fileOf("", 0, tablesText(schema_, parts, oneRank()))),
              HasSubstr("number of members"));
}

TEST_F(MadeUp, AReferenceLeadsOutOfTheFile) {
  const std::string index = varints({1, 0, 1, 2000000, 64, 1});
  EXPECT_THAT(read(fileOf("", 0, tables_, index)), HasSubstr("where there is no section"));
}

TEST_F(MadeUp, AReferenceLeadsToAnotherSection) {
  const std::string index = varints({1, 0, 1, 2 * 17, 40, 1});
  const std::string block = varints({1, 1, 0, 1, 1, 0, 1, 1});
  EXPECT_THAT(read(fileOf(block, 1, tables_, index)), HasSubstr("byte 17"));
}

TEST_F(MadeUp, ABlockHasOtherRecordsThanItSays) {
  const std::string block = varints({1, 1, 0, 1, 1, 0, 1, 1});
  EXPECT_THAT(readBlock(block, 2), HasSubstr("other records than it says"));
  EXPECT_EQ(readBlock(block, 1), "other records"); // understood
}

TEST_F(MadeUp, ALoopOfATrillionTurnsIsEnteredNearItsEnd) {
  constexpr uint64_t Turns = uint64_t{1} << 40;
  const std::string codes = varints({0, Turns, 1, 1});
  writeBytes(path_, fileOf(varints({1, 2, 0, 1, 1, 0, codes.size()}) + codes, Turns, tables_));
  const TraceFile file(path_);
  EXPECT_EQ(file.records(0), Turns);
  EXPECT_EQ(callsOf(*file.open(0, Turns - 3)).size(), 3u);
}

TEST(Target, WhatCannotBeWrittenIsSaid) {
  EXPECT_THROW(FileTarget("/nowhere/a"), InputError);
  const Folder folder;
  EXPECT_THROW(FileTarget(folder.path()), InputError);
  FileTarget full("/dev/full");
  full.write("x");
  EXPECT_THAT(full.finish(), HasSubstr("cannot write /dev/full: No space left on device"));
}

TEST(Target, WhatWasNotFinishedLeavesNothing) {
  const Folder folder;
  writeBytes(folder / "a.gtr", "old");
  {
    TraceWriter writer(folder / "a.gtr", 2);
    writer.text("x");
  }
  EXPECT_EQ(bytesOf(folder / "a.gtr"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}
