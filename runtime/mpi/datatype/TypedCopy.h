// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// User buffers of datatypes as room p2p sees them: bytes where the data is one block, otherwise
/// something that copyBuffers can turn into bytes.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "p2p/Message.h"

namespace gnomon::mpi {

inline p2p::Buffer bufferOf(const void *address, int64_t count, const Datatype &type) {
  return {const_cast<void *>(address), static_cast<uint64_t>(count * type.size()), count,
          type.contiguous(count) ? nullptr : &type};
}

/// p2p::TypedCopy for datatypes.
void copyBuffers(const p2p::Buffer &from, const p2p::Buffer &to);

} // namespace gnomon::mpi
