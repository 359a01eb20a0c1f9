// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: --coll forces an algorithm; unknown names list the known ones; an algorithm that cannot
// do a call gives way to the default with one note.
#include "coll/Selection.h"
#include "coll/test/Cluster.h"
#include "support/Error.h"

#include <gtest/gtest.h>

namespace gnomon::coll::test {
namespace {

std::vector<std::string> notes;

struct Selection : ::testing::Test {
  void SetUp() override {
    notes.clear();
    setNotePrinter([](const std::string &text) { notes.push_back(text); });
  }
  void TearDown() override {
    forceNothing();
    setNotePrinter(nullptr);
  }
};

int barrierMessages(int size) {
  Cluster cluster(size);
  EXPECT_TRUE(cluster.run([](const Call &call) { EXPECT_EQ(run(BarrierArgs{call}), 0); }));
  return cluster.messages;
}

std::string failureOf(std::string_view option) {
  try {
    force(option);
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

TEST_F(Selection, ForcesAnAlgorithm) {
  EXPECT_EQ(barrierMessages(8), 14); // linear
  force("barrier:ompi_recursivedoubling");
  EXPECT_EQ(barrierMessages(8), 24);
  force("barrier:default");
  EXPECT_EQ(barrierMessages(8), 14);
}

TEST_F(Selection, FallsBackWithOneNote) {
  force("barrier:ompi_two_procs");
  EXPECT_EQ(barrierMessages(4), 6);
  EXPECT_EQ(barrierMessages(2), 2);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(
      notes[0],
      "--coll=barrier:ompi_two_procs needs two ranks; calls without it run the default algorithm");
}

TEST_F(Selection, UnknownNamesListTheKnownOnes) {
  EXPECT_EQ(failureOf("scan:fast"), "--coll=scan:fast: unknown algorithm 'fast' of collective "
                                    "'scan'; known are: linear, recursivedoubling");
  EXPECT_NE(failureOf("allredux:rdb").find("known are: barrier, bcast, reduce, allreduce"),
            std::string::npos);
  EXPECT_EQ(failureOf("rdb"), "--coll=rdb: expected NAME:ALGO, such as allreduce:rdb");
}

TEST_F(Selection, EveryPreconditionHasAName) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  for (const auto &algorithm : Collective<ARGS>::table())                                          \
    EXPECT_EQ(algorithm.can == nullptr, algorithm.needs == nullptr)                                \
        << NAME << " " << algorithm.name;
#include "coll/Collectives.def"
}

} // namespace
} // namespace gnomon::coll::test
