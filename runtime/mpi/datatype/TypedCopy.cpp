// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies between buffers of which at least one is not contiguous.
#include "mpi/datatype/TypedCopy.h"

#include <algorithm>

namespace gnomon::mpi {

void copyBuffers(const p2p::Buffer &from, const p2p::Buffer &to) {
  auto *fromType = static_cast<const Datatype *>(from.type);
  auto *toType = static_cast<const Datatype *>(to.type);
  auto bytes = static_cast<int64_t>(std::min(from.bytes, to.bytes));
  if (!fromType)
    unpackBytes(from.address, bytes, to.address, to.count, *toType);
  else if (!toType)
    packBytes(from.address, from.count, *fromType, to.address, bytes);
  else
    copyTyped(from.address, from.count, *fromType, to.address, to.count, *toType);
}

} // namespace gnomon::mpi
