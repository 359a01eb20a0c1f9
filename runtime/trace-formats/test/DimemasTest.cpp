// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each record of a Dimemas trace becomes the calls that it stands for, and what is damaged
// is refused with file and line.
#include "Formats.h"
#include "trace-formats/dimemas/Reader.h"

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

struct DimemasReader : testing::Test {
  Scratch scratch;
  Got got;

  void read(std::string_view text) {
    dimemas::read(scratch.write("a.dim", text), got.open(), got.conversion);
  }
  /// The records of task 0 of 4, with all tasks in communicator 1 and some in others.
  std::string lines(std::string_view records) {
    read(fmt::format(
        "#DIMEMAS:\"a program\":0:4(1,1,1,1),3\nd:1:1:4:0:1:2:3\nd:1:2:2:3:0\nd:1:3:1:0\n{}",
        records));
    return got.rank(0);
  }
};

TEST_F(DimemasReader, BurstsHaveSecondsAndTheUsersBlocks) {
  EXPECT_EQ(
      lines("1:0:0:0.000012500\n20:0:0:60000019:7\n20:0:0:50000001:1\n1:0:0:1\n20:0:0:50000001:0\n"
            "20:0:0:60000019:0\n1:0:0:0\n0:0:0\n1:0:0:2e-3\n"),
      "compute burst=\"\" instructions=- seconds=1.25e-05\n"
      "compute burst=\"event 60000019:7\" instructions=- seconds=1\n"
      "compute burst=\"\" instructions=- seconds=0.002\n");
  EXPECT_EQ(got.trace->facts().program, "a program");
}

TEST_F(DimemasReader, MessagesWithAndWithoutAThread) {
  EXPECT_EQ(lines("2:0:0:1:-1:800:5:1:0\n2:0:0:3:800:5:2:1\n3:0:0:2:-1:80:6:1:0\n"
                  "3:0:0:-1:-1:80:-1:1:0\n"),
            "MPI_Send buf.count=800 buf.size=1 dest=1 tag=5 comm=world\n"
            "MPI_Send buf.count=800 buf.size=1 dest=0 tag=5 comm=2\n"
            "MPI_Recv buf.count=80 buf.size=1 source=2 tag=6 comm=world\n"
            "MPI_Recv buf.count=80 buf.size=1 source=any tag=any comm=world\n");
}

TEST_F(DimemasReader, NonblockingMessages) {
  EXPECT_EQ(
      lines("3:0:0:1:-1:80:6:1:1\n3:0:0:1:-1:80:6:1:1\n2:0:0:1:-1:80:6:1:2\n3:0:0:1:-1:80:6:1:2\n"
            "2:0:0:1:-1:80:6:1:3\n"),
      "MPI_Irecv buf.count=80 buf.size=1 source=1 tag=6 comm=world request=1\n"
      "MPI_Irecv buf.count=80 buf.size=1 source=1 tag=6 comm=world request=2\n"
      "MPI_Isend buf.count=80 buf.size=1 dest=1 tag=6 comm=world request=3\n"
      "MPI_Request_free request=3\nMPI_Wait request=1\n"
      "MPI_Isend buf.count=80 buf.size=1 dest=1 tag=6 comm=world request=1\n"
      "MPI_Request_free request=1\nMPI_Waitall requests=[2]\n");
}

TEST_F(DimemasReader, CollectivesOfTheirSharesWithTheRootThatSaysSo) {
  EXPECT_EQ(
      lines("10:0:0:0:1:0:0:0:0:1\n10:0:0:1:1:0:0:0:64:1\n10:0:0:2:1:1:0:8:32:1\n"
            "10:0:0:6:1:0:0:8:32:1\n10:0:0:8:1:0:0:8:32:1\n10:0:0:10:1:2:0:16:0:1\n"
            "10:0:0:11:1:0:0:16:16:1\n10:0:0:13:1:0:0:64:16:1\n10:0:0:14:1:0:0:16:16:1\n"
            "10:1:0:1:1:1:0:64:0:1\n10:1:0:2:1:0:0:8:0:1\n"),
      "MPI_Barrier comm=world\nMPI_Bcast buffer.count=64 buffer.size=1 root=1 comm=world\n"
      "MPI_Gather sendbuf.count=8 sendbuf.size=1 recvbuf.count=8 recvbuf.size=1 root=0 "
      "comm=world\n"
      "MPI_Allgather sendbuf.count=8 sendbuf.size=1 recvbuf.count=8 recvbuf.size=1 comm=world\n"
      "MPI_Alltoall sendbuf.count=8 sendbuf.size=1 recvbuf.count=8 recvbuf.size=1 comm=world\n"
      "MPI_Reduce sendbuf.count=16 sendbuf.size=1 recvbuf.count=absent recvbuf.size=0 "
      "op=\"MPI_OP_NULL\" root=2 comm=world\n"
      "MPI_Allreduce sendbuf.count=16 sendbuf.size=1 recvbuf.count=16 recvbuf.size=1 "
      "op=\"MPI_OP_NULL\" comm=world\n"
      "MPI_Reduce_scatter_block sendbuf.count=16 sendbuf.size=1 recvbuf.count=16 "
      "recvbuf.size=1 op=\"MPI_OP_NULL\" comm=world\n"
      "MPI_Scan sendbuf.count=16 sendbuf.size=1 recvbuf.count=16 recvbuf.size=1 "
      "op=\"MPI_OP_NULL\" comm=world\n");
  EXPECT_EQ(got.rank(1),
            "MPI_Bcast buffer.count=64 buffer.size=1 root=1 comm=world\n"
            "MPI_Gather sendbuf.count=8 sendbuf.size=1 recvbuf.count=absent recvbuf.size=0 root=0 "
            "comm=world\n");
}

TEST_F(DimemasReader, TheOlderFormNamesTheRoot) {
  EXPECT_EQ(lines("10:0:0:1:2:1:0:64:0\n10:0:0:4:3:0:0:64:64\n"),
            "MPI_Bcast buffer.count=64 buffer.size=1 root=1 comm=2\n"
            "MPI_Scatter sendbuf.count=64 sendbuf.size=1 recvbuf.count=64 recvbuf.size=1 root=0 "
            "comm=self\n");
}

TEST_F(DimemasReader, NonblockingCollectives) {
  EXPECT_EQ(lines("10:0:0:11:1:0:0:16:16:0\n10:0:0:16:1:0:0:0:0:1\n10:0:0:11:1:0:0:16:16:2\n"),
            "MPI_Iallreduce sendbuf.count=16 sendbuf.size=1 recvbuf.count=16 recvbuf.size=1 "
            "op=\"MPI_OP_NULL\" comm=world request=1\n"
            "MPI_Ibarrier comm=world request=2\nMPI_Wait request=1\nMPI_Waitall requests=[2]\n");
}

TEST_F(DimemasReader, SharesThatMayDifferAreTold) {
  lines("10:0:0:9:1:0:0:32:64:1\n");
  EXPECT_EQ(got.conversion.losses.times().size(), 1U);
}

TEST_F(DimemasReader, OffsetsAtTheEnd) {
  read("#DIMEMAS:\"p\":1,60:2(1,1),0\n1:0:0:1\n2:1:0:0:-1:5:6:0:0\ns:0:29\ns:1:37\n");
  EXPECT_EQ(got.all(), "rank 0\ncompute burst=\"\" instructions=- seconds=1\n"
                       "rank 1\nMPI_Send buf.count=5 buf.size=1 dest=0 tag=6 comm=world\n");
}

TEST_F(DimemasReader, WhatIsDamagedIsRefusedAtItsLine) {
  const Damaged all[] = {
      {"", 0, "begins with #DIMEMAS"},
      {"#PARAVER\n", 1, "begins with #DIMEMAS"},
      {"#DIMEMAS:\"p:0:2(1,1),0\n", 1, "the name in the first line has no end"},
      {"#DIMEMAS:\"p\"\n", 1, "the name in the first line has no end"},
      {"#DIMEMAS:\"p\":0\n", 1, "ends before its number of tasks"},
      {"#DIMEMAS:\"p\":2:1(1),0\n", 1, "'2' does not say whether there are offsets"},
      {"#DIMEMAS:\"p\":0:2\n", 1, "no number of tasks"},
      {"#DIMEMAS:\"p\":0:x(1),0\n", 1, "no number of tasks"},
      {"#DIMEMAS:\"p\":0:0(),0\n", 1, "no number of tasks"},
      {"#DIMEMAS:\"p\":0:2(1),0\n", 1, "2 tasks, and numbers of threads of 1"},
      {"#DIMEMAS:\"p\":0:1(x),0\n", 1, "'x' is no number of threads"},
      {"#DIMEMAS:\"p\":0:2(1,3),0\n", 1, "task 1 has 3 threads"},
      {"#DIMEMAS:\"p\":0:1(1),1\nd:1:1\n", 2, "a communicator is d:1:"},
      {"#DIMEMAS:\"p\":0:1(1),1\nd:1:1:2:0\n", 2, "a communicator is d:1:"},
      {"#DIMEMAS:\"p\":0:2(1,1),1\nd:1:1:2:0\n", 2, "communicator 1 of 2 tasks lists 1"},
      {"#DIMEMAS:\"p\":0:2(1,1),1\nd:1:1:1:2\n", 2, "'2' is no task"},
      {"#DIMEMAS:\"p\":0:2(1,1),1\nd:1:1:2:1:1\n", 2, "has task 1 twice"},
      {"#DIMEMAS:\"p\":0:1(1),1\nd:1:1:1:0\nd:1:1:1:0\n", 3, "is defined a second time"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:0\n", 2, "a record is operation:task:thread"},
      {"#DIMEMAS:\"p\":0:1(1),0\nx:0:0:1\n", 2, "'x' is no operation"},
      {"#DIMEMAS:\"p\":0:1(1),0\n7:0:0:1\n", 2, "Dimemas has no operation 7"},
      {"#DIMEMAS:\"p\":0:1(1),0\n11:0:0:1\n", 2, "accelerators"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:1:0:1\n", 2, "'1' is no task"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:0:1:1\n", 2, "'1' is no thread"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:0:0\n", 2, "a burst's seconds: a number is missing"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:0:0:nan\n", 2, "a burst's seconds: not a number"},
      {"#DIMEMAS:\"p\":0:1(1),0\n1:0:0:-1\n", 2, "a burst's seconds: negative"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:0:-1:x:6:0:0\n", 2, "'x' is no number of bytes"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:0:-1:5:-1:0:0\n", 2, "'-1' is no tag"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:0:-1:5:6:9:0\n", 2, "there is no communicator 9"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:0:-1:5:6:0:4\n", 2, "'4' is no kind of a message"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:1:-1:5:6:0:0\n", 2, "'1' is no task"},
      {"#DIMEMAS:\"p\":0:1(1),0\n2:0:0:-1:-1:5:6:0:0\n", 2, "a message to any task"},
      {"#DIMEMAS:\"p\":0:1(1),0\n3:0:0:0:5:6:0\n", 2,
       "the record ends before its kind of a receive"},
      {"#DIMEMAS:\"p\":0:1(1),0\n3:0:0:0:-1:5:6:0:2\n", 2, "waits for what it has not begun"},
      {"#DIMEMAS:\"p\":0:2(1,1),1\nd:1:1:1:1\n2:0:0:1:-1:5:6:1:0\n3:0:0:0:-1:5:6:1:0\n", 4,
       "task 0 is not in the communicator"},
      {"#DIMEMAS:\"p\":0:1(1),0\n10:0:0:99:0:0:0:0:0:1\n", 2, "'99' is no collective"},
      {"#DIMEMAS:\"p\":0:1(1),0\n10:0:0:1:0:0:0:5:5:1\n", 2, "no task is the root"},
      {"#DIMEMAS:\"p\":0:2(1,1),0\n10:0:0:1:0:1:0:5:5:1\n10:1:0:1:0:1:0:5:5:1\n", 3,
       "another task is the root"},
      {"#DIMEMAS:\"p\":0:1(1),0\n10:0:0:1:0:7:0:5:5\n", 2, "'7' is no root"},
      {"#DIMEMAS:\"p\":0:1(1),0\n10:0:0:11:0:0:0:5\n", 2,
       "the record ends before its number of bytes"},
      {"#DIMEMAS:\"p\":0:1(1),0\n20:0:0:5\n", 2, "the record ends before its value"},
      {"#DIMEMAS:\"p\":1,40:2(1,1),0\n1:0:0:1\ns:0:29\n", 3, "the trace is cut short"},
      {"#DIMEMAS:\"p\":1,40:1(1),0\ns:0:29\n1:0:0:1\n", 3, "a record behind the offsets"},
  };
  for (const Damaged &damaged : all)
    expectRefused(damaged, scratch.folder / "a.dim", [&] { read(damaged.text); });
  EXPECT_GE(std::size(all), 30U);
}

} // namespace
