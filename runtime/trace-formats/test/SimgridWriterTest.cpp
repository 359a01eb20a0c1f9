// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what SimGrid can say is written so that it is read back as it was; what it cannot say is
// refused with function, rank and record, or told as a loss.
#include "Formats.h"
#include "trace-formats/Calls.h"
#include "trace-formats/simgrid/Reader.h"
#include "trace-formats/simgrid/Writer.h"

#include <limits>

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

struct SimgridWriter : testing::Test {
  MemoryTrace trace{factsOf(2)};
  CallSink calls{trace};
  Conversion conversion;
  simgrid::WriteOptions options;

  void add(std::string_view name, std::string_view fields, std::vector<int64_t> values) {
    trace.append(0, {trace.function(makeFunction(name, fields)), values});
  }
  std::string written() {
    TextInMemory target;
    simgrid::write(trace, "t.trace", target, options, conversion);
    return target.text;
  }
  /// The lines of rank 0 between init and finalize.
  std::string lines() {
    const std::string text = written();
    const size_t begin = text.find('\n') + 1;
    return text.substr(begin, text.find("0 finalize") - begin);
  }
  void refused(const char *words) {
    expectRefused({"", 0, words}, "t.trace", [&] { written(); });
  }
};

TEST_F(SimgridWriter, WhatWasReadIsWrittenAsItWas) {
  const std::string text =
      "0 init\n0 send 1 7 1000000 6\n0 irecv 1 2 3 0\n0 irecv 1 2 4 0\n0 isend 1 5 6 1\n"
      "0 wait 1 0 2\n0 test 1 0 2\n0 waitall\n0 recv 1 4 9 3\n0 compute 1500\n0 sleep 0.25\n"
      "0 sendRecv 3 1 4 1 0 1\n0 barrier\n0 bcast 3 1 0\n0 reduce 5 20 1 1\n"
      "0 allreduce 5 0 0\n0 compute 7\n0 scan 2 3 6\n0 exscan 2 0 6\n"
      "0 reducescatter 3 4 9 0\n0 alltoall 5 6 1 0\n0 allgather 7 7 6 6\n"
      "0 gather 2 2 0 0 0\n0 scatter 2 2 1 0 0\n0 gatherv 5 5 6 0 0 0\n"
      "0 allgatherv 5 5 6 0 0\n0 scatterv 5 6 5 0 0 0\n"
      "0 alltoallv 3 1 2 9 4 5 0 0\n0 finalize\n1 init\n1 finalize\n";
  Scratch scratch;
  Got got;
  simgrid::read(scratch.write("a.txt", text), got.open(), got.conversion);
  TextInMemory target;
  simgrid::write(*got.trace, "t.trace", target, options, conversion);
  EXPECT_EQ(target.text, text);
  EXPECT_TRUE(conversion.losses.times().empty());
}

TEST_F(SimgridWriter, OperationsOfAReductionAreInItsLine) {
  calls.append(0, Call::Allreduce, {5, 8, 5, 8, trace.text("MPI_SUM"), World});
  calls.compute(0, "MPI_Allreduce", 12, 0);
  calls.append(0, Call::Allreduce, {5, 8, 5, 8, trace.text("MPI_SUM"), World});
  calls.compute(0, "lu.f:3 f", 12, 0);
  EXPECT_EQ(lines(), "0 allreduce 5 12 0\n0 allreduce 5 0 0\n0 compute 12\n");
}

/// All ranks have them in the order of their calls, whatever they wait for first.
TEST_F(SimgridWriter, NonblockingCollectivesBlockWhereTheyAreWaitedForIfThatIsWanted) {
  calls.append(0, Call::Ibcast, {4, 8, 1, World, 1});
  calls.append(0, Call::Ibarrier, {World, 2});
  calls.compute(0, "", 7, 0);
  calls.append(0, Call::Wait, {2});
  calls.append(0, Call::Wait, {1});
  calls.append(0, Call::Ibarrier, {World, 1});
  calls.append(0, Call::Barrier, {World});
  calls.append(0, Call::Bcast, {4, 8, 1, World});
  calls.append(0, Call::Wait, {1});
  refused("rank 0, record 0: MPI_Ibcast: SimGrid's text has no nonblocking collectives");
  options.blockCollectives = true;
  EXPECT_EQ(lines(),
            "0 compute 7\n0 bcast 4 1 0\n0 barrier\n0 barrier\n0 barrier\n0 bcast 4 1 0\n");
  EXPECT_EQ(
      conversion.losses.times().at("MPI_Ibarrier: written as MPI_Barrier where it is waited "
                                   "for; what a rank does meanwhile no longer overlaps with it"),
      2U);
}

TEST_F(SimgridWriter, SecondsBecomeOperationsByARate) {
  calls.compute(0, "", std::numeric_limits<double>::quiet_NaN(), 0.5);
  refused("rank 0, record 0: compute: no instructions were counted; '--rate R'");
  options.flopsPerSecond = 1e9;
  EXPECT_EQ(lines(), "0 compute 500000000\n");
}

TEST_F(SimgridWriter, ElementsOfOtherSizesAreBytes) {
  calls.append(0, Call::Send, {10, 24, 1, 3, World});
  EXPECT_EQ(lines(), "0 send 1 3 240 6\n");
}

TEST_F(SimgridWriter, MpiProcNullIsLeftOut) {
  calls.append(0, Call::Send, {10, 8, NullPeer, 3, World});
  calls.append(0, Call::Irecv, {10, 8, NullPeer, 3, World, 1});
  calls.append(0, Call::Wait, {1});
  calls.append(0, Call::Sendrecv, {1, 8, NullPeer, 0, 2, 8, 1, 0, World});
  EXPECT_EQ(lines(), "0 irecv 1 0 2 0\n0 wait 1 0 0\n");
}

TEST_F(SimgridWriter, WaitallOfSomeIsAWaitForEach) {
  for (const int64_t slot : {1, 2, 3})
    calls.append(0, Call::Irecv, {1, 1, 1, slot, World, slot});
  calls.append(0, Call::Waitall, {2, 1, 3});
  calls.append(0, Call::Waitall, {1, 2});
  EXPECT_EQ(lines(),
            "0 irecv 1 1 1 6\n0 irecv 1 2 1 6\n0 irecv 1 3 1 6\n0 wait 1 0 1\n0 wait 1 0 3\n"
            "0 waitall\n");
}

TEST_F(SimgridWriter, WaitanyIsForWhatCompleted) {
  for (const int64_t slot : {1, 2})
    calls.append(0, Call::Irecv, {1, 1, 1, slot, World, slot});
  add("MPI_Waitany", "requests index", {2, 1, 2, 1});
  add("MPI_Testany", "requests", {0});
  add("MPI_Waitsome", "requests", {1, 1});
  EXPECT_EQ(lines(), "0 irecv 1 1 1 6\n0 irecv 1 2 1 6\n0 wait 1 0 2\n0 wait 1 0 1\n");
  EXPECT_EQ(conversion.losses.times().begin()->first, "MPI_Testany that found nothing: left out");
}

TEST_F(SimgridWriter, WaitsOutOfOrderAreToldAsALoss) {
  for (const int64_t slot : {1, 2})
    calls.append(0, Call::Irecv, {1, 1, 1, 7, World, slot});
  calls.append(0, Call::Wait, {2});
  calls.append(0, Call::Wait, {1});
  EXPECT_EQ(lines(), "0 irecv 1 7 1 6\n0 irecv 1 7 1 6\n0 wait 1 0 7\n0 wait 1 0 7\n");
  EXPECT_EQ(conversion.losses.times().size(), 1U);
}

TEST_F(SimgridWriter, PersistentRequestsAreStarted) {
  add("MPI_Send_init", "buf.count buf.size dest tag comm request", {4, 8, 1, 3, World, 1});
  for (int i = 0; i < 2; ++i) {
    add("MPI_Startall", "requests", {1, 1});
    calls.append(0, Call::Waitall, {1, 1});
  }
  calls.append(0, Call::RequestFree, {1});
  EXPECT_EQ(lines(), "0 isend 1 3 4 0\n0 waitall\n0 isend 1 3 4 0\n0 waitall\n");
}

TEST_F(SimgridWriter, SendrecvWithOtherTagsIsSeveral) {
  calls.append(0, Call::Sendrecv, {1, 8, 1, 5, 2, 8, 1, 6, World});
  EXPECT_EQ(lines(), "0 irecv 1 6 2 0\n0 send 1 5 1 0\n0 wait 1 0 6\n");
}

TEST_F(SimgridWriter, MessagesOfOtherCommunicatorsHaveTagsOfTheirOwn) {
  const int64_t reversed = trace.communicator({{1, 0}, {}});
  calls.append(0, Call::Send, {1, 1, 0, 5, reversed});
  EXPECT_EQ(lines(), "0 send 1 2097157 1 6\n");
}

TEST_F(SimgridWriter, CollectivesOfTheSameProcessesAreThoseOfTheWorld) {
  const int64_t same = trace.communicator({{0, 1}, {}});
  calls.append(0, Call::Barrier, {same});
  calls.append(0, Call::Barrier, {Self});
  EXPECT_EQ(lines(), "0 barrier\n");
  EXPECT_EQ(conversion.losses.times().begin()->first, "collectives among one process: left out");
}

TEST_F(SimgridWriter, CollectivesOfOthersAreRefused) {
  const int64_t reversed = trace.communicator({{1, 0}, {}});
  calls.append(0, Call::Init, {});
  calls.append(0, Call::Barrier, {reversed});
  refused("rank 0, record 1: MPI_Barrier: communicator 2 has not the processes of MPI_COMM_WORLD");
}

TEST_F(SimgridWriter, MpiInPlaceIsAsTheReceiveBuffer) {
  calls.append(0, Call::Allreduce, {InPlace, 0, 5, 8, 0, World});
  trace.text("MPI_SUM");
  calls.append(0, Call::Allgather, {InPlace, 0, 4, 8, World});
  calls.append(0, Call::Allgatherv, {InPlace, 0, 2, 3, 4, 8, World});
  calls.append(0, Call::Alltoallv, {0, 0, 2, 3, 4, 8, World});
  EXPECT_EQ(lines(), "0 allreduce 5 0 0\n0 allgather 4 4 0 0\n0 allgatherv 3 3 4 0 0\n"
                     "0 alltoallv 7 3 4 7 3 4 0 0\n");
}

TEST_F(SimgridWriter, WhatSimgridHasNoWordForIsRefused) {
  const std::pair<const char *, const char *> all[] = {
      {"MPI_Put", "win"}, {"MPI_Ibarrier", "comm request"}, {"MPI_Alltoallw", "comm"}, {"hum", ""}};
  for (const auto &[name, fields] : all) {
    MemoryTrace other(factsOf(1));
    const Function function = makeFunction(name, fields);
    const std::vector<int64_t> values(function.fields.size());
    other.append(0, {other.function(function), values});
    TextInMemory target;
    expectRefused({"", 0, name}, "t.trace",
                  [&] { simgrid::write(other, "t.trace", target, options, conversion); });
  }
}

TEST_F(SimgridWriter, ARecordWithoutAFieldIsRefused) {
  add("MPI_Send", "buf.count dest tag comm", {1, 1, 0, World});
  refused("rank 0, record 0: MPI_Send: the record has no field 'buf.size'");
}

} // namespace
