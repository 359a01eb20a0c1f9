// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Disks: a read or a write of b bytes is a fluid that shares its disk with all others that are
/// under way there, max-min fairly. With R and W the disk's bandwidths, x_r and x_w the rates of
/// reads and writes:
///     sum x_r <= R,   sum x_w <= W,   sum x_r + sum x_w <= max(R, W)
/// SimGrid's disk model (DiskS19): no cache. To it comes what a request costs, L seconds (0 unless
/// the platform says otherwise) in which the disk does nothing else: an operation of b bytes in q
/// requests is a fluid of
///     b + q L R   or   b + q L W
/// bytes, so that alone it takes q L + b / R or q L + b / W.
///
/// Worked example: R = 200 MB/s, W = 100 MB/s. A read of 100 MB and a write of 100 MB start
/// together: each gets 100 MB/s (the third limit), and both end after 1 s; the read alone would
/// take 0.5 s. With L = 5 ms a read of 100 MB in 100 requests is a fluid of 200 MB: 1 s alone.
///
/// A host's disk for a path is the one whose mount point is the longest that the path begins with.
/// A host without such a disk has one of the default bandwidths. Disks are apart from each other,
/// so a change costs O(operations under way on its disk).
#pragma once

#include "kernel/Engine.h"
#include "models/DefaultDisk.h"
#include "platform/Platform.h"
#include "solver/MaxMin.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace gnomon::models {

using DiskIndex = uint32_t;

class DiskModel {
public:
  enum class Direction : uint8_t { Read, Write };

  DiskModel(kernel::Engine &engine, const platform::Platform &platform, DefaultDisk others = {});

  /// The disk of \p host on which the absolute \p path lies.
  DiskIndex find(platform::HostIndex host, std::string_view path);
  /// Starts to move \p bytes in \p requests at the present date; \p done runs, as an event, when it
  /// is over.
  void start(DiskIndex disk, Direction direction, uint64_t bytes, uint64_t requests,
             kernel::Action done);

private:
  struct Disk {
    solver::ConstraintIndex reads, writes, all;
    double readBytesPerRequest, writeBytesPerRequest; ///< L R and L W
    std::vector<uint32_t> running;                    ///< operations
    bool changed = false;                             ///< in changed_
  };
  struct Operation {
    kernel::Action done;
    double remainingBytes, rate;
    SimTime lastUpdate;
    kernel::EventId event;
    solver::VariableIndex variable;
    DiskIndex disk;
    uint32_t place; ///< among the disk's operations
  };

  DiskIndex add(const DefaultDisk &figures);
  uint32_t newOperation();
  void change(DiskIndex disk);
  void onSettle(uint64_t);
  void onEnd(uint64_t operation);

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  DefaultDisk others_;
  solver::MaxMin solver_;
  std::vector<Disk> disks_;                           ///< first those of the platform, in its order
  std::map<platform::HostIndex, DiskIndex> defaults_; ///< disks of hosts that have none
  std::vector<Operation> operations_;
  std::vector<uint32_t> freeOperations_;
  std::vector<DiskIndex> changed_; ///< since rates were last solved
};

} // namespace gnomon::models
