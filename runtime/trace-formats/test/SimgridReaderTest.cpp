// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each of SimGrid's actions becomes the calls that its replay does, and what is damaged is
// refused with file and line.
#include "Formats.h"
#include "trace-formats/simgrid/Reader.h"

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

struct SimgridReader : testing::Test {
  Scratch scratch;
  Got got;

  void read(std::string_view text) {
    simgrid::read(scratch.write("trace.txt", text), got.open(), got.conversion);
  }
  /// The records of rank 0 of \p ranks between its init and its finalize.
  std::string lines(std::string_view actions, unsigned ranks = 2, const char *init = "init") {
    std::string text = fmt::format("0 {}\n{}\n0 finalize\n", init, actions);
    for (unsigned rank = 1; rank < ranks; ++rank)
      text += fmt::format("{0} {1}\n{0} finalize\n", rank, init);
    read(text);
    const std::string all = got.rank(0);
    constexpr std::string_view First = "MPI_Init\n", Last = "MPI_Finalize\n";
    EXPECT_TRUE(all.starts_with(First) && all.ends_with(Last)) << all;
    return all.substr(First.size(), all.size() - First.size() - Last.size());
  }
};

TEST_F(SimgridReader, MessagesHaveBytesByDefault) {
  EXPECT_EQ(lines("0 send 1 7 1e6\n0 recv 1 2 150 0"),
            "MPI_Send buf.count=1000000 buf.size=1 dest=1 tag=7 comm=world\n"
            "MPI_Recv buf.count=150 buf.size=8 source=1 tag=2 comm=world\n");
}

TEST_F(SimgridReader, MessagesHaveDoublesWhereInitHasAnArgument) {
  EXPECT_EQ(lines("0 send 1 7 10\n0 send 1 7 10 1", 2, "init 1"),
            "MPI_Send buf.count=10 buf.size=8 dest=1 tag=7 comm=world\n"
            "MPI_Send buf.count=10 buf.size=4 dest=1 tag=7 comm=world\n");
}

TEST_F(SimgridReader, WaitNamesTheOldestRequestOfItsKey) {
  EXPECT_EQ(lines("0 irecv 1 2 8\n0 isend 1 2 8\n0 irecv 1 2 9\n0 wait 1 0 2\n0 irecv 1 3 1\n"
                  "0 wait 1 0 2\n0 wait 0 1 2\n0 wait 1 0 3"),
            "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=2 comm=world request=1\n"
            "MPI_Isend buf.count=8 buf.size=1 dest=1 tag=2 comm=world request=2\n"
            "MPI_Irecv buf.count=9 buf.size=1 source=1 tag=2 comm=world request=3\n"
            "MPI_Wait request=1\n"
            "MPI_Irecv buf.count=1 buf.size=1 source=1 tag=3 comm=world request=1\n"
            "MPI_Wait request=3\nMPI_Wait request=2\nMPI_Wait request=1\n");
}

TEST_F(SimgridReader, WaitallIsForAllThatIsOpen) {
  EXPECT_EQ(lines("0 waitall\n0 irecv 1 2 8\n0 isend 1 1 8\n0 waitall\n0 waitall"),
            "MPI_Irecv buf.count=8 buf.size=1 source=1 tag=2 comm=world request=1\n"
            "MPI_Isend buf.count=8 buf.size=1 dest=1 tag=1 comm=world request=2\n"
            "MPI_Waitall requests=[1 2]\n");
}

TEST_F(SimgridReader, WhatIsOpenAtTheEndIsWaitedFor) {
  EXPECT_EQ(lines("0 isend 1 1 8"),
            "MPI_Isend buf.count=8 buf.size=1 dest=1 tag=1 comm=world request=1\n"
            "MPI_Waitall requests=[1]\n");
}

TEST_F(SimgridReader, TestFindsNothingAndTheWaitDoes) {
  EXPECT_EQ(lines("0 isend 1 1 8\n0 test 0 1 1\n0 wait 0 1 1"),
            "MPI_Isend buf.count=8 buf.size=1 dest=1 tag=1 comm=world request=1\n"
            "MPI_Test request=1 flag=0\nMPI_Wait request=1\n");
}

TEST_F(SimgridReader, AReceiveOfUnknownSizeProbes) {
  EXPECT_EQ(lines("0 recv 1 1 -1\n0 recv -555 -444 8"),
            "MPI_Probe source=1 tag=1 comm=world\n"
            "MPI_Recv buf.count=absent buf.size=1 source=1 tag=1 comm=world\n"
            "MPI_Recv buf.count=8 buf.size=1 source=any tag=any comm=world\n");
}

TEST_F(SimgridReader, ComputationSleepAndPlace) {
  EXPECT_EQ(lines("0 compute 1.5e3\n0 location lu.f 120\n0 compute 7\n0 sleep 0.25"),
            "compute burst=\"\" instructions=1500 seconds=-\n"
            "compute burst=\"lu.f:120\" instructions=7 seconds=-\nsleep seconds=0.25\n");
}

TEST_F(SimgridReader, OperationsOfAReductionFollowIt) {
  EXPECT_EQ(lines("0 allreduce 5 100 0\n0 reduce 5 0 1 1\n0 scan 5 1 6\n0 exscan 5 0\n"
                  "0 reducescatter 3 4 9 0"),
            "MPI_Allreduce sendbuf.count=5 sendbuf.size=8 recvbuf.count=5 recvbuf.size=8 "
            "op=\"MPI_OP_NULL\" comm=world\n"
            "compute burst=\"MPI_Allreduce\" instructions=100 seconds=-\n"
            "MPI_Reduce sendbuf.count=5 sendbuf.size=4 recvbuf.count=absent recvbuf.size=0 "
            "op=\"MPI_OP_NULL\" root=1 comm=world\n"
            "MPI_Scan sendbuf.count=5 sendbuf.size=1 recvbuf.count=5 recvbuf.size=1 "
            "op=\"MPI_OP_NULL\" comm=world\n"
            "compute burst=\"MPI_Scan\" instructions=1 seconds=-\n"
            "MPI_Exscan sendbuf.count=5 sendbuf.size=1 recvbuf.count=5 recvbuf.size=1 "
            "op=\"MPI_OP_NULL\" comm=world\n"
            "MPI_Reduce_scatter sendbuf.counts=[3 4] sendbuf.size=8 recvbuf.counts=[3 4] "
            "recvbuf.size=8 op=\"MPI_OP_NULL\" comm=world\n"
            "compute burst=\"MPI_Reduce_scatter\" instructions=9 seconds=-\n");
}

TEST_F(SimgridReader, CollectivesWithOneCount) {
  EXPECT_EQ(
      lines("0 barrier\n0 bcast 5e1\n0 bcast 3 1 0\n0 alltoall 5 6 1 0\n0 allgather 7 7\n"
            "0 gather 2 3\n0 gather 2 3 1 0 1\n0 scatter 2 3 0 0 1\n0 scatter 2 3 1 0 1"),
      "MPI_Barrier comm=world\nMPI_Bcast buffer.count=50 buffer.size=1 root=0 comm=world\n"
      "MPI_Bcast buffer.count=3 buffer.size=8 root=1 comm=world\n"
      "MPI_Alltoall sendbuf.count=5 sendbuf.size=4 recvbuf.count=6 recvbuf.size=8 comm=world\n"
      "MPI_Allgather sendbuf.count=7 sendbuf.size=1 recvbuf.count=7 recvbuf.size=1 comm=world\n"
      "MPI_Gather sendbuf.count=2 sendbuf.size=1 recvbuf.count=3 recvbuf.size=1 root=0 "
      "comm=world\n"
      "MPI_Gather sendbuf.count=2 sendbuf.size=8 recvbuf.count=absent recvbuf.size=0 root=1 "
      "comm=world\n"
      "MPI_Scatter sendbuf.count=2 sendbuf.size=8 recvbuf.count=3 recvbuf.size=4 root=0 "
      "comm=world\n"
      "MPI_Scatter sendbuf.count=absent sendbuf.size=0 recvbuf.count=3 recvbuf.size=4 root=1 "
      "comm=world\n");
}

TEST_F(SimgridReader, CollectivesWithACountForEachRank) {
  EXPECT_EQ(lines("0 gatherv 5 5 6 7\n0 gatherv 5 5 6 7 1 0 1\n0 scatterv 5 6 7 5\n"
                  "0 scatterv 5 6 7 5 2 1 0\n0 alltoallv 9 1 2 3 8 4 5 6 1 0",
                  3),
            "MPI_Gatherv sendbuf.count=5 sendbuf.size=1 recvbuf.counts=[5 6 7] recvbuf.size=1 "
            "root=0 comm=world\n"
            "MPI_Gatherv sendbuf.count=5 sendbuf.size=8 recvbuf.counts=[] recvbuf.size=0 root=1 "
            "comm=world\n"
            "MPI_Scatterv sendbuf.counts=[5 6 7] sendbuf.size=1 recvbuf.count=5 recvbuf.size=1 "
            "root=0 comm=world\n"
            "MPI_Scatterv sendbuf.counts=[] sendbuf.size=0 recvbuf.count=5 recvbuf.size=8 root=2 "
            "comm=world\n"
            "MPI_Alltoallv sendbuf.counts=[1 2 3] sendbuf.size=4 recvbuf.counts=[4 5 6] "
            "recvbuf.size=8 comm=world\n");
}

TEST_F(SimgridReader, AllgathervWithTypesOrDisplacementsOrBoth) {
  EXPECT_EQ(lines("0 allgatherv 5 5 6 7\n0 allgatherv 5 5 6 7 0 1\n0 allgatherv 5 5 6 7 0 5 11\n"
                  "0 allgatherv 5 5 6 7 0 1 0 5 11",
                  3),
            "MPI_Allgatherv sendbuf.count=5 sendbuf.size=1 recvbuf.counts=[5 6 7] recvbuf.size=1 "
            "comm=world\n"
            "MPI_Allgatherv sendbuf.count=5 sendbuf.size=8 recvbuf.counts=[5 6 7] recvbuf.size=4 "
            "comm=world\n"
            "MPI_Allgatherv sendbuf.count=5 sendbuf.size=1 recvbuf.counts=[5 6 7] recvbuf.size=1 "
            "comm=world\n"
            "MPI_Allgatherv sendbuf.count=5 sendbuf.size=8 recvbuf.counts=[5 6 7] recvbuf.size=4 "
            "comm=world\n");
}

TEST_F(SimgridReader, SendrecvHasTagZero) {
  EXPECT_EQ(lines("0 sendRecv 3 1 4 1 0 1"),
            "MPI_Sendrecv sendbuf.count=3 sendbuf.size=8 dest=1 sendtag=0 recvbuf.count=4 "
            "recvbuf.size=4 source=1 recvtag=0 comm=world\n");
}

TEST_F(SimgridReader, CommunicatorsAreLeftOutAndSaidSo) {
  EXPECT_EQ(lines("0 comm_size 2\n0 comm_dup\n0 comm_split\n0 barrier"),
            "MPI_Barrier comm=world\n");
  EXPECT_EQ(got.conversion.losses.times().size(), 3U);
}

TEST_F(SimgridReader, AListOfFilesBesideIt) {
  scratch.write("ranks/a.txt", "0 init\n0 send 1 0 5\n0 finalize\n");
  scratch.write("ranks/b.txt", "# of rank 1\n\n1 init\n1  recv 0\t0 5 \r\n1 finalize");
  read("# the ranks\nranks/a.txt\nranks/b.txt\n");
  EXPECT_EQ(got.trace->facts().ranks, 2U);
  EXPECT_EQ(got.rank(1), "MPI_Init\nMPI_Recv buf.count=5 buf.size=1 source=0 tag=0 comm=world\n"
                         "MPI_Finalize\n");
}

TEST_F(SimgridReader, AListOfOneFileIsOfAllRanks) {
  scratch.write("all.txt", "1 init\n0 init\n1 finalize\n0 finalize\n");
  read("all.txt\n");
  EXPECT_EQ(got.all(), "rank 0\nMPI_Init\nMPI_Finalize\nrank 1\nMPI_Init\nMPI_Finalize\n");
}

TEST_F(SimgridReader, WhatIsDamagedIsRefusedAtItsLine) {
  const Damaged all[] = {
      {"", 0, "no action and no name of a file"},
      {"# nothing\n\n", 0, "no action and no name of a file"},
      {"no-such-file\n", 1, "there is no file 'no-such-file'"},
      {"0 init\n0 finalize", 2, ""}, // cut below
      {"0 init\n0 compute 5\n", 2, "rank 0 ends without 'finalize'"},
      {"0 init\n0 finalize\n0 barrier\n", 3, "rank 0 has ended"},
      {"0 init\n0 init\n0 finalize\n", 2, "a second 'init'"},
      {"0 barrier\n0 finalize\n", 1, "does not begin with 'init'"},
      {"0 init\n0 ibarrier\n0 finalize\n", 2, "SimGrid has no action 'ibarrier'"},
      {"0 init\n0\n0 finalize\n", 2, "ends before its action"},
      {"0 init\nx barrier\n0 finalize\n", 2, "'x' is no rank"},
      {"0 init\n-1 barrier\n0 finalize\n", 2, "'-1' is no rank"},
      {"0 init\n7 init\n0 finalize\n7 finalize\n", 2, "rank 7, but the file has 4 actions"},
      {"0 init\n2 init\n0 finalize\n2 finalize\n2 barrier\n0 barrier\n", 5, "rank 2 has ended"},
      {"0 init\n2 init\n0 finalize\n2 barrier\n2 barrier\n2 finalize\n", 6,
       "there is no line of rank 1"},
      {"0 init\n0 compute\n0 finalize\n", 2, "'compute' needs 1 arguments on 1 ranks and has 0"},
      {"0 init\n0 compute nan\n0 finalize\n", 2, "operations: not a number: 'nan'"},
      {"0 init\n0 compute -5\n0 finalize\n", 2, "operations: negative number"},
      {"0 init\n0 compute inf\n0 finalize\n", 2, "not a number"},
      {"0 init\n0 compute 1e999\n0 finalize\n", 2, "out of range"},
      {"0 init\n0 sleep x\n0 finalize\n", 2, "seconds: not a number"},
      {"0 init\n0 send 0 0\n0 finalize\n", 2, "needs 3 arguments"},
      {"0 init\n0 send 1 0 5\n0 finalize\n", 2, "'1' is no rank: there are 1"},
      {"0 init\n0 send 0 -3 5\n0 finalize\n", 2, "'-3' is no tag"},
      {"0 init\n0 send 0 99999999999 5\n0 finalize\n", 2, "'99999999999' is no tag"},
      {"0 init\n0 send 0 0 -5\n0 finalize\n", 2, "'-5' is no number of elements"},
      {"0 init\n0 send 0 0 1e17\n0 finalize\n", 2, "'1e17' is no number of elements"},
      {"0 init\n0 send 0 0 0x5\n0 finalize\n", 2, "'0x5' is no number of elements"},
      {"0 init\n0 send 0 0 5 99\n0 finalize\n", 2, "SimGrid has no type 99"},
      {"0 init\n0 send 0 0 5 -1\n0 finalize\n", 2, "'-1' is no type"},
      {"0 init\n0 wait 0 0 0\n0 finalize\n", 2, "which has no open request"},
      {"0 init\n0 test 0 0 0\n0 finalize\n", 2, "which has no open request"},
      {"0 init\n0 bcast 5 1\n0 finalize\n", 2, "'1' is no root"},
      {"0 init\n0 bcast x\n0 finalize\n", 2, "'x' is no number of elements"},
      {"0 init\n0 allreduce 5\n0 finalize\n", 2, "needs 2 arguments"},
      {"0 init\n1 init\n0 gatherv 5 5\n0 finalize\n1 finalize\n", 3,
       "needs 3 arguments on 2 ranks"},
      {"0 init\n1 init\n0 gatherv 5 5 1e3\n0 finalize\n1 finalize\n", 3, "'1e3' is no number"},
      {"0 init\n1 init\n0 alltoallv 5 5 5 5 5\n0 finalize\n1 finalize\n", 3, "needs 6 arguments"},
      {"0 init\n0 sendRecv 5 0 5 0\n0 finalize\n", 2, "needs 6 arguments"},
      {"0 init\n0 location lu.f x\n0 finalize\n", 2, "'x' is no line"},
      {"0 init\n0 b\001rrier\n0 finalize\n", 2, "no action 'b?rrier'"},
  };
  int refused = 0;
  for (const Damaged &damaged : all) {
    if (*damaged.words == 0) {
      read(damaged.text); // a last line without its end is whole
      continue;
    }
    expectRefused(damaged, scratch.folder / "trace.txt", [&] { read(damaged.text); });
    ++refused;
  }
  EXPECT_GE(refused, 30);
}

TEST_F(SimgridReader, AnotherRanksLineInARanksFileIsRefused) {
  scratch.write("a.txt", "0 init\n1 barrier\n0 finalize\n");
  scratch.write("b.txt", "1 init\n1 finalize\n");
  expectRefused({"", 2, "'1' in the file of rank 0"}, scratch.folder / "a.txt",
                [&] { read("a.txt\nb.txt\n"); });
}

TEST_F(SimgridReader, WhatIsNoFileIsRefused) {
  expectRefused({"", 0, "no plain file"}, "/dev/null",
                [&] { simgrid::read("/dev/null", got.open(), got.conversion); });
  expectRefused({"", 0, "cannot be opened"}, "/no/such/file",
                [&] { simgrid::read("/no/such/file", got.open(), got.conversion); });
}

} // namespace
