// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What MPI's values are in records (trace/Record.h), for Recorder and RecordLine.
#pragma once

#include "mpi/comm/Group.h"
#include "trace/Record.h"

#include "mpi.h"

#include <cstdint>
#include <vector>

namespace gnomon::api {

/// In a field of Recorder::Form, beside its kind: the field is a list.
inline constexpr uint8_t ListBit = 0x80;

inline int64_t peerOf(int rank) {
  return rank == MPI_ANY_SOURCE  ? trace::AnyPeer
         : rank == MPI_PROC_NULL ? trace::NullPeer
         : rank == MPI_ROOT      ? trace::RootPeer
                                 : rank;
}

inline int64_t tagOf(int tag) { return tag == MPI_ANY_TAG ? trace::AnyTag : tag; }

inline std::vector<uint32_t> processes(const mpi::Members &members) {
  std::vector<uint32_t> list(static_cast<size_t>(members.size()));
  for (int rank = 0; rank < members.size(); ++rank)
    list[static_cast<size_t>(rank)] = members.process(rank);
  return list;
}

} // namespace gnomon::api
