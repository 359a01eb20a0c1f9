// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the trace calls the objects behind a rank's handles: communicators are rows, windows are
/// numbers in the order of their making, operations are names.
///
/// Not locked: the tracer's lock is held.
#pragma once

#include "trace/Record.h"

#include <cstdint>
#include <map>
#include <mpi.h>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::acquisition {

/// Ranks in MPI_COMM_WORLD of a group's processes.
std::vector<uint32_t> processesOf(MPI_Group group);

class Communicators {
public:
  explicit Communicators(trace::Sink &sink) : sink_(sink) {}
  /// trace::NullRow for MPI_COMM_NULL, and for one whose making was not seen.
  int64_t rowOf(MPI_Comm comm);
  /// Just made; all its members come here in the same order.
  int64_t add(MPI_Comm comm);
  /// Being made from \p from by MPI_Comm_idup: \p comm is valid when that is done.
  int64_t addLater(const MPI_Comm *comm, MPI_Comm from);
  void remove(MPI_Comm comm) { rows_.erase(comm); }

private:
  int64_t newRow(MPI_Comm comm);

  trace::Sink &sink_;
  std::map<MPI_Comm, int64_t> rows_;
  std::vector<std::pair<const MPI_Comm *, int64_t>> later_;
};

class Windows {
public:
  int64_t numberOf(MPI_Win win) const;
  int64_t add(MPI_Win win);
  void remove(MPI_Win win) { numbers_.erase(win); }

private:
  std::map<MPI_Win, int64_t> numbers_;
  int64_t made_ = 0;
};

/// Of a predefined operation "MPI_SUM", of others as a simulated recording calls them.
std::string nameOf(MPI_Op op);

// What the generated calls ask of communicators and windows.
int sizeOf(MPI_Comm comm);
/// Of the remote group, if there is one.
int peersOf(MPI_Comm comm);
int sourceCount(MPI_Comm comm);
int destinationCount(MPI_Comm comm);
int gridDimensions(MPI_Comm comm);
bool atRoot(int root, MPI_Comm comm);
/// False where displacements are addresses.
bool hasDisplacements(MPI_Win win);

} // namespace gnomon::acquisition
