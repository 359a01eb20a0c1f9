// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops of equal records fold, nested ones too, whatever their counts; and a window that is
// never folded stays small.
#include "trace/test/MemoryTrace.h"

#include <gtest/gtest.h>

using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

/// A window, and the pool of its records.
struct Folding {
  RecordPool pool;
  Window window;

  void append(int64_t value, uint32_t function = 0) {
    window.append(pool, function, {&value, 1}, Window::MostNodes);
  }

  /// The items as a text: 2(1 3(2)) is a 1 and three 2s, twice.
  std::string text() {
    window.settle(pool);
    return text(0, static_cast<uint32_t>(window.nodes().size()));
  }
  /// All records, loops unrolled.
  std::vector<int64_t> unrolled() {
    window.settle(pool);
    std::vector<int64_t> values;
    unroll(0, static_cast<uint32_t>(window.nodes().size()), values);
    return values;
  }
  void unroll(uint32_t begin, uint32_t end, std::vector<int64_t> &out) const {
    for (uint32_t at = begin; at < end; ++at) {
      const Node node = window.nodes()[at];
      if (!node.isLoop()) {
        out.push_back(pool.values(node.number)[0]);
        continue;
      }
      const Loop &loop = window.loops()[node.loop()];
      for (uint64_t turn = 0; turn < loop.count; ++turn)
        unroll(at + 1, at + 1 + loop.nodes, out);
      at += loop.nodes;
    }
  }
  std::string text(uint32_t begin, uint32_t end) const {
    std::string text;
    for (uint32_t at = begin; at < end; ++at) {
      const Node node = window.nodes()[at];
      text += text.empty() ? "" : " ";
      if (!node.isLoop()) {
        text += std::to_string(pool.values(node.number)[0]);
        continue;
      }
      const Loop &loop = window.loops()[node.loop()];
      text += std::to_string(loop.count) + "(" + this->text(at + 1, at + 1 + loop.nodes) + ")";
      at += loop.nodes;
    }
    return text;
  }
};

} // namespace

TEST(Fold, OneRecordManyTimes) {
  Folding folding;
  for (int i = 0; i < 1000; ++i)
    folding.append(7);
  EXPECT_EQ(folding.text(), "1000(7)");
  EXPECT_EQ(folding.window.recordsOf(0), 1000u);
  EXPECT_EQ(folding.window.values(), 1u);
}

TEST(Fold, LoopsNest) {
  Folding folding;
  folding.append(0);
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 31; ++j)
      for (int64_t value : {1, 2, 3})
        folding.append(value);
    folding.append(4);
    for (int j = 0; j < 5; ++j)
      folding.append(5);
    folding.append(6);
  }
  folding.append(9);
  EXPECT_EQ(folding.text(), "0 50(31(1 2 3) 4 5(5) 6) 9");
  EXPECT_EQ(folding.window.recordsOf(1), 50u * (31 * 3 + 1 + 5 + 1));
}

TEST(Fold, ABodyOf1024ItemsFolds) {
  Folding folding;
  for (int turn = 0; turn < 3; ++turn)
    for (int64_t value = 0; value < Window::MostBody; ++value)
      folding.append(value);
  folding.window.settle(folding.pool);
  EXPECT_EQ(folding.window.items(), 1u);
  EXPECT_EQ(folding.window.loops().at(0).count, 3u);
  EXPECT_EQ(folding.window.nodes().size(), Window::MostBody + 1);
}

/// Places of the last item alone are too many to be looked at, and those of the first ones after it would give a loop that
/// begins elsewhere.
TEST(Fold, ABodyThatHasARecordManyTimesFoldsFromItsBegin) {
  Folding folding;
  std::string body;
  for (int turn = 0; turn < 3; ++turn)
    for (int64_t value = 100; value < 140; ++value) {
      folding.append(value);
      folding.append(1);
      if (turn == 0)
        body += (body.empty() ? "" : " ") + std::to_string(value) + " 1";
    }
  EXPECT_EQ(folding.text(), "3(" + body + ")");
}

TEST(Fold, ALoopOfAnotherCountIsAnotherItem) {
  Folding folding;
  for (int64_t count : {3, 4, 3, 4}) {
    for (int64_t i = 0; i < count; ++i)
      folding.append(1);
    folding.append(2);
  }
  EXPECT_EQ(folding.text(), "2(3(1) 2 4(1) 2)");
}

/// Loops of loops of few different records: many turns are left in their midst, or are begun like
/// another loop.
TEST(Fold, FollowingALoopComesToWhatAppendingItemsDoes) {
  Generator generator(7);
  for (int round = 0; round < 300; ++round) {
    Folding following, settled;
    auto append = [&](int64_t value) {
      following.append(value);
      settled.append(value);
      settled.window.settle(settled.pool);
    };
    for (int part = 0; part < 12; ++part) {
      const int64_t turns = generator.number(1, 5), length = generator.number(1, 4);
      std::vector<int64_t> body;
      for (int64_t i = 0; i < length; ++i)
        body.push_back(generator.number(0, 2));
      for (int64_t turn = 0; turn < turns; ++turn)
        for (int64_t value : body)
          append(value);
      if (generator.number(0, 2) == 0)
        append(body[0]);
    }
    ASSERT_EQ(following.text(), settled.text());
    EXPECT_EQ(following.pool.bytes(), settled.pool.bytes());
    EXPECT_EQ(following.window.values(), settled.window.values());
  }
}

/// Records of loops in loops, now and then with a turn that has one more or is left early.
void appendLoops(Generator &generator, int depth, std::vector<int64_t> &out) {
  std::vector<int64_t> body;
  for (int64_t part = generator.number(1, 3); part > 0; --part)
    if (depth > 0 && generator.number(0, 1) == 0)
      appendLoops(generator, depth - 1, body);
    else
      body.push_back(generator.number(0, 3));
  if (body.empty())
    body.push_back(0);
  for (int64_t turn = generator.number(1, 4); turn > 0; --turn) {
    out.insert(out.end(), body.begin(), body.end());
    if (generator.number(0, 15) == 0)
      out.pop_back();
    if (generator.number(0, 15) == 0)
      out.push_back(body[0]);
  }
}

/// In such a tangle a record may belong to a turn of one loop or complete another's: which of them
/// gets it may differ, what the records are may not.
TEST(Fold, FollowingLoopsInLoopsLosesNothingAndFoldsAsMuch) {
  Generator generator(11);
  size_t nodes = 0, settledNodes = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<int64_t> values;
    for (int part = 0; part < 4; ++part)
      appendLoops(generator, 3, values);
    values.resize(std::min<size_t>(values.size(), 1500));
    Folding following, settled;
    for (const int64_t value : values) {
      following.append(value);
      settled.append(value);
      settled.window.settle(settled.pool);
    }
    ASSERT_EQ(following.unrolled(), values) << "round " << round;
    nodes += following.window.nodes().size();
    settledNodes += settled.window.nodes().size();
  }
  EXPECT_LE(nodes, settledNodes + settledNodes / 100);
}

/// Pieces that come again and again, with something else between them.
TEST(Fold, FollowingWhatStoodBeforeLosesNothingAndFoldsAsMuch) {
  Generator generator(13);
  size_t nodes = 0, settledNodes = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<int64_t>> pieces(static_cast<size_t>(generator.number(2, 6)));
    for (std::vector<int64_t> &piece : pieces)
      appendLoops(generator, 1, piece);
    for (std::vector<int64_t> &piece : pieces)
      for (int64_t more = generator.number(4, 40); more > 0; --more)
        piece.push_back(generator.number(0, 30));
    std::vector<int64_t> values;
    for (int part = 0; part < 30; ++part) {
      const auto last = static_cast<int64_t>(pieces.size()) - 1;
      const std::vector<int64_t> &piece = pieces[static_cast<size_t>(generator.number(0, last))];
      values.insert(values.end(), piece.begin(), piece.end());
      if (generator.number(0, 3) == 0)
        values.push_back(generator.number(0, 1000));
    }
    Folding following, settled;
    for (const int64_t value : values) {
      following.append(value);
      settled.append(value);
      settled.window.settle(settled.pool);
    }
    ASSERT_EQ(following.unrolled(), values) << "round " << round;
    nodes += following.window.nodes().size();
    settledNodes += settled.window.nodes().size();
  }
  EXPECT_LE(nodes, settledNodes + settledNodes / 100);
}

/// What 2(1) at the end of a body becomes is known when the next record has come.
TEST(Fold, ALoopAtTheEndOfABodyMayGoOn) {
  Folding folding;
  for (const int64_t count : {2, 2, 3})
    for (int64_t i = 0; i <= count; ++i)
      folding.append(i > 0);
  EXPECT_EQ(folding.text(), "2(0 2(1)) 0 3(1)");
}

TEST(Fold, TheFunctionCounts) {
  Folding folding;
  for (uint32_t function : {0u, 1u, 0u, 1u})
    folding.append(5, function);
  EXPECT_EQ(folding.text(), "2(5 5)");
}

TEST(Fold, ARecordIsKeptOnceAndOnlyWhileItIsNeeded) {
  Folding folding;
  folding.append(1);
  const size_t one = folding.pool.bytes();
  for (int64_t value : {2, 3, 1, 3, 2, 1})
    folding.append(value);
  EXPECT_EQ(folding.pool.bytes(), 3 * one);
  folding.window.clear(folding.pool);
  EXPECT_EQ(folding.pool.bytes(), 0u);
  EXPECT_EQ(folding.window.values(), 0u);
}

TEST(Fold, LongRecordsAreKeptAndForgotten) {
  RecordPool pool;
  Generator generator(9);
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> kept;
  for (int i = 0; i < 5000; ++i) {
    std::vector<int64_t> values(static_cast<size_t>(generator.number(0, 12)));
    for (int64_t &value : values)
      value = generator.number(0, 1);
    kept.emplace_back(pool.take(RecordPool::hashOf(3, values), 3, values), values);
    if (i % 3 == 0) {
      const auto at =
          static_cast<size_t>(generator.number(0, static_cast<int64_t>(kept.size()) - 1));
      pool.drop(kept[at].first);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  for (const auto &[record, values] : kept)
    ASSERT_TRUE(std::ranges::equal(pool.values(record), values));
  for (const auto &[record, values] : kept)
    pool.drop(record);
  EXPECT_EQ(pool.bytes(), 0u);
}

TEST(Fold, WindowsOf16384RanksStayBelow256MiB) {
  // Records that no two ranks have in common.
  constexpr uint32_t Ranks = 16384;
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", Ranks);
  declare(writer);
  Generator generator(1);
  size_t most = 0;
  for (int i = 0; i < 120; ++i) {
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      const Call call{Bcast, {generator.number(0, int64_t{1} << 40), 0, 0}};
      writer.append(rank, {call.function, call.values});
    }
    most = std::max(most, writer.windowMemory());
  }
  EXPECT_LT(most, size_t{256} << 20);
  EXPECT_GT(most, size_t{96} << 20); // they were cut
}

TEST(Fold, AWindowOf16384RanksHasRoomForALoop) {
  EXPECT_GE(Window::limit(16384), 256u);
  EXPECT_EQ(Window::limit(64), Window::MostNodes);
}

TEST(Fold, AFoldedFileDoesNotGrowWithTheTurns) {
  const Folder folder;
  size_t bytes[2];
  for (int i = 0; i < 2; ++i) {
    Calls calls;
    for (int turn = 0; turn < (i == 0 ? 10 : 10000); ++turn)
      for (int64_t value : {1, 2, 3, 2})
        calls.push_back({Send, {value, 0, 0, 0}});
    ASSERT_EQ(write(folder / "a.gtr", {calls}), "");
    bytes[i] = bytesOf(folder / "a.gtr").size();
  }
  EXPECT_LE(bytes[1], bytes[0] + 4);
}

TEST(Fold, RanksThatDoTheSameShareTheirBlocks) {
  const Folder folder;
  size_t bytes[2];
  constexpr int64_t Few = 10, Many = 1000;
  for (int i = 0; i < 2; ++i) {
    const int64_t ranks = i == 0 ? Few : Many;
    std::vector<Calls> all;
    Generator generator(5);
    std::vector<int64_t> counts(500);
    for (int64_t &count : counts)
      count = generator.number(0, 1 << 20);
    for (int64_t rank = 0; rank < ranks; ++rank) {
      Calls &calls = all.emplace_back();
      for (const int64_t count : counts) // a ring
        calls.push_back({Send, {count, (rank + 1) % ranks, 0, 0}});
    }
    ASSERT_EQ(write(folder / "a.gtr", all), "");
    bytes[i] = bytesOf(folder / "a.gtr").size();
    const TraceFile file(folder / "a.gtr");
    ASSERT_EQ(callsOf(*file.open(9)), all[9]);
  }
  EXPECT_LT(bytes[1], bytes[0] + Many); // less than a byte a rank
}
