// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPICH 4.0's choice. With a rank a host it is that of maint/tuning/coll/mpir/generic.json, which
/// MPICH builds in (v4.0.2); its limits are those of the control variables that the algorithms'
/// names come from. Where a host has several of a communicator's ranks (`Shared`), device ch4
/// chooses first (maint/tuning/coll/ch4/generic.json): barrier, bcast, reduce and allreduce go by
/// host; what it does within a host through shared memory is here the messages of the same
/// collective.
#include "coll/selection/Rules.h"

namespace gnomon::coll {

namespace {

constexpr Measure W = Measure::Whole, B = Measure::Block;

constexpr Rule rules[] = {
    {"barrier", Shared, AnyRanks, W, "mpich_smp"},
    {"barrier", Always, AnyRanks, W, "mpich_dissemination"},
    {"bcast", Shared, 8, W, "mpich_smp"},
    {"bcast", Shared | PowerOfTwo, AnyRanks, W, "524288:mpich_smp mpich_scatter_ring_allgather"},
    {"bcast", Shared, AnyRanks, W, "12288:mpich_smp mpich_scatter_ring_allgather"},
    {"bcast", Always, 8, W, "mpich_binomial"},
    {"bcast", PowerOfTwo, AnyRanks, W,
     "12289:mpich_binomial 524289:mpich_scatter_recursive_doubling_allgather "
     "mpich_scatter_ring_allgather"},
    {"bcast", Always, AnyRanks, W, "12289:mpich_binomial mpich_scatter_ring_allgather"},
    {"gather", Always, AnyRanks, W, "mpich_binomial"},
    {"scatter", Always, AnyRanks, W, "mpich_binomial"},
    {"gatherv", Always, AnyRanks, W, "mpich_linear"},
    {"scatterv", Always, AnyRanks, W, "mpich_linear"},
    {"allgather", PowerOfTwo, AnyRanks, W, "524288:mpich_recursive_doubling mpich_ring"},
    {"allgather", Always, AnyRanks, W, "81920:mpich_brucks mpich_ring"},
    {"allgatherv", PowerOfTwo, AnyRanks, W, "524288:mpich_recursive_doubling mpich_ring"},
    {"allgatherv", Always, AnyRanks, W, "81920:mpich_brucks mpich_ring"},
    {"alltoall", FromReceived, AnyRanks, B, "mpich_pairwise_sendrecv_replace"},
    // The file says fewer than 8 ranks; the library's search takes 8 of them for fewer.
    {"alltoall", Always, 9, B, "32769:mpich_scattered mpich_pairwise"},
    {"alltoall", Always, AnyRanks, B, "257:mpich_brucks 32769:mpich_scattered mpich_pairwise"},
    {"alltoallv", FromReceived, AnyRanks, B, "mpich_pairwise_sendrecv_replace"},
    {"alltoallv", Always, AnyRanks, B, "mpich_scattered"},
    {"alltoallw", FromReceived, AnyRanks, B, "mpich_pairwise_sendrecv_replace"},
    {"alltoallw", Always, AnyRanks, B, "mpich_scattered"},
    {"reduce", Shared | Commutes, AnyRanks, W, "2049:mpich_smp mpich_composition_alpha"},
    {"reduce", Builtin | Enough, AnyRanks, W, "2049:mpich_binomial mpich_reduce_scatter_gather"},
    {"reduce", Always, AnyRanks, W, "mpich_binomial"},
    {"allreduce", Shared | Commutes, AnyRanks, W, "mpich_smp"},
    {"allreduce", Builtin | Enough, AnyRanks, W,
     "9:mpich_recursive_doubling mpich_reduce_scatter_allgather"},
    {"allreduce", Always, AnyRanks, W, "mpich_recursive_doubling"},
    {"reduce_scatter", Commutes, AnyRanks, W, "524288:mpich_recursive_halving mpich_pairwise"},
    {"reduce_scatter", Ordered | Regular | PowerOfTwo, AnyRanks, W, "mpich_noncommutative"},
    {"reduce_scatter", Ordered, AnyRanks, W, "mpich_recursive_doubling"},
    {"reduce_scatter_block", Commutes, AnyRanks, W,
     "524288:mpich_recursive_halving mpich_pairwise"},
    {"reduce_scatter_block", Ordered | PowerOfTwo, AnyRanks, W, "mpich_noncommutative"},
    {"reduce_scatter_block", Ordered, AnyRanks, W, "mpich_recursive_doubling"},
    {"scan", Consecutive, AnyRanks, W, "mpich_smp"},
    {"scan", Always, AnyRanks, W, "mpich_recursive_doubling"},
    {"exscan", Always, AnyRanks, W, "mpich_recursive_doubling"},
};

} // namespace

const Selector mpich{"mpich", "MPICH 4.0's tuning tables", rules, &openMpi};

} // namespace gnomon::coll
