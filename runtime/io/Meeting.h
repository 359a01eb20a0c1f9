// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collective calls on files: the ranks' arguments meet in this process's memory, where the last to
/// come concludes for all; the time in which they would have exchanged them is that of an allreduce
/// of eight bytes, which nobody leaves before all have come.
#pragma once

#include "mpi/comm/Comm.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gnomon::io {

template <class Value, class Result> struct Meeting {
  std::vector<Value> values; ///< by rank of the communicator
  int arrived = 0;
  Result result{};

  template <class Get> bool agree(Get get) const {
    return std::all_of(values.begin(), values.end(),
                       [&](const Value &value) { return get(value) == get(values.front()); });
  }
};

/// Brings \p own to the meeting number \p tag of \p comm; the last to come calls
/// \p conclude(meeting).
template <class Value, class Result, class Conclude>
std::shared_ptr<Meeting<Value, Result>> bring(mpi::Comm &comm, int tag, Value own,
                                              Conclude conclude) {
  static std::map<std::pair<uint32_t, int>, std::shared_ptr<Meeting<Value, Result>>> open;
  const std::pair key{comm.id(), tag};
  std::shared_ptr<Meeting<Value, Result>> &entry = open[key];
  if (!entry) {
    entry = std::make_shared<Meeting<Value, Result>>();
    entry->values.resize(static_cast<size_t>(comm.size()));
  }
  const std::shared_ptr<Meeting<Value, Result>> meeting = entry;
  meeting->values[static_cast<size_t>(comm.rank())] = std::move(own);
  if (++meeting->arrived == comm.size()) {
    open.erase(key);
    conclude(*meeting);
  }
  return meeting;
}

/// The time of the meeting, on the present fiber.
void synchronise(mpi::Comm &comm, int tag);

/// Both.
template <class Value, class Result, class Conclude>
std::shared_ptr<Meeting<Value, Result>> meet(mpi::Comm &comm, Value own, Conclude conclude) {
  const int tag = comm.nextCollectiveTag();
  auto meeting = bring<Value, Result>(comm, tag, std::move(own), conclude);
  synchronise(comm, tag);
  return meeting;
}

} // namespace gnomon::io
