// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what was appended is read again, whatever it was, from any record on.
#include "trace/test/MemoryTrace.h"

#include <gtest/gtest.h>

using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

constexpr size_t MostCalls = 20000;

std::vector<Calls> randomRanks(uint32_t seed) {
  Generator generator(seed);
  std::vector<Calls> ranks(static_cast<size_t>(generator.number(1, 9)));
  for (Calls &calls : ranks)
    generator.body(calls, 4, MostCalls);
  if (ranks.size() > 3)
    ranks[2] = ranks[1]; // equal but for what is relative
  return ranks;
}

} // namespace

TEST(RoundTrip, RandomNestedLoopsComeBack) {
  const Folder folder;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    const std::vector<Calls> ranks = randomRanks(seed);
    ASSERT_EQ(write(folder / "a.gtr", ranks), "");
    const TraceFile file(folder / "a.gtr");
    ASSERT_EQ(file.functions(), functions());
    for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
      ASSERT_EQ(callsOf(*file.open(rank)), ranks[rank]) << "seed " << seed << ", rank " << rank;
      ASSERT_EQ(file.records(rank), ranks[rank].size());
    }
  }
}

/// Pieces with loops in them, again and again with something else between: copies, and copies of those.
TEST(RoundTrip, WhatStoodBeforeComesBack) {
  const Folder folder;
  for (uint32_t seed = 300; seed < 360; ++seed) {
    Generator generator(seed);
    std::vector<Calls> pieces(static_cast<size_t>(generator.number(2, 5)));
    for (Calls &piece : pieces) {
      for (int64_t more = generator.number(5, 30); more > 0; --more)
        piece.push_back(generator.call());
      generator.body(piece, 2, 200);
      for (int64_t more = generator.number(5, 30); more > 0; --more)
        piece.push_back(generator.call());
    }
    Calls calls;
    for (int part = 0; part < 40; ++part) {
      const auto last = static_cast<int64_t>(pieces.size()) - 1;
      const Calls &piece = pieces[static_cast<size_t>(generator.number(0, last))];
      calls.insert(calls.end(), piece.begin(), piece.end());
      calls.push_back(generator.call());
    }
    ASSERT_EQ(write(folder / "a.gtr", {calls}), "");
    const TraceFile file(folder / "a.gtr");
    ASSERT_EQ(callsOf(*file.open(0)), calls) << "seed " << seed;
    const size_t middle = calls.size() / 2;
    const Calls rest = callsOf(*file.open(0, middle));
    ASSERT_EQ(rest, Calls(calls.begin() + static_cast<std::ptrdiff_t>(middle), calls.end()));
  }
}

TEST(RoundTrip, InterleavedRanksComeBack) {
  const Folder folder;
  const std::vector<Calls> ranks = randomRanks(7);
  ASSERT_GT(ranks.size(), 1u);
  TraceWriter writer(folder / "a.gtr", static_cast<uint32_t>(ranks.size()));
  declare(writer);
  for (size_t i = 0; i < MostCalls; ++i)
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
      if (i < ranks[rank].size())
        writer.append(rank, {ranks[rank][i].function, ranks[rank][i].values});
  ASSERT_EQ(writer.finish({}), "");
  const TraceFile file(folder / "a.gtr");
  std::vector<std::unique_ptr<Cursor>> cursors;
  for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    cursors.push_back(file.open(rank));
  for (size_t i = 0; i < MostCalls; ++i)
    for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
      const Calls calls = callsOf(*cursors[rank], 1);
      if (i < ranks[rank].size())
        ASSERT_EQ(calls.at(0), ranks[rank][i]);
      else
        ASSERT_TRUE(calls.empty());
    }
}

TEST(RoundTrip, AnyRecordIsFoundByTheIndex) {
  const Folder folder;
  Generator generator(3);
  for (uint32_t seed = 200; seed < 220; ++seed) {
    const std::vector<Calls> ranks = randomRanks(seed);
    ASSERT_EQ(write(folder / "a.gtr", ranks), "");
    const TraceFile file(folder / "a.gtr");
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
      for (int i = 0; i < 20; ++i) {
        const Calls &all = ranks[rank];
        const auto first =
            static_cast<size_t>(generator.number(0, static_cast<int64_t>(all.size()) + 2));
        const Calls rest = callsOf(*file.open(rank, first), 50);
        const size_t begin = std::min(first, all.size()), end = std::min(begin + 50, all.size());
        ASSERT_EQ(rest, Calls(all.begin() + static_cast<std::ptrdiff_t>(begin),
                              all.begin() + static_cast<std::ptrdiff_t>(end)))
            << "seed " << seed << ", record " << first << " of " << all.size();
      }
  }
}
