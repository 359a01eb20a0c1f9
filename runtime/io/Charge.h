// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The time that moving bytes takes. Local files: the disk of the rank's host moves them. Files of
/// servers: stripe k (of striping_unit bytes) is on server k mod n; of each server's part the disk
/// and the network (from or to the rank's host) move all bytes at once, as a file system does that
/// passes on what it has. The access ends when the last of these has ended:
///     time = max over servers of max(disk, network)
/// A shared pointer is kept by the host of the file's rank 0; using it costs a message of 8 bytes
/// there and one back, before the bytes move.
#pragma once

#include "io/File.h"
#include "models/DiskModel.h"
#include "mpi/Request.h"

#include <cstdint>
#include <vector>

namespace gnomon::io {

/// How many bytes each disk moves.
class Footprint {
public:
  explicit Footprint(const File &file);
  /// A run of the file.
  void add(int64_t offset, int64_t bytes);
  const std::vector<uint64_t> &bytes() const { return bytes_; } ///< by server; local: one

private:
  uint64_t stripe_ = 0; ///< 0: local
  std::vector<uint64_t> bytes_;
};

/// Starts what \p footprint costs; completes \p request, a task, at its end.
void charge(File &file, mpi::Request &request, models::DiskModel::Direction direction,
            const Footprint &footprint, bool sharedPointer);

} // namespace gnomon::io
