// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives between the two groups of an intercommunicator. There is one algorithm for each, in
/// the manner of Open MPI's component `inter`: within a group the collectives of this room run on
/// Comm::local(), between the groups go messages of ranks 0, or of everybody where each rank's part
/// has a size of its own. The argument structs mean on an intercommunicator:
///   rank, size  in the local group; blocks that go out or come in are numbered by the remote group
///   root        MPI_ROOT on the root, MPI_PROC_NULL in the rest of its group, whose calls do
///               nothing, the root's rank in the other group
#pragma once

#include "coll/Algorithm.h"

namespace gnomon::coll {

/// Why a call on an intercommunicator is refused: an MPI error class with its detail, or
/// MPI_SUCCESS. MPI_IN_PLACE means nothing there, scans are not defined.
template <class Args> int refuse(const Args &args);

// One operation, from its arguments to its end.
int across(const BarrierArgs &args);
int across(const BcastArgs &args);
int across(const ReduceArgs &args);
int across(const GatherArgs &args);
int across(const GathervArgs &args);
int across(const ScatterArgs &args);
int across(const ScattervArgs &args);
int across(const AllreduceArgs &args);
int across(const ReduceScatterArgs &args);
int across(const AllgatherArgs &args);
int across(const AllgathervArgs &args);
int across(const AlltoallArgs &args);
int across(const AlltoallvArgs &args);
int across(const AlltoallwArgs &args);

/// The same operation within the local group.
Call within(const Call &call);
/// Parts of an operation one after the other: the first error is the result.
inline int firstOf(int earlier, int later) { return earlier ? earlier : later; }

} // namespace gnomon::coll
