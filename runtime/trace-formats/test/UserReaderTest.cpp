// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a reader of the user's gives becomes a trace; what it gives wrongly is refused, with
// the reader's name, and what it finds wrong in the file with the file's.
#include "trace-formats/UserReader.h"
#include "Formats.h"
#include "gnomon/TraceReader.h"

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

struct UserReader : testing::Test {
  Got got;
  void read(user::ReadTrace reader) { user::read(reader, "reader.so", "the.trace", got.open()); }
  void blamed(user::ReadTrace reader, const char *words) {
    expectRefused({"", 0, words}, "reader.so", [&] { read(reader); });
  }
};

const gnomon_trace_field SendFields[] = {{"buf.count", GNOMON_TRACE_COUNT, 0},
                                         {"dest", GNOMON_TRACE_PEER, 0},
                                         {"comm", GNOMON_TRACE_COMM, 0}};

TEST_F(UserReader, GivesATrace) {
  read([](const char *path, const gnomon_trace_sink *sink) {
    EXPECT_STREQ(path, "the.trace");
    EXPECT_EQ(sink->bytes, sizeof *sink);
    sink->begin(sink->context, 2, "./app");
    const int64_t send = sink->function(sink->context, "MPI_Send", SendFields, 3);
    const gnomon_trace_field seconds{"seconds", GNOMON_TRACE_REAL, 0};
    const int64_t sleep = sink->function(sink->context, "sleep", &seconds, 1);
    const uint32_t members[] = {1, 0};
    const int64_t values[] = {5, 0, sink->communicator(sink->context, members, 2, nullptr, 0)};
    sink->append(sink->context, 1, send, values, 3);
    const int64_t half = gnomon_trace_real(0.5);
    return sink->append(sink->context, 0, sleep, &half, 1);
  });
  EXPECT_EQ(got.all(), "rank 0\nsleep seconds=0.5\nrank 1\nMPI_Send buf.count=5 dest=0 comm=2\n");
  EXPECT_EQ(got.trace->facts().program, "./app");
}

TEST_F(UserReader, SaysWhereTheFileIsWrong) {
  expectRefused({"", 7, "a line of nonsense"}, "the.trace", [&] {
    read([](const char *, const gnomon_trace_sink *sink) {
      return sink->fail(sink->context, 7, "a line of nonsense");
    });
  });
}

TEST_F(UserReader, IsBlamedForWhatItDoesWrong) {
  blamed([](const char *, const gnomon_trace_sink *) { return 3; }, "gave 3 and did not say why");
  blamed([](const char *, const gnomon_trace_sink *) { return 0; }, "begin() was not called");
  blamed(
      [](const char *, const gnomon_trace_sink *sink) {
        EXPECT_LT(sink->text(sink->context, "x"), 0);
        return 0; // the error stands
      },
      "begin() was not called");
  blamed([](const char *,
            const gnomon_trace_sink *sink) { return sink->begin(sink->context, 0, nullptr); },
         "0 ranks");
  blamed(
      [](const char *, const gnomon_trace_sink *sink) {
        sink->begin(sink->context, 1, nullptr);
        return sink->begin(sink->context, 1, nullptr);
      },
      "a second time");
  blamed(
      [](const char *, const gnomon_trace_sink *sink) {
        sink->begin(sink->context, 1, nullptr);
        const gnomon_trace_field field{"x", 99, 0};
        return static_cast<int>(sink->function(sink->context, "f", &field, 1));
      },
      "no kind that there is");
}

/// A reader that appends one record of MPI_Send to rank \p Rank.
template <uint32_t Rank, int64_t Count, int64_t Dest, int64_t Comm, size_t Values = 3,
          int64_t More = 0>
int appends(const char *, const gnomon_trace_sink *sink) {
  sink->begin(sink->context, 2, nullptr);
  const int64_t send = sink->function(sink->context, "MPI_Send", SendFields, 3);
  const int64_t values[] = {Count, Dest, Comm};
  return sink->append(sink->context, Rank, send + More, values, Values);
}

TEST_F(UserReader, IsBlamedForRecordsThatCannotBe) {
  blamed(appends<2, 1, 0, 0>, "a record of rank 2 of 2");
  blamed(appends<0, -3, 0, 0>, "rank 0: MPI_Send: buf.count=-3 is out of range");
  blamed(appends<0, 1, -4, 0>, "dest=-4 is out of range");
  blamed(appends<0, 1, 0, 2>, "comm=2 is out of range");
  blamed(appends<0, 1, 0, 0, 2>, "2 values do not fit its fields");
  blamed(appends<0, 1, 0, 0, 3, 1>, "a record of function 1, which there is not");
  read(appends<1, 1, -2, -1>);
}

TEST_F(UserReader, ThatCannotBeLoadedIsNamed) {
  expectRefused({"", 0, "cannot be loaded"}, "./no-such.so",
                [&] { user::read("./no-such.so", "the.trace", got.open()); });
}

} // namespace
