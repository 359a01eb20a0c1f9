// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Pack and its kin, and MPI_Pack_external. Packed data is the elements' bytes in type map
/// order, without a header, so that a packed message matches a typed one of the same signature
/// (MPI 4.1, section 5.2).
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/External32.h"
#include "process/ranks/Rank.h"

#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace gnomon::impl {

using namespace mpi;

static int tooShort(int64_t needed, int64_t room) {
  return fail(*process::currentRank(), MPI_ERR_TRUNCATE,
              fmt::format("{} bytes at a position that leaves {}", needed, room));
}

int Pack(const void *inbuf, MPI_Count incount, Datatype &datatype, void *outbuf, MPI_Count outsize,
         MPI_Count *position, Comm &comm) {
  const int64_t bytes = incount * datatype.size(), room = outsize - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  packBytes(inbuf, incount, datatype, static_cast<char *>(outbuf) + *position, bytes);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
           MPI_Count outcount, Datatype &datatype, Comm &comm) {
  const int64_t bytes = outcount * datatype.size(), room = insize - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  unpackBytes(static_cast<const char *>(inbuf) + *position, bytes, outbuf, outcount, datatype);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Pack_size(MPI_Count incount, Datatype &datatype, Comm &comm, MPI_Count *size) {
  *size = incount * datatype.size();
  return MPI_SUCCESS;
}

// The representation external32.

static int checkRepresentation(const char *datarep) {
  if (std::strcmp(datarep, "external32") == 0)
    return MPI_SUCCESS;
  return fail(*process::currentRank(), MPI_ERR_ARG,
              "invalid datarep: \"" + std::string(datarep) + "\" is not \"external32\"");
}

int Pack_external(const char *datarep, const void *inbuf, MPI_Count incount, Datatype &datatype,
                  void *outbuf, MPI_Aint outsize, MPI_Aint *position) {
  if (int error = checkRepresentation(datarep))
    return error;
  const int64_t bytes = incount * external32Size(datatype), room = outsize - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  const int64_t nativeBytes = incount * datatype.size();
  auto native = std::make_unique_for_overwrite<char[]>(static_cast<size_t>(nativeBytes));
  packBytes(inbuf, incount, datatype, native.get(), nativeBytes);
  toExternal32(native.get(), incount, datatype, static_cast<char *>(outbuf) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position,
                    void *outbuf, MPI_Count outcount, Datatype &datatype) {
  if (int error = checkRepresentation(datarep))
    return error;
  const int64_t bytes = outcount * external32Size(datatype), room = insize - *position;
  if (bytes > room)
    return tooShort(bytes, room);
  const int64_t nativeBytes = outcount * datatype.size();
  auto native = std::make_unique_for_overwrite<char[]>(static_cast<size_t>(nativeBytes));
  fromExternal32(static_cast<const char *>(inbuf) + *position, outcount, datatype, native.get());
  unpackBytes(native.get(), nativeBytes, outbuf, outcount, datatype);
  *position += bytes;
  return MPI_SUCCESS;
}

int Pack_external_size(const char *datarep, MPI_Count incount, Datatype &datatype, MPI_Aint *size) {
  if (int error = checkRepresentation(datarep))
    return error;
  *size = incount * external32Size(datatype);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
