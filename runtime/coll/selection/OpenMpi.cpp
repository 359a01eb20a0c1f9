// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Open MPI 4.1's choice: what component `tuned` decides without a rule file (its fixed decision,
/// the same in 4.1.0 to 4.1.8), and what component `basic` does where `tuned` leaves it the
/// collective (gatherv, scatterv, alltoallw, scan, exscan). The fixed decision never cuts messages
/// into segments, and its chains are single. Facts from v4.1.4,
/// ompi/mca/coll/tuned/coll_tuned_decision_fixed.c.
#include "coll/selection/Rules.h"

namespace gnomon::coll {

namespace {

constexpr Measure W = Measure::Whole, B = Measure::Block;

constexpr Rule rules[] = {
    {"alltoall", FromReceived, AnyRanks, B, "ompi_inplace"},
    {"alltoallv", FromReceived, AnyRanks, B, "ompi_inplace"},
    {"alltoallw", FromReceived, AnyRanks, B, "ompi_inplace"},
    {"alltoallw", Always, AnyRanks, B, "ompi_linear"},
    {"gatherv", Always, AnyRanks, B, "ompi_linear"},
    {"scatterv", Always, AnyRanks, B, "ompi_linear"},
    {"scan", Always, AnyRanks, W, "ompi_linear"},
    {"exscan", Always, AnyRanks, W, "ompi_linear"},
    {"allgather", Always, 3, B, "ompi_two_proc"},
    {"allgather", Always, 32, B, "ompi_recursive_doubling"},
    {"allgather", Always, 64, B, "1024:ompi_recursive_doubling 65536:ompi_neighbor ompi_ring"},
    {"allgather", Always, 128, B, "512:ompi_recursive_doubling 65536:ompi_neighbor ompi_ring"},
    {"allgather", Always, 256, B,
     "512:ompi_recursive_doubling 131072:ompi_neighbor 524288:ompi_ring 1048576:ompi_neighbor "
     "ompi_ring"},
    {"allgather", Always, 512, B,
     "32:ompi_recursive_doubling 128:ompi_bruck 1024:ompi_recursive_doubling 131072:ompi_neighbor "
     "524288:ompi_ring 1048576:ompi_neighbor ompi_ring"},
    {"allgather", Always, 1024, B,
     "64:ompi_recursive_doubling 256:ompi_bruck 2048:ompi_recursive_doubling ompi_neighbor"},
    {"allgather", Always, 2048, B,
     "4:ompi_recursive_doubling 8:ompi_bruck 16:ompi_recursive_doubling 32:ompi_bruck "
     "256:ompi_recursive_doubling 512:ompi_bruck 4096:ompi_recursive_doubling ompi_neighbor"},
    {"allgather", Always, 4096, B,
     "32:ompi_bruck 128:ompi_recursive_doubling 512:ompi_bruck 4096:ompi_recursive_doubling "
     "ompi_neighbor"},
    {"allgather", Always, AnyRanks, B,
     "2:ompi_recursive_doubling 8:ompi_bruck 16:ompi_recursive_doubling 512:ompi_bruck "
     "4096:ompi_recursive_doubling ompi_neighbor"},
    {"allgatherv", Always, 3, B, "2048:ompi_ring 4096:ompi_two_proc 8192:ompi_ring ompi_two_proc"},
    {"allgatherv", Always, 8, B,
     "256:ompi_default 4096:ompi_neighbor 8192:ompi_ring 16384:ompi_neighbor 262144:ompi_bruck "
     "ompi_neighbor"},
    {"allgatherv", Always, 16, B, "1024:ompi_default ompi_bruck"},
    {"allgatherv", Always, 32, B, "128:ompi_default 262144:ompi_bruck ompi_ring"},
    {"allgatherv", Always, 64, B, "256:ompi_default 8192:ompi_bruck ompi_ring"},
    {"allgatherv", Always, 128, B, "256:ompi_default 4096:ompi_bruck ompi_ring"},
    {"allgatherv", Always, 256, B, "1024:ompi_bruck 65536:ompi_neighbor ompi_ring"},
    {"allgatherv", Always, 512, B, "1024:ompi_bruck ompi_ring"},
    {"allgatherv", Always, 1024, B,
     "512:ompi_bruck 1024:ompi_default 4096:ompi_bruck 1048576:ompi_neighbor ompi_ring"},
    {"allgatherv", Always, AnyRanks, B, "4096:ompi_bruck ompi_neighbor"},
    {"allreduce", Ordered, 4, W, "131072:ompi_recursive_doubling ompi_basic_linear"},
    {"allreduce", Ordered, 8, W, "ompi_recursive_doubling"},
    {"allreduce", Ordered, 16, W, "1048576:ompi_recursive_doubling ompi_nonoverlapping"},
    {"allreduce", Ordered, 128, W, "ompi_recursive_doubling"},
    {"allreduce", Ordered, 256, W,
     "131072:ompi_nonoverlapping 524288:ompi_recursive_doubling ompi_nonoverlapping"},
    {"allreduce", Ordered, 512, W,
     "4096:ompi_nonoverlapping 524288:ompi_recursive_doubling ompi_nonoverlapping"},
    {"allreduce", Ordered, AnyRanks, W, "2048:ompi_nonoverlapping ompi_recursive_doubling"},
    {"allreduce", Commutes, 4, W,
     "8:ompi_ring 4096:ompi_recursive_doubling 8192:ompi_ring 16384:ompi_recursive_doubling "
     "65536:ompi_ring 262144:ompi_segmented_ring ompi_rabenseifner"},
    {"allreduce", Commutes, 8, W, "16:ompi_ring 8192:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 16, W, "8192:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 32, W,
     "64:ompi_segmented_ring 4096:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 64, W, "128:ompi_segmented_ring ompi_rabenseifner"},
    {"allreduce", Commutes, 128, W, "262144:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 256, W,
     "131072:ompi_nonoverlapping 262144:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 512, W, "4096:ompi_nonoverlapping ompi_rabenseifner"},
    {"allreduce", Commutes, 2048, W,
     "2048:ompi_nonoverlapping 16384:ompi_recursive_doubling ompi_rabenseifner"},
    {"allreduce", Commutes, 4096, W,
     "2048:ompi_nonoverlapping 4096:ompi_segmented_ring 16384:ompi_recursive_doubling "
     "ompi_rabenseifner"},
    {"allreduce", Commutes, AnyRanks, W,
     "2048:ompi_nonoverlapping 16384:ompi_segmented_ring 32768:ompi_recursive_doubling "
     "ompi_rabenseifner"},
    {"alltoall", Always, 3, B,
     "2:ompi_pairwise 4:ompi_two_proc 16:ompi_pairwise 64:ompi_two_proc 256:ompi_pairwise "
     "4096:ompi_two_proc 32768:ompi_pairwise 262144:ompi_linear_sync 1048576:ompi_two_proc "
     "ompi_pairwise"},
    {"alltoall", Always, 8, B,
     "8192:ompi_linear_sync 16384:ompi_linear 65536:ompi_linear_sync 524288:ompi_linear "
     "1048576:ompi_pairwise ompi_linear"},
    {"alltoall", Always, 16, B, "262144:ompi_linear_sync ompi_linear"},
    {"alltoall", Always, 32, B,
     "4:ompi_linear_sync 512:ompi_modified_bruck 8192:ompi_linear_sync 32768:ompi_linear "
     "262144:ompi_linear_sync 524288:ompi_linear ompi_linear_sync"},
    {"alltoall", Always, 64, B, "512:ompi_modified_bruck 524288:ompi_linear ompi_linear_sync"},
    {"alltoall", Always, 128, B,
     "1024:ompi_modified_bruck 2048:ompi_linear 4096:ompi_linear_sync 262144:ompi_linear "
     "ompi_pairwise"},
    {"alltoall", Always, 256, B,
     "1024:ompi_modified_bruck 2048:ompi_linear_sync 262144:ompi_linear ompi_pairwise"},
    {"alltoall", Always, 512, B,
     "1024:ompi_modified_bruck 8192:ompi_linear_sync 32768:ompi_linear ompi_pairwise"},
    {"alltoall", Always, 1024, B,
     "512:ompi_modified_bruck 8192:ompi_linear_sync 16384:ompi_linear 131072:ompi_linear_sync "
     "262144:ompi_linear ompi_pairwise"},
    {"alltoall", Always, 2048, B,
     "512:ompi_modified_bruck 1024:ompi_linear_sync 2048:ompi_linear 16384:ompi_linear_sync "
     "262144:ompi_linear ompi_linear_sync"},
    {"alltoall", Always, 4096, B,
     "1024:ompi_modified_bruck 4096:ompi_linear_sync 8192:ompi_linear 131072:ompi_linear_sync "
     "ompi_linear"},
    {"alltoall", Always, AnyRanks, B,
     "2048:ompi_modified_bruck 8192:ompi_linear_sync 16384:ompi_linear 32768:ompi_linear_sync "
     "65536:ompi_linear ompi_linear_sync"},
    {"alltoallv", Always, 4, W, "ompi_pairwise"},
    {"alltoallv", Always, 64, W, "ompi_basic_linear"},
    {"alltoallv", Always, 128, W, "ompi_pairwise"},
    {"alltoallv", Always, 256, W, "ompi_basic_linear"},
    {"alltoallv", Always, 1024, W, "ompi_pairwise"},
    {"alltoallv", Always, AnyRanks, W, "ompi_basic_linear"},
    {"barrier", Always, 4, W, "ompi_recursive_doubling"},
    {"barrier", Always, 8, W, "ompi_linear"},
    {"barrier", Always, 64, W, "ompi_recursive_doubling"},
    {"barrier", Always, 256, W, "ompi_bruck"},
    {"barrier", Always, 512, W, "ompi_tree"},
    {"barrier", Always, 1024, W, "ompi_bruck"},
    {"barrier", Always, 4096, W, "ompi_tree"},
    {"barrier", Always, AnyRanks, W, "ompi_bruck"},
    {"bcast", Always, 4, W,
     "32:ompi_pipeline 256:ompi_binary_tree 512:ompi_pipeline 1024:ompi_knomial "
     "32768:ompi_basic_linear 131072:ompi_binary_tree 262144:ompi_chain 524288:ompi_basic_linear "
     "1048576:ompi_binomial ompi_binary_tree"},
    {"bcast", Always, 8, W,
     "64:ompi_binary_tree 128:ompi_binomial 2048:ompi_binary_tree 8192:ompi_binomial "
     "1048576:ompi_basic_linear ompi_chain"},
    {"bcast", Always, 16, W,
     "8:ompi_knomial 64:ompi_binary_tree 4096:ompi_knomial 16384:ompi_binary_tree "
     "32768:ompi_binomial ompi_basic_linear"},
    {"bcast", Always, 32, W, "4096:ompi_knomial 1048576:ompi_binomial ompi_scatter_allgather"},
    {"bcast", Always, 64, W, "2048:ompi_binomial ompi_knomial"},
    {"bcast", Always, 128, W, "ompi_knomial"},
    {"bcast", Always, 256, W,
     "2:ompi_binomial 16384:ompi_binary_tree 32768:ompi_basic_linear 65536:ompi_binary_tree "
     "ompi_knomial"},
    {"bcast", Always, 1024, W, "16384:ompi_knomial 32768:ompi_split_binary_tree ompi_knomial"},
    {"bcast", Always, 2048, W, "524288:ompi_knomial ompi_scatter_allgather"},
    {"bcast", Always, 4096, W, "262144:ompi_knomial ompi_scatter_allgather"},
    {"bcast", Always, AnyRanks, W,
     "8192:ompi_knomial 16384:ompi_binary_tree 262144:ompi_knomial ompi_scatter_allgather"},
    {"gather", Always, 4, B,
     "2:ompi_linear_sync 4:ompi_basic_linear 32768:ompi_binomial 65536:ompi_basic_linear "
     "131072:ompi_binomial ompi_linear_sync"},
    {"gather", Always, 8, B,
     "1024:ompi_binomial 8192:ompi_basic_linear 32768:ompi_binomial 262144:ompi_basic_linear "
     "ompi_linear_sync"},
    {"gather", Always, 256, B, "ompi_binomial"},
    {"gather", Always, 512, B, "2048:ompi_binomial 8192:ompi_basic_linear ompi_binomial"},
    {"gather", Always, AnyRanks, B, "ompi_binomial"},
    {"reduce", Ordered, 4, W, "8:ompi_in_order_binary ompi_linear"},
    {"reduce", Ordered, 8, W, "ompi_linear"},
    {"reduce", Ordered, 16, W,
     "1024:ompi_in_order_binary 8192:ompi_linear 16384:ompi_in_order_binary 262144:ompi_linear "
     "ompi_in_order_binary"},
    {"reduce", Ordered, 128, W, "ompi_in_order_binary"},
    {"reduce", Ordered, 256, W, "512:ompi_in_order_binary 1024:ompi_linear ompi_in_order_binary"},
    {"reduce", Ordered, AnyRanks, W, "ompi_in_order_binary"},
    {"reduce", Commutes, 4, W,
     "8:ompi_rabenseifner 16:ompi_binary 32:ompi_pipeline 262144:ompi_linear 524288:ompi_pipeline "
     "1048576:ompi_chain ompi_pipeline"},
    {"reduce", Commutes, 8, W,
     "4096:ompi_binary 65536:ompi_chain 262144:ompi_binomial 524288:ompi_linear "
     "1048576:ompi_binomial ompi_linear"},
    {"reduce", Commutes, 16, W, "8192:ompi_binary ompi_binomial"},
    {"reduce", Commutes, 32, W, "4096:ompi_binary ompi_binomial"},
    {"reduce", Commutes, 256, W, "ompi_binomial"},
    {"reduce", Commutes, 512, W, "8192:ompi_binomial 16384:ompi_in_order_binary ompi_binomial"},
    {"reduce", Commutes, 2048, W, "ompi_binomial"},
    {"reduce", Commutes, 4096, W,
     "512:ompi_binomial 1024:ompi_in_order_binary 8192:ompi_binomial 16384:ompi_in_order_binary "
     "ompi_binomial"},
    {"reduce", Commutes, AnyRanks, W,
     "16:ompi_binomial 32:ompi_in_order_binary 1024:ompi_binomial 2048:ompi_in_order_binary "
     "8192:ompi_binomial 16384:ompi_in_order_binary ompi_binomial"},
    {"reduce_scatter", Ordered, AnyRanks, W, "ompi_non_overlapping"},
    {"reduce_scatter", Commutes, 4, W, "65536:ompi_ring 131072:ompi_butterfly ompi_ring"},
    {"reduce_scatter", Commutes, 8, W,
     "8:ompi_non_overlapping 262144:ompi_recursive_halving ompi_ring"},
    {"reduce_scatter", Commutes, 32, W, "262144:ompi_recursive_halving ompi_ring"},
    {"reduce_scatter", Commutes, 64, W,
     "64:ompi_non_overlapping 2048:ompi_recursive_halving 524288:ompi_butterfly ompi_ring"},
    {"reduce_scatter", Commutes, 128, W,
     "256:ompi_non_overlapping 512:ompi_recursive_halving 2048:ompi_butterfly "
     "4096:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, 256, W,
     "256:ompi_non_overlapping 512:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, 512, W,
     "256:ompi_non_overlapping 1024:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, 1024, W,
     "512:ompi_non_overlapping 2048:ompi_recursive_halving 8192:ompi_butterfly "
     "16384:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, 2048, W,
     "512:ompi_non_overlapping 4096:ompi_recursive_halving 16384:ompi_butterfly "
     "32768:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, 4096, W,
     "512:ompi_non_overlapping 4096:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter", Commutes, AnyRanks, W,
     "1024:ompi_non_overlapping 8192:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter_block", Ordered, AnyRanks, B, "ompi_basic_linear"},
    {"reduce_scatter_block", Commutes, 4, B,
     "4:ompi_recursive_doubling 8:ompi_butterfly 16:ompi_recursive_halving 128:ompi_butterfly "
     "256:ompi_recursive_halving 4096:ompi_butterfly 8192:ompi_recursive_halving "
     "131072:ompi_butterfly ompi_basic_linear"},
    {"reduce_scatter_block", Commutes, 8, B,
     "8:ompi_recursive_halving 32:ompi_recursive_doubling 256:ompi_butterfly "
     "8192:ompi_recursive_halving 16384:ompi_butterfly 1048576:ompi_recursive_halving "
     "ompi_basic_linear"},
    {"reduce_scatter_block", Commutes, 16, B,
     "4:ompi_basic_linear 32:ompi_recursive_halving 128:ompi_butterfly "
     "524288:ompi_recursive_halving 4194304:ompi_basic_linear ompi_butterfly"},
    {"reduce_scatter_block", Commutes, 32, B,
     "32:ompi_basic_linear 524288:ompi_recursive_halving 2097152:ompi_basic_linear "
     "4194304:ompi_recursive_halving ompi_butterfly"},
    {"reduce_scatter_block", Commutes, AnyRanks, B,
     "4:ompi_recursive_halving 16:ompi_basic_linear 65536:ompi_butterfly 262144:ompi_basic_linear "
     "ompi_butterfly"},
    {"scatter", Always, 4, B,
     "2:ompi_linear_nb 131072:ompi_basic_linear 262144:ompi_linear_nb ompi_basic_linear"},
    {"scatter", Always, 8, B,
     "2048:ompi_binomial 4096:ompi_basic_linear 8192:ompi_binomial 32768:ompi_basic_linear "
     "1048576:ompi_linear_nb ompi_basic_linear"},
    {"scatter", Always, 16, B, "16384:ompi_binomial 1048576:ompi_linear_nb ompi_basic_linear"},
    {"scatter", Always, 32, B, "16384:ompi_binomial 32768:ompi_basic_linear ompi_linear_nb"},
    {"scatter", Always, 64, B,
     "512:ompi_binomial 8192:ompi_linear_nb 16384:ompi_binomial ompi_linear_nb"},
    {"scatter", Always, AnyRanks, B, "512:ompi_binomial ompi_linear_nb"},
};

} // namespace

const Selector openMpi{"ompi", "Open MPI 4.1's fixed decision", rules, nullptr, 0, 1};

} // namespace gnomon::coll
