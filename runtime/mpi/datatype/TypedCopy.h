// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// User buffers of datatypes as room p2p sees them: bytes where the data is one block, otherwise
/// something that copyBuffers can turn into bytes.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "p2p/Message.h"
#include "process/fold/FoldedMemory.h"

namespace gnomon::mpi {

/// Of the bytes from the first to behind the last that \p count elements at \p address hold.
inline bool isFolded(const void *address, int64_t count, const Datatype &type) {
  if (!process::fold::any() || count <= 0) [[likely]]
    return false;
  const auto begin =
      reinterpret_cast<uintptr_t>(address) + static_cast<uintptr_t>(type.trueLowerBound());
  const int64_t between = (count - 1) * type.extent();
  return between >= 0 &&
         process::fold::isFolded(reinterpret_cast<const void *>(begin),
                                 static_cast<uint64_t>(between + type.trueExtent()));
}

/// Of what is folded, only the size.
inline p2p::Buffer bufferOf(const void *address, int64_t count, const Datatype &type) {
  if (isFolded(address, count, type)) [[unlikely]]
    return {nullptr, static_cast<uint64_t>(count * type.size()), count, nullptr};
  return {const_cast<void *>(address), static_cast<uint64_t>(count * type.size()), count,
          type.contiguous(count) ? nullptr : &type};
}

/// p2p::TypedCopy for datatypes.
void copyBuffers(const p2p::Buffer &from, const p2p::Buffer &to);

} // namespace gnomon::mpi
