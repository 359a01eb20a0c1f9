// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What MPI-IO has for the whole simulation: where files lie, and the disks that they cost time on.
#pragma once

#include "io/FileSystem.h"
#include "io/Representation.h"
#include "io/SizesOnly.h"
#include "models/DiskModel.h"
#include "process/ranks/Rank.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::io {

struct Settings {
  bool scratch = false;         ///< files are an overlay; else the real ones
  std::string scratchDirectory; ///< empty: nothing is left of them
  bool sizesOnly = false;       ///< files have no data: a replay
  /// Hosts whose disks hold every file, in stripes; none: each rank's own host's disk does.
  std::vector<platform::HostIndex> servers;
  uint64_t stripeBytes = uint64_t{1} << 20; ///< hint striping_unit's default
};

struct Runtime {
  process::World &world;
  models::DiskModel &disks;
  Settings settings;
  std::unique_ptr<FileSystem> files;
  SizesOnly *sizesOnly;                        ///< files, if they have no data; else null
  std::deque<Representations> representations; ///< by rank
};

/// Called once by launch before the ranks run.
void setUp(process::World &world, models::DiskModel &disks, Settings settings);
Runtime &runtime();
Representations &representations(const process::Rank &rank);

} // namespace gnomon::io
