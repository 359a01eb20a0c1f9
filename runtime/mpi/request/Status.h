// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Gnomon keeps in the reserved words of an MPI_Status: the message's bytes (64 bits, words 0
/// and 1) and whether the operation was cancelled (word 2). Statuses may be MPI_STATUS_IGNORE
/// (null).
#pragma once

#include "mpi.h"

#include <cstdint>
#include <cstring>

namespace gnomon::mpi {

inline int64_t statusBytes(const MPI_Status &status) {
  int64_t bytes;
  std::memcpy(&bytes, status.MPI_internal, sizeof bytes);
  return bytes;
}
inline void setStatusBytes(MPI_Status &status, int64_t bytes) {
  std::memcpy(status.MPI_internal, &bytes, sizeof bytes);
}
inline bool statusCancelled(const MPI_Status &status) { return status.MPI_internal[2] != 0; }
inline void setStatusCancelled(MPI_Status &status, bool cancelled) {
  status.MPI_internal[2] = cancelled;
}

/// Fills in everything but MPI_ERROR, which only calls on several requests set.
inline void setStatus(MPI_Status *status, int source, int tag, int64_t bytes,
                      bool cancelled = false) {
  if (!status)
    return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  setStatusBytes(*status, bytes);
  setStatusCancelled(*status, cancelled);
}
/// The empty status of MPI 4.1, section 3.7.3.
inline void setEmptyStatus(MPI_Status *status) {
  setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (status)
    status->MPI_ERROR = MPI_SUCCESS;
}

} // namespace gnomon::mpi
