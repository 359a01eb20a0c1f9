// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the implementations of MPI's neighbourhood collectives are made of beside Collectives.h: the
/// neighbours of the communicator's topology, and where the block of each is.
#pragma once

#include "coll/calls/Collectives.h"

#include <type_traits>
#include <vector>

namespace gnomon::coll {

/// MPI_SUCCESS, or MPI_ERR_TOPOLOGY of a communicator without neighbours.
int checkTopology(Comm &comm);
/// With all neighbours, and a block still to be filled in for each.
template <> NeighborArgs argumentsOn<NeighborArgs>(Comm &comm);

// The blocks of a call: ConstBlocks of what goes out, Blocks of what comes in.

/// One for all.
template <class Block, class Data>
void same(std::vector<Block> &blocks, Data *data, int64_t count, const Datatype &type) {
  for (Block &block : blocks)
    block = {data, count, &type};
}
/// One after the other.
template <class Block, class Data>
void evenly(std::vector<Block> &blocks, Data *data, int64_t count, const Datatype &type) {
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = {at(data, static_cast<int64_t>(i) * count, type), count, &type};
}
/// At displacements in elements.
template <class Block, class Data>
void placed(std::vector<Block> &blocks, Data *data, Counts counts, Counts displacements,
            const Datatype &type) {
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = {at(data, displacements[i], type), counts[i], &type};
}
/// At displacements in bytes, a type for each.
template <class Block, class Data>
void typed(std::vector<Block> &blocks, Data *data, Counts counts, const MPI_Aint *displacements,
           const MPI_Datatype *types, Comm &comm) {
  using Byte = std::conditional_t<std::is_const_v<Data>, const char, char>;
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = {static_cast<Byte *>(data) + displacements[i], counts[i],
                 mpi::find<Datatype>(comm.owner(), types[i])};
}

/// The types of the latter: of what goes to all destinations, and comes from all sources.
Kept keptNeighborTypes(Comm &comm, const MPI_Datatype *sendTypes, const MPI_Datatype *recvTypes);

} // namespace gnomon::coll
