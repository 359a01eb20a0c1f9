// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Pack and its kin. Packed data is the elements' bytes in type map order, without a header, so
/// that a packed message matches a typed one of the same signature (MPI 4.1, section 5.2).
#include "impl/Impl.h"
#include "mpi/Datatype.h"
#include "mpi/Error.h"
#include "process/Rank.h"

#include <climits>

namespace gnomon::impl {

using namespace mpi;

static int tooShort(int64_t needed, int64_t room) {
  return fail(*process::currentRank(), MPI_ERR_TRUNCATE,
              std::to_string(needed) + " bytes at a position that leaves " + std::to_string(room));
}

int Pack(const void *inbuf, int incount, Datatype &datatype, void *outbuf, int outsize,
         int *position, Comm &comm) {
  const int64_t bytes = incount * datatype.size(), room = int64_t{outsize} - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  packBytes(inbuf, incount, datatype, static_cast<char *>(outbuf) + *position, bytes);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
           Datatype &datatype, Comm &comm) {
  const int64_t bytes = outcount * datatype.size(), room = int64_t{insize} - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  unpackBytes(static_cast<const char *>(inbuf) + *position, bytes, outbuf, outcount, datatype);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Pack_size(int incount, Datatype &datatype, Comm &comm, int *size) {
  const int64_t bytes = incount * datatype.size();
  *size = bytes > INT_MAX ? MPI_UNDEFINED : static_cast<int>(bytes);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
