// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One data access, in the forms that MPI has of it: at an explicit offset, or at the individual or
/// the shared pointer; by itself or collective; blocking, nonblocking, or split into begin and end.
///
/// The bytes move at once when the access begins; its time passes afterwards. A collective access
/// first meets (Meeting.h), then each rank moves its own part.
#pragma once

#include "io/File.h"

#include <cstdint>

struct MPI_Status;

namespace gnomon::io {

enum class Place : uint8_t {
  Explicit,
  Individual,
  Shared,
  Ordered ///< the shared pointer, in the order of ranks
};

struct Access {
  const char *name; ///< of the function, for reports
  bool writes;
  Place place;
  bool collective;
  void *buffer;
  int64_t count;
  const mpi::Datatype &type;
  int64_t offset = 0; ///< Place::Explicit: in etypes
};

/// Each returns an MPI error class.
int perform(File &file, const Access &access, MPI_Status *status);
int start(File &file, const Access &access, MPI_Request *request);
/// \p access.name is that of the pair, without _begin.
int begin(File &file, const Access &access);
int end(File &file, const char *name, MPI_Status *status);

} // namespace gnomon::io
