// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of broadcasts.
#include "coll/bcast/Bcast.h"
#include "coll/Algorithm.h"
#include "coll/Nodes.h"
#include "coll/tree/Segments.h"

namespace gnomon::coll {

std::span<const Algorithm<BcastArgs>> Collective<BcastArgs>::table() {
  static constexpr auto elementEach = [](const BcastArgs &args) {
    return Units(args.count, *args.type).count >= args.size;
  };
  static constexpr const char *ElementEach = "an element for each rank";
  static constexpr Algorithm<BcastArgs> algorithms[] = {
      {"binomial_tree", bcast::binomialTree,
       "binomial tree, the largest subtree first, one child after the other", "mpich_binomial"},
      {"flattree", bcast::flatTree, "the root sends to all at once", "ompi_basic_linear"},
      {"scatter_LR_allgather", bcast::scatterRingAllgather,
       "binomial scatter of bytes, then a ring of exchanges", "mpich_scatter_ring_allgather"},
      {"scatter_rdb_allgather", bcast::scatterDoublingAllgather,
       "binomial scatter of bytes, then recursive doubling",
       "mpich_scatter_recursive_doubling_allgather"},
      {"ompi_pipeline", bcast::pipeline, "one chain through all ranks, in segments"},
      {"ompi_chain", bcast::chain, "chains that hang on the root (fanout=4), in segments"},
      {"ompi_split_bintree", bcast::splitBintree,
       "half of the message down each side of a binary tree, then an exchange",
       "ompi_split_binary_tree"},
      {"ompi_binary_tree", bcast::binaryTree, "binary tree, in segments"},
      {"ompi_binomial", bcast::binomial,
       "binomial tree whose first child has the largest subtree, all children at once"},
      {"ompi_knomial", bcast::knomial, "k-nomial tree (fanout=4), all children at once"},
      {"ompi_scatter_allgather", bcast::scatterElementsDoublingAllgather,
       "binomial scatter of elements, then recursive doubling", "", elementEach, ElementEach,
       "flattree"},
      {"ompi_scatter_allgather_ring", bcast::scatterElementsRingAllgather,
       "binomial scatter of elements, then a ring of exchanges", "", elementEach, ElementEach,
       "flattree"},
      {"mpich_smp", bcast::smp, "among the hosts' leaders, then within hosts", "",
       hierarchical<BcastArgs>, SeveralOnAHost},
  };
  return algorithms;
}

} // namespace gnomon::coll
