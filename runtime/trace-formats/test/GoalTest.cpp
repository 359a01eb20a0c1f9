// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: GOAL's graphs become sequences that keep what requires what, sequences become graphs, and
// what is damaged, or cannot be said, is refused with its place.
#include "Formats.h"
#include "trace-formats/Calls.h"
#include "trace-formats/goal/Reader.h"
#include "trace-formats/goal/Writer.h"

#include <limits>

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

struct GoalReader : testing::Test {
  Scratch scratch;
  Got got;

  void read(std::string_view text) {
    goal::read(scratch.write("a.goal", text), got.open(), got.conversion);
  }
  /// The records of rank 0 of 2.
  std::string lines(std::string_view operations) {
    read(fmt::format("num_ranks 2\nrank 0 {{\n{}\n}}\nrank 1 {{\n}}\n", operations));
    return got.rank(0);
  }
};

TEST_F(GoalReader, AChainIsBlocking) {
  EXPECT_EQ(lines("l1: recv 8b from 1 tag 3\nl2: calc 100\nl2 requires l1\nl3: send 5b to 1\nl3 "
                  "requires l2"),
            "MPI_Recv buf.count=8 buf.size=1 source=1 tag=3 comm=world\n"
            "compute burst=\"\" instructions=- seconds=1e-07\n"
            "MPI_Send buf.count=5 buf.size=1 dest=1 tag=0 comm=world\n");
}

TEST_F(GoalReader, WhatRunsBesideAMessageMakesItNonblocking) {
  EXPECT_EQ(
      lines("l1: recv 8b from 1 tag 3\nl2: calc 100\nl2 irequires l1\nl3: calc 7\nl3 requires l2\n"
            "l3 requires l1"),
      "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=3 comm=world request=1\n"
      "compute burst=\"\" instructions=- seconds=1e-07\n"
      "MPI_Wait request=1\n"
      "compute burst=\"\" instructions=- seconds=7e-09\n");
}

TEST_F(GoalReader, WhatCanStartStartsBeforeAnythingIsWaitedFor) {
  EXPECT_EQ(lines("l1: recv 8b from 1 tag 1\nl2: send 5b to 1 tag 2\nl2 requires l1\n"
                  "recv 8b from -1 tag -1\nl4: calc 0\nl4 requires l1\nl4 requires l2"),
            "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=1 comm=world request=1\n"
            "MPI_Irecv buf.count=8 buf.size=1 source=any tag=any comm=world request=2\n"
            "MPI_Wait request=1\n"
            "MPI_Send buf.count=5 buf.size=1 dest=1 tag=2 comm=world\n"
            "MPI_Wait request=2\n");
}

TEST_F(GoalReader, SeveralAreWaitedForTogether) {
  EXPECT_EQ(lines("a: recv 8b from 1 tag 1\nb: recv 8b from 1 tag 2\nc: calc 1\nc requires a\nc "
                  "requires b"),
            "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=1 comm=world request=1\n"
            "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=2 comm=world request=2\n"
            "MPI_Waitall requests=[1 2]\n"
            "compute burst=\"\" instructions=- seconds=1e-09\n");
}

TEST_F(GoalReader, CommentsBlanksAndRanksInAnyOrder) {
  read("// a\n/* b\n c */ num_ranks 2 // d\n\n rank 1\n{ calc 5 /* e */ cpu 0 }\nrank 0{\r\n"
       "\tx_1 : send 8 b to 1 tag 4 cpu 0 nic 0 }");
  EXPECT_EQ(got.all(), "rank 0\nMPI_Send buf.count=8 buf.size=1 dest=1 tag=4 comm=world\n"
                       "rank 1\ncompute burst=\"\" instructions=- seconds=5e-09\n");
}

TEST_F(GoalReader, WhatIsDamagedIsRefusedAtItsLine) {
  const Damaged all[] = {
      {"", 0, "begins with 'num_ranks N'"},
      {"rank 0 {\n}\n", 1, "begins with 'num_ranks N'"},
      {"num_ranks\n", 1, "the line's end is no number of ranks"},
      {"num_ranks 0\n", 1, "0 is no number of ranks"},
      {"num_ranks x\n", 1, "'x' is no number of ranks"},
      {"num_ranks -1\n", 1, "-1 is no number of ranks"},
      {"num_ranks 99999999\n", 1, "99999999 is no number of ranks"},
      {"num_ranks 1000000\nrank 0 {\n}\n", 1, "the text is cut short"},
      {"num_ranks 1\n", 1, "rank 0 of 1 is missing"},
      {"num_ranks 2\nrank 0 {\n}\n", 3, "rank 1 of 2 is missing"},
      {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", 4, "rank 0 is described a second time"},
      {"num_ranks 1\nrank 1 {\n}\n", 2, "1 is no rank: it must be from 0 to 0"},
      {"num_ranks 1\nrank 0\n", 2, "'{' is expected, and the text ends"},
      {"num_ranks 1\nrank 0 (\n", 2, "'{' is expected"},
      {"num_ranks 1\nrank 0 {\ncalc 5\n", 3, "rank 0, which begins at line 2, has no '}'"},
      {"num_ranks 1\nrank 0 {\n/* x\n}\n", 4, "has no '}'"},
      {"num_ranks 1\nrank 0 {\n}\n/* x\n", 4, "a comment does not end"},
      {"num_ranks 1\nrank 0 {\n}\ncalc 5\n", 4, "'rank' is expected"},
      {"num_ranks 1\nrank 0 {\n5\n}\n", 3, "'5': an operation"},
      {"num_ranks 1\nrank 0 {\nl1 send 5b to 0\n}\n", 3, "'send' after a label"},
      {"num_ranks 1\nrank 0 {\nl1: jump 5\n}\n", 3, "'jump' is no operation"},
      {"num_ranks 1\nrank 0 {\ncalc\n}\n", 3, "the line's end is no number of nanoseconds"},
      {"num_ranks 1\nrank 0 {\ncalc -5\n}\n", 3, "-5 is no number of nanoseconds"},
      {"num_ranks 1\nrank 0 {\ncalc 99999999999999999999\n}\n", 3, "is no number of nanoseconds"},
      {"num_ranks 1\nrank 0 {\ncalc 5 5\n}\n", 3, "'5' after the end of the operation"},
      {"num_ranks 1\nrank 0 {\nsend 5 to 0\n}\n", 3, "'b' is expected"},
      {"num_ranks 1\nrank 0 {\nsend 5b from 0\n}\n", 3, "'to' is expected"},
      {"num_ranks 1\nrank 0 {\nsend 5b to 1\n}\n", 3, "1 is no rank"},
      {"num_ranks 1\nrank 0 {\nsend 5b to -1\n}\n", 3, "-1 is no rank"},
      {"num_ranks 1\nrank 0 {\nsend 5b to 0 tag -1\n}\n", 3, "sent with one tag"},
      {"num_ranks 1\nrank 0 {\nrecv 5b from 0 tag 4294967295\n}\n", 3, "is no tag"},
      {"num_ranks 1\nrank 0 {\nrecv 5b from -2\n}\n", 3, "-2 is no rank"},
      {"num_ranks 1\nrank 0 {\ncalc 5 cpu 1\n}\n", 3, "cpu other than 0"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 5\n}\n", 4, "label 'l1' is there already"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}\n", 4, "there is no label 'l2'"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires\n}\n", 4, "there is no label ''"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l1\n}\n", 3, "waits for itself"},
      {"num_ranks 1\nrank 0 {\na: calc 5\nb: calc 5\na requires b\nb irequires a\n}\n", 3,
       "have a circle"},
  };
  for (const Damaged &damaged : all)
    expectRefused(damaged, scratch.folder / "a.goal", [&] { read(damaged.text); });
  EXPECT_GE(std::size(all), 30U);
}

struct GoalWriter : testing::Test {
  MemoryTrace trace{factsOf(2)};
  CallSink calls{trace};
  Conversion conversion;
  goal::WriteOptions options;

  std::string written() {
    TextInMemory target;
    goal::write(trace, "t.trace", target, options, conversion);
    return target.text;
  }
  /// What stands in rank 0.
  std::string lines() {
    const std::string text = written();
    const size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.find('}') - begin);
  }
  void refused(const char *words) {
    expectRefused({"", 0, words}, "t.trace", [&] { written(); });
  }
};

TEST_F(GoalWriter, BlockingCallsAreAChain) {
  calls.append(0, Call::Init, {});
  calls.append(0, Call::Send, {4, 8, 1, 3, World});
  calls.compute(0, "", 50, 1e-6);
  calls.append(0, Call::Recv, {4, 8, AnyPeer, AnyTag, World});
  EXPECT_EQ(written(),
            "num_ranks 2\n\nrank 0 {\nl1: send 32b to 1 tag 3\nl2: calc 1000\nl2 requires l1\n"
            "l3: recv 32b from -1 tag -1\nl3 requires l2\n}\n\nrank 1 {\n}\n");
}

/// Intent: they are a set, written in one order however they were waited for: what is read and written again stays as
/// it is.
class GoalWaits : public GoalWriter, public testing::WithParamInterface<std::pair<int, int>> {};

TEST_P(GoalWaits, AreRequirementsOfWhatFollows) {
  calls.append(0, Call::Irecv, {4, 8, 1, 3, World, 1});
  calls.append(0, Call::Isend, {4, 8, 1, 3, World, 2});
  calls.compute(0, "", 50, 1e-6);
  calls.append(0, Call::Waitall, {2, GetParam().first, GetParam().second});
  calls.append(0, Call::Send, {1, 1, 1, 0, World});
  EXPECT_EQ(lines(), "l1: recv 32b from 1 tag 3\nl2: send 32b to 1 tag 3\nl2 irequires l1\n"
                     "l3: calc 1000\nl3 irequires l2\nl4: send 1b to 1 tag 0\nl4 requires l3\n"
                     "l4 requires l1\nl4 requires l2\n");
}

INSTANTIATE_TEST_SUITE_P(Orders, GoalWaits, testing::Values(std::pair(1, 2), std::pair(2, 1)));

TEST_F(GoalWriter, ARateMakesInstructionsTimeAndRoundingIsMadeUpFor) {
  options.flopsPerSecond = 3e9;
  for (int i = 0; i < 4; ++i)
    calls.compute(0, "", 1, 7);
  EXPECT_EQ(lines(), "l1: calc 1\n"); // 4/3 ns, of which the second makes up 2/3
  options.flopsPerSecond = 0;
  calls.compute(0, "", 5, Unknown);
  refused("rank 0, record 4: compute: no seconds were measured; '--rate R'");
}

TEST_F(GoalWriter, CollectivesAreRefusedUnlessTheyAreToBeExpanded) {
  calls.append(0, Call::Barrier, {World});
  refused("rank 0, record 0: MPI_Barrier: GOAL has no collectives; '--expand-collectives'");
  options.expandCollectives = true;
  EXPECT_EQ(
      lines(),
      "l1: recv 1b from 1 tag 2147483648\nl2: send 1b to 1 tag 2147483648\nl2 irequires l1\n");
}

/// The rank goes on beside it, and what follows the wait requires its last message.
TEST_F(GoalWriter, ANonblockingCollectiveIsABranch) {
  options.expandCollectives = true;
  calls.compute(0, "", 50, 1e-6);
  calls.append(0, Call::Ibarrier, {World, 1});
  calls.append(0, Call::Ibarrier, {World, 2});
  calls.append(0, Call::Send, {1, 1, 1, 0, World});
  calls.append(0, Call::Wait, {1});
  calls.append(0, Call::Send, {1, 1, 1, 0, World});
  EXPECT_EQ(lines(), "l1: calc 1000\nl2: recv 1b from 1 tag 3221225472\nl2 requires l1\n"
                     "l3: send 1b to 1 tag 3221225472\nl3 irequires l2\n"
                     "l4: recv 1b from 1 tag 3221225473\nl4 requires l1\n"
                     "l5: send 1b to 1 tag 3221225473\nl5 irequires l4\n"
                     "l6: send 1b to 1 tag 0\nl6 requires l1\n"
                     "l7: send 1b to 1 tag 0\nl7 requires l6\nl7 requires l2\nl7 requires l3\n");
}

TEST_F(GoalWriter, WhatGoalHasNoWordForIsRefused) {
  trace.append(0, {trace.function(makeFunction("MPI_Put", "win")), std::vector<int64_t>{0}});
  refused("rank 0, record 0: MPI_Put: GOAL has only messages and computation");
}

/// Every collective on some numbers of ranks: each message that is sent is received, with its size.
TEST_F(GoalWriter, ExpandedCollectivesMatch) {
  options.expandCollectives = true;
  for (const uint32_t ranks : {1U, 2U, 3U, 5U, 8U}) {
    MemoryTrace all(factsOf(ranks));
    CallSink sink(all);
    const int64_t op = all.text("MPI_SUM"), root = ranks / 2;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      const bool here = rank == root;
      std::vector<int64_t> counts{ranks}, none{0};
      for (uint32_t i = 0; i < ranks; ++i)
        counts.push_back(i + 1);
      const auto with = [](std::vector<int64_t> a, const std::vector<int64_t> &b,
                           std::initializer_list<int64_t> c) {
        a.insert(a.end(), b.begin(), b.end());
        a.insert(a.end(), c);
        return a;
      };
      sink.append(rank, Call::Barrier, {World});
      sink.append(rank, Call::Bcast, {7, 8, root, World});
      sink.append(rank, Call::Reduce, {7, 8, here ? 7 : Absent, 8, op, root, World});
      sink.append(rank, Call::Allreduce, {7, 8, 7, 8, op, World});
      sink.append(rank, Call::Scan, {7, 8, 7, 8, op, World});
      sink.append(rank, Call::Gather, {7, 8, here ? 7 : Absent, 8, root, World});
      sink.append(rank, Call::Scatter, {here ? 7 : Absent, 8, 7, 8, root, World});
      sink.append(rank, Call::Allgather, {7, 8, 7, 8, World});
      sink.append(rank, Call::Alltoall, {7, 8, 7, 8, World});
      sink.append(rank, Call::ReduceScatterBlock, {7, 8, 7, 8, op, World});
      sink.append(rank, Call::Gatherv, with({rank + 1, 8}, here ? counts : none, {8, root, World}));
      sink.append(rank, Call::Scatterv,
                  with(here ? counts : none, {8, rank + 1, 8}, {root, World}));
      sink.append(rank, Call::Allgatherv, with({rank + 1, 8}, counts, {8, World}));
      std::vector<int64_t> same(ranks + 1, rank + 1);
      same[0] = ranks;
      sink.append(rank, Call::Alltoallv, with(with(same, {8}, {}), counts, {8, World}));
      sink.append(rank, Call::ReduceScatter, with(with(counts, {8}, {}), counts, {8, op, World}));
    }
    Scratch scratch;
    TextInMemory target;
    goal::write(all, "t.trace", target, options, conversion);
    Got got;
    goal::read(scratch.write("a.goal", target.text), got.open(), got.conversion);
    // By sender, receiver: sizes in order.
    std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> sent, received;
    RecordView view;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      const std::unique_ptr<Cursor> cursor = got.trace->open(rank);
      for (Record record; cursor->next(record);) {
        view.set(got.trace->functions()[record.function], record);
        if (const auto dest = view.value("dest"))
          sent[{rank, *dest}].push_back(*view.value("buf.count"));
        if (const auto source = view.value("source"))
          received[{*source, rank}].push_back(*view.value("buf.count"));
      }
    }
    EXPECT_EQ(sent, received) << ranks << " ranks";
    EXPECT_EQ(sent.empty(), ranks == 1);
  }
}

TEST_F(GoalWriter, WhatWasReadIsWrittenAsTheSameGraph) {
  const std::string text =
      "num_ranks 2\n\nrank 0 {\nl1: recv 32b from 1 tag 3\nl2: send 32b to 1 tag 3\n"
      "l2 irequires l1\nl3: calc 1000\nl3 irequires l2\nl4: send 1b to 1 tag 0\n"
      "l4 requires l3\nl4 requires l1\nl4 requires l2\nl5: calc 7\nl5 requires l4\n}\n"
      "\nrank 1 {\nl1: calc 12345678901\n}\n";
  Scratch scratch;
  Got got;
  goal::read(scratch.write("a.goal", text), got.open(), got.conversion);
  TextInMemory target;
  goal::write(*got.trace, "t.trace", target, options, conversion);
  EXPECT_EQ(target.text, text);
}

} // namespace
