// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: --coll-selector=ompi decides as Open MPI 4.1.4 does, on both sides of every switch point
// of message sizes and of numbers of ranks.
#include "coll/Algorithm.h"
#include "coll/Messages.h"
#include "coll/Selection.h"
#include "coll/selection/Wish.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gnomon::coll::test {
namespace {

/// What the functions `ompi_coll_tuned_…_intra_dec_fixed` of coll_tuned_decision_fixed.c, v4.1.4,
/// answered when they were asked for 2^k - 1 and 2^k ranks (up to 8192) and bytes (up to 2^24):
/// from how many bytes on which algorithm, for so many ranks. The table of the selector was written
/// from the same source, by hand.
struct Answer {
  const char *collective;
  bool commutes;
  int fewest, most; ///< ranks
  const char *from; ///< `BYTES:algorithm …`
};
constexpr Answer answers[] = {
    {"allreduce", true, 2, 3,
     "0:ring 8:recursive_doubling 4096:ring 8192:recursive_doubling 16384:ring "
     "65536:segmented_ring 262144:rabenseifner"},
    {"allreduce", true, 4, 7, "0:ring 16:recursive_doubling 8192:rabenseifner"},
    {"allreduce", true, 8, 15, "0:recursive_doubling 8192:rabenseifner"},
    {"allreduce", true, 16, 31, "0:segmented_ring 64:recursive_doubling 4096:rabenseifner"},
    {"allreduce", true, 32, 63, "0:segmented_ring 128:rabenseifner"},
    {"allreduce", true, 64, 127, "0:recursive_doubling 262144:rabenseifner"},
    {"allreduce", true, 128, 255, "0:nonoverlapping 131072:recursive_doubling 262144:rabenseifner"},
    {"allreduce", true, 256, 511, "0:nonoverlapping 4096:rabenseifner"},
    {"allreduce", true, 512, 2047, "0:nonoverlapping 2048:recursive_doubling 16384:rabenseifner"},
    {"allreduce", true, 2048, 4095,
     "0:nonoverlapping 2048:segmented_ring 4096:recursive_doubling 16384:rabenseifner"},
    {"allreduce", true, 4096, 8192,
     "0:nonoverlapping 2048:segmented_ring 16384:recursive_doubling 32768:rabenseifner"},
    {"allreduce", false, 2, 3, "0:recursive_doubling 131072:basic_linear"},
    {"allreduce", false, 4, 7, "0:recursive_doubling"},
    {"allreduce", false, 8, 15, "0:recursive_doubling 1048576:nonoverlapping"},
    {"allreduce", false, 16, 127, "0:recursive_doubling"},
    {"allreduce", false, 128, 255,
     "0:nonoverlapping 131072:recursive_doubling 524288:nonoverlapping"},
    {"allreduce", false, 256, 511,
     "0:nonoverlapping 4096:recursive_doubling 524288:nonoverlapping"},
    {"allreduce", false, 512, 8192, "0:nonoverlapping 2048:recursive_doubling"},
    {"alltoall", true, 2, 2,
     "0:pairwise 2:two_proc 4:pairwise 16:two_proc 64:pairwise 256:two_proc 4096:pairwise "
     "32768:linear_sync 262144:two_proc 1048576:pairwise"},
    {"alltoall", true, 3, 7,
     "0:linear_sync 8192:linear 16384:linear_sync 65536:linear 524288:pairwise 1048576:linear"},
    {"alltoall", true, 8, 15, "0:linear_sync 262144:linear"},
    {"alltoall", true, 16, 31,
     "0:linear_sync 4:modified_bruck 512:linear_sync 8192:linear 32768:linear_sync 262144:linear "
     "524288:linear_sync"},
    {"alltoall", true, 32, 63, "0:modified_bruck 512:linear 524288:linear_sync"},
    {"alltoall", true, 64, 127,
     "0:modified_bruck 1024:linear 2048:linear_sync 4096:linear 262144:pairwise"},
    {"alltoall", true, 128, 255, "0:modified_bruck 1024:linear_sync 2048:linear 262144:pairwise"},
    {"alltoall", true, 256, 511, "0:modified_bruck 1024:linear_sync 8192:linear 32768:pairwise"},
    {"alltoall", true, 512, 1023,
     "0:modified_bruck 512:linear_sync 8192:linear 16384:linear_sync 131072:linear "
     "262144:pairwise"},
    {"alltoall", true, 1024, 2047,
     "0:modified_bruck 512:linear_sync 1024:linear 2048:linear_sync 16384:linear "
     "262144:linear_sync"},
    {"alltoall", true, 2048, 4095,
     "0:modified_bruck 1024:linear_sync 4096:linear 8192:linear_sync 131072:linear"},
    {"alltoall", true, 4096, 8192,
     "0:modified_bruck 2048:linear_sync 8192:linear 16384:linear_sync 32768:linear "
     "65536:linear_sync"},
    {"alltoallv", true, 2, 3, "0:pairwise"},
    {"alltoallv", true, 4, 63, "0:basic_linear"},
    {"alltoallv", true, 64, 127, "0:pairwise"},
    {"alltoallv", true, 128, 255, "0:basic_linear"},
    {"alltoallv", true, 256, 1023, "0:pairwise"},
    {"alltoallv", true, 1024, 8192, "0:basic_linear"},
    {"barrier", true, 2, 3, "0:recursive_doubling"},
    {"barrier", true, 4, 7, "0:linear"},
    {"barrier", true, 8, 63, "0:recursive_doubling"},
    {"barrier", true, 64, 255, "0:bruck"},
    {"barrier", true, 256, 511, "0:tree"},
    {"barrier", true, 512, 1023, "0:bruck"},
    {"barrier", true, 1024, 4095, "0:tree"},
    {"barrier", true, 4096, 8192, "0:bruck"},
    {"bcast", true, 2, 3,
     "0:pipeline 32:binary_tree 256:pipeline 512:knomial 1024:basic_linear 32768:binary_tree "
     "131072:chain 262144:basic_linear 524288:binomial 1048576:binary_tree"},
    {"bcast", true, 4, 7,
     "0:binary_tree 64:binomial 128:binary_tree 2048:binomial 8192:basic_linear 1048576:chain"},
    {"bcast", true, 8, 15,
     "0:knomial 8:binary_tree 64:knomial 4096:binary_tree 16384:binomial 32768:basic_linear"},
    {"bcast", true, 16, 31, "0:knomial 4096:binomial 1048576:scatter_allgather"},
    {"bcast", true, 32, 63, "0:binomial 2048:knomial"},
    {"bcast", true, 64, 127, "0:knomial"},
    {"bcast", true, 128, 255,
     "0:binomial 2:binary_tree 16384:basic_linear 32768:binary_tree 65536:knomial"},
    {"bcast", true, 256, 1023, "0:knomial 16384:split_binary_tree 32768:knomial"},
    {"bcast", true, 1024, 2047, "0:knomial 524288:scatter_allgather"},
    {"bcast", true, 2048, 4095, "0:knomial 262144:scatter_allgather"},
    {"bcast", true, 4096, 8192,
     "0:knomial 8192:binary_tree 16384:knomial 262144:scatter_allgather"},
    {"reduce", true, 2, 3,
     "0:rabenseifner 8:binary 16:pipeline 32:linear 262144:pipeline 524288:chain 1048576:pipeline"},
    {"reduce", true, 4, 7,
     "0:binary 4096:chain 65536:binomial 262144:linear 524288:binomial 1048576:linear"},
    {"reduce", true, 8, 15, "0:binary 8192:binomial"},
    {"reduce", true, 16, 31, "0:binary 4096:binomial"},
    {"reduce", true, 32, 255, "0:binomial"},
    {"reduce", true, 256, 511, "0:binomial 8192:in_order_binary 16384:binomial"},
    {"reduce", true, 512, 2047, "0:binomial"},
    {"reduce", true, 2048, 4095,
     "0:binomial 512:in_order_binary 1024:binomial 8192:in_order_binary 16384:binomial"},
    {"reduce", true, 4096, 8192,
     "0:binomial 16:in_order_binary 32:binomial 1024:in_order_binary 2048:binomial "
     "8192:in_order_binary 16384:binomial"},
    {"reduce", false, 2, 3, "0:in_order_binary 8:linear"},
    {"reduce", false, 4, 7, "0:linear"},
    {"reduce", false, 8, 15,
     "0:in_order_binary 1024:linear 8192:in_order_binary 16384:linear 262144:in_order_binary"},
    {"reduce", false, 16, 127, "0:in_order_binary"},
    {"reduce", false, 128, 255, "0:in_order_binary 512:linear 1024:in_order_binary"},
    {"reduce", false, 256, 8192, "0:in_order_binary"},
    {"reduce_scatter", true, 2, 3, "0:ring 65536:butterfly 131072:ring"},
    {"reduce_scatter", true, 4, 7, "0:non_overlapping 8:recursive_halving 262144:ring"},
    {"reduce_scatter", true, 8, 31, "0:recursive_halving 262144:ring"},
    {"reduce_scatter", true, 32, 63,
     "0:non_overlapping 64:recursive_halving 2048:butterfly 524288:ring"},
    {"reduce_scatter", true, 64, 127,
     "0:non_overlapping 256:recursive_halving 512:butterfly 2048:recursive_halving 4096:butterfly"},
    {"reduce_scatter", true, 128, 255, "0:non_overlapping 256:recursive_halving 512:butterfly"},
    {"reduce_scatter", true, 256, 511, "0:non_overlapping 256:recursive_halving 1024:butterfly"},
    {"reduce_scatter", true, 512, 1023,
     "0:non_overlapping 512:recursive_halving 2048:butterfly 8192:recursive_halving "
     "16384:butterfly"},
    {"reduce_scatter", true, 1024, 2047,
     "0:non_overlapping 512:recursive_halving 4096:butterfly 16384:recursive_halving "
     "32768:butterfly"},
    {"reduce_scatter", true, 2048, 4095, "0:non_overlapping 512:recursive_halving 4096:butterfly"},
    {"reduce_scatter", true, 4096, 8192, "0:non_overlapping 1024:recursive_halving 8192:butterfly"},
    {"reduce_scatter", false, 2, 8192, "0:non_overlapping"},
    {"reduce_scatter_block", true, 2, 3,
     "0:recursive_doubling 4:butterfly 8:recursive_halving 16:butterfly 128:recursive_halving "
     "256:butterfly 4096:recursive_halving 8192:butterfly 131072:basic_linear"},
    {"reduce_scatter_block", true, 4, 7,
     "0:recursive_halving 8:recursive_doubling 32:butterfly 256:recursive_halving 8192:butterfly "
     "16384:recursive_halving 1048576:basic_linear"},
    {"reduce_scatter_block", true, 8, 15,
     "0:basic_linear 4:recursive_halving 32:butterfly 128:recursive_halving 524288:basic_linear "
     "4194304:butterfly"},
    {"reduce_scatter_block", true, 16, 31,
     "0:basic_linear 32:recursive_halving 524288:basic_linear 2097152:recursive_halving "
     "4194304:butterfly"},
    {"reduce_scatter_block", true, 32, 8192,
     "0:recursive_halving 4:basic_linear 16:butterfly 65536:basic_linear 262144:butterfly"},
    {"reduce_scatter_block", false, 2, 8192, "0:basic_linear"},
    {"allgather", true, 2, 2, "0:two_proc"},
    {"allgather", true, 3, 31, "0:recursive_doubling"},
    {"allgather", true, 32, 63, "0:recursive_doubling 1024:neighbor 65536:ring"},
    {"allgather", true, 64, 127, "0:recursive_doubling 512:neighbor 65536:ring"},
    {"allgather", true, 128, 255,
     "0:recursive_doubling 512:neighbor 131072:ring 524288:neighbor 1048576:ring"},
    {"allgather", true, 256, 511,
     "0:recursive_doubling 32:bruck 128:recursive_doubling 1024:neighbor 131072:ring "
     "524288:neighbor 1048576:ring"},
    {"allgather", true, 512, 1023,
     "0:recursive_doubling 64:bruck 256:recursive_doubling 2048:neighbor"},
    {"allgather", true, 1024, 2047,
     "0:recursive_doubling 4:bruck 8:recursive_doubling 16:bruck 32:recursive_doubling 256:bruck "
     "512:recursive_doubling 4096:neighbor"},
    {"allgather", true, 2048, 4095,
     "0:bruck 32:recursive_doubling 128:bruck 512:recursive_doubling 4096:neighbor"},
    {"allgather", true, 4096, 8192,
     "0:recursive_doubling 2:bruck 8:recursive_doubling 16:bruck 512:recursive_doubling "
     "4096:neighbor"},
    {"allgatherv", true, 2, 2, "0:ring 2048:two_proc 4096:ring 8192:two_proc"},
    {"allgatherv", true, 3, 7,
     "0:default 256:neighbor 4096:ring 8192:neighbor 16384:bruck 262144:neighbor"},
    {"allgatherv", true, 8, 15, "0:default 1024:bruck"},
    {"allgatherv", true, 16, 31, "0:default 128:bruck 262144:ring"},
    {"allgatherv", true, 32, 63, "0:default 256:bruck 8192:ring"},
    {"allgatherv", true, 64, 127, "0:default 256:bruck 4096:ring"},
    {"allgatherv", true, 128, 255, "0:bruck 1024:neighbor 65536:ring"},
    {"allgatherv", true, 256, 511, "0:bruck 1024:ring"},
    {"allgatherv", true, 512, 1023, "0:bruck 512:default 1024:bruck 4096:neighbor 1048576:ring"},
    {"allgatherv", true, 1024, 8192, "0:bruck 4096:neighbor"},
    {"gather", true, 2, 3,
     "0:linear_sync 2:basic_linear 4:binomial 32768:basic_linear 65536:binomial "
     "131072:linear_sync"},
    {"gather", true, 4, 7,
     "0:binomial 1024:basic_linear 8192:binomial 32768:basic_linear 262144:linear_sync"},
    {"gather", true, 8, 255, "0:binomial"},
    {"gather", true, 256, 511, "0:binomial 2048:basic_linear 8192:binomial"},
    {"gather", true, 512, 8192, "0:binomial"},
    {"scatter", true, 2, 3, "0:linear_nb 2:basic_linear 131072:linear_nb 262144:basic_linear"},
    {"scatter", true, 4, 7,
     "0:binomial 2048:basic_linear 4096:binomial 8192:basic_linear 32768:linear_nb "
     "1048576:basic_linear"},
    {"scatter", true, 8, 15, "0:binomial 16384:linear_nb 1048576:basic_linear"},
    {"scatter", true, 16, 31, "0:binomial 16384:basic_linear 32768:linear_nb"},
    {"scatter", true, 32, 63, "0:binomial 512:linear_nb 8192:binomial 16384:linear_nb"},
    {"scatter", true, 64, 8192, "0:binomial 512:linear_nb"},
};

void noFunction(void *, void *, int *, MPI_Datatype *) {}

/// A call on so many ranks that nobody makes: no algorithm is run, and the selector asks nothing of
/// the communicator.
struct Asked {
  Call call;
  int64_t bytes;
  const Op *op;
  std::vector<int> counts; ///< as many as ranks, of `bytes` each
  const Datatype *type = &Messages::byte();
};

BarrierArgs make(const Asked &asked, BarrierArgs *) { return {asked.call}; }
BcastArgs make(const Asked &asked, BcastArgs *) {
  return {asked.call, nullptr, asked.bytes, asked.type, 0};
}
ReduceArgs make(const Asked &asked, ReduceArgs *) {
  return {{asked.call, nullptr, nullptr, asked.bytes, asked.type, asked.op}, 0};
}
AllreduceArgs make(const Asked &asked, AllreduceArgs *) {
  return {{asked.call, nullptr, nullptr, asked.bytes, asked.type, asked.op}};
}
GatherArgs make(const Asked &asked, GatherArgs *) {
  return {asked.call,  nullptr, asked.bytes, asked.type, nullptr,
          asked.bytes, nullptr, nullptr,     asked.type, 0};
}
ScatterArgs make(const Asked &asked, ScatterArgs *) {
  return {asked.call, nullptr, asked.bytes, nullptr,    nullptr,
          asked.type, nullptr, asked.bytes, asked.type, 0};
}
AllgatherArgs make(const Asked &asked, AllgatherArgs *) {
  return {{asked.call, nullptr, asked.bytes, asked.type, nullptr, asked.bytes, nullptr, nullptr,
           asked.type}};
}
AllgathervArgs make(const Asked &asked, AllgathervArgs *) {
  return {{asked.call, nullptr, asked.bytes, asked.type, nullptr, 0, asked.counts.data(), nullptr,
           asked.type}};
}
AlltoallArgs make(const Asked &asked, AlltoallArgs *) {
  return {asked.call, nullptr, asked.bytes, asked.type, nullptr, asked.bytes, asked.type};
}
AlltoallvArgs make(const Asked &asked, AlltoallvArgs *) {
  return {asked.call,          nullptr, asked.counts.data(), nullptr, asked.type, nullptr,
          asked.counts.data(), nullptr, asked.type};
}
/// The size that decides is that of the whole vector.
ReduceScatterArgs make(const Asked &asked, ReduceScatterArgs *) {
  static std::vector<int> counts;
  counts.assign(static_cast<size_t>(asked.call.size), 0);
  counts[0] = static_cast<int>(asked.bytes);
  return {asked.call, nullptr, nullptr, counts.data(), 0, asked.type, asked.op};
}
ReduceScatterBlockArgs make(const Asked &asked, ReduceScatterBlockArgs *) {
  return {{asked.call, nullptr, nullptr, nullptr, asked.bytes, asked.type, asked.op}};
}

/// The algorithm of that name, or what stands in for it.
template <class Args> std::string expected(std::string_view name, const Args &args) {
  const Algorithm<Args> *algorithm = findAlgorithm<Args>("ompi_" + std::string(name));
  while (algorithm && algorithm->can && !algorithm->can(args))
    algorithm = algorithm->instead ? findAlgorithm<Args>(algorithm->instead) : nullptr;
  return algorithm ? algorithm->name : "none";
}

template <class Args> void check(const Answer &answer, const Asked &asked, std::string_view name) {
  const Args args = make(asked, static_cast<Args *>(nullptr));
  EXPECT_EQ(chosen(args), expected(name, args))
      << answer.collective << " of " << asked.bytes << " bytes, " << asked.call.size << " ranks, "
      << (answer.commutes ? "commutes" : "ordered");
}

void ask(const Answer &answer, int ranks, int64_t bytes, std::string_view name) {
  static Op *ordered = Op::create(noFunction, false);
  static char nobody; // stands for a communicator
  const Asked asked{{reinterpret_cast<Comm &>(nobody), 0, ranks, 7},
                    bytes,
                    answer.commutes ? &Op::predefined(Op::Sum) : ordered,
                    std::vector<int>(static_cast<size_t>(ranks), static_cast<int>(bytes))};
  const std::string_view collective = answer.collective;
#define ASK(ARGS, NAME)                                                                            \
  if (collective == NAME)                                                                          \
    return check<ARGS>(answer, asked, name);
  ASK(BarrierArgs, "barrier")
  ASK(BcastArgs, "bcast")
  ASK(ReduceArgs, "reduce")
  ASK(AllreduceArgs, "allreduce")
  ASK(GatherArgs, "gather")
  ASK(ScatterArgs, "scatter")
  ASK(AllgatherArgs, "allgather")
  ASK(AllgathervArgs, "allgatherv")
  ASK(AlltoallArgs, "alltoall")
  ASK(AlltoallvArgs, "alltoallv")
  ASK(ReduceScatterArgs, "reduce_scatter")
  ASK(ReduceScatterBlockArgs, "reduce_scatter_block")
#undef ASK
  FAIL() << "no such collective: " << collective;
}

TEST(OpenMpiDecision, BothSidesOfEverySwitchPoint) {
  select("ompi");
  for (const Answer &answer : answers) {
    std::istringstream words(answer.from);
    std::string before, word;
    while (words >> word) {
      const size_t colon = word.find(':');
      const int64_t from = std::stoll(word.substr(0, colon));
      const std::string name = word.substr(colon + 1);
      for (int ranks : {answer.fewest, answer.most}) {
        if (from > 0)
          ask(answer, ranks, from - 1, before);
        ask(answer, ranks, from, name);
      }
      before = name;
    }
    for (int ranks : {answer.fewest, answer.most}) // and nothing comes after the last one
      if (answer.collective != std::string_view("allgatherv"))
        ask(answer, ranks, 1 << 24, before);
  }
  select("default");
}

} // namespace
} // namespace gnomon::coll::test
