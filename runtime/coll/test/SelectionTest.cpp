// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: --coll forces an algorithm; unknown names list the known ones; an algorithm that cannot
// do a call gives way to the default with one note.
#include "coll/Selection.h"
#include "coll/Messages.h"
#include "coll/selection/Wish.h"
#include "coll/test/Cluster.h"
#include "support/Error.h"

#include <gtest/gtest.h>

#include <set>

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
    select("default");
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
                                    "'scan'; known are: linear, recursivedoubling, mpich_smp");
  EXPECT_NE(failureOf("allredux:rdb").find("known are: barrier, bcast, reduce, allreduce"),
            std::string::npos);
  EXPECT_EQ(failureOf("rdb"), "--coll=rdb: expected NAME:ALGO, such as allreduce:rdb");
  EXPECT_EQ(failureOf("bcast:ompi_chain,chains=3"),
            "--coll=bcast:ompi_chain,chains=3: unknown parameter 'chains=3'; known are: "
            "segment=BYTES, fanout=N");
  EXPECT_EQ(failureOf("bcast:ompi_chain,segment=2k"),
            "--coll=bcast:ompi_chain,segment=2k: segment: "
            "expected a whole number, not '2k'");
}

int bcastMessages(int size, int count) {
  Cluster cluster(size);
  std::vector<std::vector<int>> data(static_cast<size_t>(size));
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    auto &own = data[static_cast<size_t>(call.rank)];
    own.resize(static_cast<size_t>(count));
    const Datatype &type = Datatype::predefined(uintptr_t{0x209});
    EXPECT_EQ(run(BcastArgs{call, own.data(), count, &type, 0}), 0);
  }));
  return cluster.messages;
}

TEST_F(Selection, ParametersReachTheAlgorithm) {
  force("bcast:ompi_pipeline");
  EXPECT_EQ(bcastMessages(5, 1024), 4);
  force("bcast:ompi_pipeline,segment=1024");
  EXPECT_EQ(bcastMessages(5, 1024), 16);
  force("bcast:ompi_knomial,fanout=2,segment=2048");
  EXPECT_EQ(bcastMessages(5, 1024), 8);
}

TEST_F(Selection, AliasesAreNames) {
  force("bcast:mpich_scatter_ring_allgather");
  EXPECT_EQ(bcastMessages(5, 1024), 4 * 6);
  force("barrier:mvapich2_pair");
  EXPECT_EQ(barrierMessages(8), 24);
}

TEST_F(Selection, FallsBackToWhatTheLibraryRuns) {
  force("bcast:ompi_scatter_allgather_ring"); // needs an element for each rank
  EXPECT_EQ(bcastMessages(8, 7), 7);
  EXPECT_EQ(bcastMessages(8, 8), 7 * 9);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "--coll=bcast:ompi_scatter_allgather_ring needs an element for each rank; "
                      "calls without it run flattree");
}

/// The algorithm chosen for a call on so many ranks.
template <class Make> std::string choiceOn(int size, Make make) {
  std::string name;
  Cluster cluster(size);
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    if (call.rank == 0)
      name = chosen(make(call));
  }));
  return name;
}
const Datatype &byteType() { return Messages::byte(); }
std::string bcastOf(int ranks, int64_t bytes) {
  return choiceOn(
      ranks, [&](const Call &call) { return BcastArgs{call, nullptr, bytes, &byteType(), 0}; });
}
std::string allreduceOf(int ranks, int64_t bytes, const Op &op = Op::predefined(Op::Sum)) {
  return choiceOn(ranks, [&](const Call &call) {
    return AllreduceArgs{{call, nullptr, nullptr, bytes, &byteType(), &op}};
  });
}
std::string alltoallOf(int ranks, int64_t bytes, bool inPlace = false) {
  return choiceOn(ranks, [&](const Call &call) {
    return AlltoallArgs{call, nullptr, bytes, &byteType(), nullptr, bytes, &byteType(), inPlace};
  });
}
std::string allgatherOf(int ranks, int64_t bytes) {
  return choiceOn(ranks, [&](const Call &call) {
    return AllgatherArgs{
        {call, nullptr, bytes, &byteType(), nullptr, bytes, nullptr, nullptr, &byteType()}};
  });
}
std::string scatterBlocksOf(int ranks, int64_t bytes, const Op &op) {
  return choiceOn(ranks, [&](const Call &call) {
    return ReduceScatterBlockArgs{{call, nullptr, nullptr, nullptr, bytes, &byteType(), &op}};
  });
}
void noFunction(void *, void *, int *, MPI_Datatype *) {}

// Both sides of switch points of coll_tuned_decision_fixed.c, v4.1.4.
TEST_F(Selection, SwitchPointsOfOpenMpi) {
  select("ompi");
  EXPECT_EQ(choiceOn(3, [](const Call &call) { return BarrierArgs{call}; }),
            "ompi_recursivedoubling");
  EXPECT_EQ(choiceOn(4, [](const Call &call) { return BarrierArgs{call}; }), "ompi_basic_linear");
  EXPECT_EQ(choiceOn(64, [](const Call &call) { return BarrierArgs{call}; }), "ompi_bruck");
  EXPECT_EQ(allreduceOf(16, 63), "ompi_ring_segmented");
  EXPECT_EQ(allreduceOf(16, 64), "rdb");
  EXPECT_EQ(allreduceOf(16, 4095), "rdb");
  EXPECT_EQ(allreduceOf(16, 4096), "ompi_rabenseifner");
  EXPECT_EQ(allreduceOf(15, 8191), "rdb");
  EXPECT_EQ(allreduceOf(16, 15), "rdb"); // too short for a ring
  Op *ordered = Op::create(noFunction, false);
  EXPECT_EQ(allreduceOf(15, 1 << 20, *ordered), "ompi_nonoverlapping");
  EXPECT_EQ(allreduceOf(16, 1 << 20, *ordered), "rdb");
  EXPECT_EQ(alltoallOf(2, 1), "ring");
  EXPECT_EQ(alltoallOf(2, 2), "ompi_two_proc");
  EXPECT_EQ(alltoallOf(40, 511), "bruck");
  EXPECT_EQ(alltoallOf(40, 512), "basic_linear");
  EXPECT_EQ(alltoallOf(40, 512, true), "ompi_inplace");
  EXPECT_EQ(allgatherOf(16, 1 << 20), "rdb");
  EXPECT_EQ(allgatherOf(17, 8), "bruck");
  EXPECT_EQ(allgatherOf(40, 1024), "ompi_neighborexchange");
  EXPECT_EQ(allgatherOf(41, 1024), "NTSLR");
  EXPECT_EQ(scatterBlocksOf(16, 31, Op::predefined(Op::Sum)), "ompi_nonoverlapping");
  EXPECT_EQ(scatterBlocksOf(16, 32, Op::predefined(Op::Sum)), "ompi_basic_recursivehalving");
}

// Both sides of switch points of maint/tuning/coll/mpir/generic.json, v4.0.2.
TEST_F(Selection, SwitchPointsOfMpich) {
  select("mpich");
  EXPECT_EQ(choiceOn(8, [](const Call &call) { return BarrierArgs{call}; }), "ompi_bruck");
  EXPECT_EQ(bcastOf(7, 1 << 20), "binomial_tree");
  EXPECT_EQ(bcastOf(8, 12288), "binomial_tree");
  EXPECT_EQ(bcastOf(8, 12289), "scatter_rdb_allgather");
  EXPECT_EQ(bcastOf(8, 524288), "scatter_rdb_allgather");
  EXPECT_EQ(bcastOf(8, 524289), "scatter_LR_allgather");
  EXPECT_EQ(bcastOf(9, 12288), "binomial_tree");
  EXPECT_EQ(bcastOf(9, 12289), "scatter_LR_allgather");
  EXPECT_EQ(allreduceOf(4, 8), "rdb");
  EXPECT_EQ(allreduceOf(4, 9), "rab");
  EXPECT_EQ(allreduceOf(20, 15), "rdb"); // fewer elements than 16
  EXPECT_EQ(allreduceOf(4, 9, *Op::create(noFunction, true)), "rdb");
  EXPECT_EQ(allgatherOf(16, 32767), "rdb");
  EXPECT_EQ(allgatherOf(16, 32768), "NTSLR");
  EXPECT_EQ(allgatherOf(10, 8191), "bruck");
  EXPECT_EQ(allgatherOf(10, 8192), "NTSLR");
  EXPECT_EQ(alltoallOf(8, 1), "mpich_scattered");
  EXPECT_EQ(alltoallOf(8, 32768), "mpich_scattered");
  EXPECT_EQ(alltoallOf(8, 32769), "mpich_pairwise");
  EXPECT_EQ(alltoallOf(9, 256), "bruck");
  EXPECT_EQ(alltoallOf(9, 257), "mpich_scattered");
  EXPECT_EQ(alltoallOf(9, 257, true), "mpich_pairwise_sendrecv_replace");
  Op *ordered = Op::create(noFunction, false);
  EXPECT_EQ(scatterBlocksOf(8, 8, *ordered), "mpich_noncomm");
  EXPECT_EQ(scatterBlocksOf(9, 8, *ordered), "mpich_rdb");
  EXPECT_EQ(scatterBlocksOf(8, 65535, Op::predefined(Op::Sum)), "ompi_basic_recursivehalving");
  EXPECT_EQ(scatterBlocksOf(8, 65536, Op::predefined(Op::Sum)), "mpich_pair");
  EXPECT_EQ(alltoallOf(8, 256), "mpich_scattered");
  EXPECT_EQ(alltoallOf(9, 32768), "mpich_scattered");
  EXPECT_EQ(alltoallOf(9, 32769), "mpich_pairwise");
  EXPECT_EQ(allreduceOf(20, 16), "rab");
  auto reduceOf = [](int64_t bytes) {
    return choiceOn(8, [&](const Call &call) {
      return ReduceArgs{{call, nullptr, nullptr, bytes, &byteType(), &Op::predefined(Op::Sum)}, 0};
    });
  };
  EXPECT_EQ(reduceOf(2048), "binomial");
  EXPECT_EQ(reduceOf(2049), "scatter_gather");
}

TEST_F(Selection, EveryRuleNamesAnAlgorithm) {
  for (const Selector *selector : selectors()) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  for (const Rule *rule : rulesOf(*selector, NAME))                                                \
    for (const NamedChoice &choice : choicesOf(*rule))                                             \
      EXPECT_NE(findAlgorithm<ARGS>(choice.algorithm), nullptr)                                    \
          << selector->name << ": " << NAME << " " << choice.algorithm;
#include "coll/Collectives.def"
  }
}

TEST_F(Selection, EveryStandInIsAnAlgorithm) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  for (const auto &algorithm : Collective<ARGS>::table())                                          \
    if (algorithm.instead)                                                                         \
      EXPECT_NE(findAlgorithm<ARGS>(algorithm.instead), nullptr) << NAME << " " << algorithm.name;
#include "coll/Collectives.def"
}

TEST_F(Selection, NamesAreUnique) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  {                                                                                                \
    std::set<std::string_view> names;                                                              \
    for (const auto &algorithm : Collective<ARGS>::table()) {                                      \
      EXPECT_TRUE(names.insert(algorithm.name).second) << NAME << " " << algorithm.name;           \
      for (std::string_view alias : wordsOf(algorithm.aliases))                                    \
        EXPECT_TRUE(names.insert(alias).second) << NAME << " " << alias;                           \
    }                                                                                              \
  }
#include "coll/Collectives.def"
}

TEST_F(Selection, UnknownSelector) {
  try {
    select("intel");
    ADD_FAILURE();
  } catch (const InputError &error) {
    EXPECT_STREQ(error.what(), "--coll-selector=intel: unknown selector 'intel'; known are: "
                               "default, ompi, mpich");
  }
}

TEST_F(Selection, Describes) {
  const std::string text = describe("allgather");
  EXPECT_NE(text.find("  rdb\n"
                      "      recursive doubling\n"
                      "      also called: ompi_recursive_doubling, mpich_recursive_doubling\n"
                      "      needs a power of two of ranks; else bruck\n"
                      "      chosen by: default, ompi, mpich\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("alltoall"), std::string::npos);
  EXPECT_NE(describe("").find("\nalltoallw\n"), std::string::npos);
}

TEST_F(Selection, OneWishForBothReduceScatters) {
  auto messages = [] {
    Cluster cluster(8);
    EXPECT_TRUE(cluster.run([](const Call &call) {
      int in[8] = {}, out = 0;
      const Datatype &type = Datatype::predefined(uintptr_t{0x209});
      EXPECT_EQ(run(ReduceScatterBlockArgs{
                    {call, in, &out, nullptr, 1, &type, &Op::predefined(Op::Sum)}}),
                0);
    }));
    return cluster.messages;
  };
  force("reduce_scatter:ompi_ring");
  EXPECT_EQ(messages(), 56);
  force("reduce_scatter_block:mpich_rdb");
  EXPECT_EQ(messages(), 24);
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
