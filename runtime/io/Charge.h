// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The time that moving bytes takes. Local files: the disk of the rank's host moves them. Files of
/// servers: stripe k (of striping_unit bytes) is on server k mod n; of each server's part the disk
/// and the network (from or to the rank's host) move all bytes at once, as a file system does that
/// passes on what it has. The access ends when the last of these has ended:
///     time = max over servers of max(disk, network)
/// A shared pointer is kept by the host of the file's rank 0; using it costs a message of 8 bytes
/// there and one back, before the bytes move. So does the lock that an access in atomic mode takes,
/// of the bytes from its first to its last; then it waits for those whose locks are in its way.
#pragma once

#include "io/File.h"
#include "models/DiskModel.h"
#include "mpi/request/Request.h"

#include <cstdint>
#include <vector>

namespace gnomon::io {

/// What a disk is asked for.
struct Load {
  uint64_t bytes = 0;
  uint64_t requests = 0; ///< runs; those that touch are one
};

/// How much each disk moves.
class Footprint {
public:
  explicit Footprint(const File &file);
  /// \p disks (at least one); \p stripeBytes 0: one disk holds the whole file.
  Footprint(size_t disks, uint64_t stripeBytes) : stripe_(stripeBytes), loads_(disks) {}
  /// A run of the file.
  void add(int64_t offset, int64_t bytes);
  const std::vector<Load> &loads(); ///< by server; local: one
  /// From the first byte to the end of the last; equal: there is none.
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }

private:
  void flush();

  uint64_t stripe_;
  std::vector<Load> loads_;
  int64_t runBegin_ = 0, runEnd_ = 0; ///< not yet in loads_
  int64_t begin_ = 0, end_ = 0;
};

/// Moves \p loads between \p host and the disks of the file of the absolute \p path; \p done runs
/// at the end (at once when there is nothing to move).
void moveLoads(platform::HostIndex host, const std::string &path,
               models::DiskModel::Direction direction, const std::vector<Load> &loads,
               kernel::Action done);

/// Starts what \p footprint costs; completes \p request, a task, at its end.
void charge(File &file, mpi::Request &request, models::DiskModel::Direction direction,
            const Footprint &footprint, bool sharedPointer);

} // namespace gnomon::io
