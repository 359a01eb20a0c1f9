// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The requests of one rank, as a trace numbers them: each has the lowest slot that was free when
/// it was made.
#pragma once

#include "trace-formats/RecordView.h"

#include <set>

namespace gnomon::trace {

/// Gives slots, from 1 on, and takes them back. Costs O(log open requests) a call.
class Slots {
public:
  int64_t take() {
    if (free_.empty())
      return ++last_;
    const int64_t slot = *free_.begin();
    free_.erase(free_.begin());
    return slot;
  }
  void give(int64_t slot) { free_.insert(slot); }

private:
  std::set<int64_t> free_;
  int64_t last_ = 0;
};

/// What a record does to the rank's requests.
struct RequestUse {
  int64_t made = 0;               ///< slot; 0: none
  bool persistent = false;        ///< made to be started: it ends by MPI_Request_free only
  std::vector<int64_t> completed; ///< slots; of persistent requests too, which stay
  std::vector<int64_t> freed;     ///< by MPI_Request_free
};

/// Whether \p name is one of the functions that complete requests: MPI_Wait…, MPI_Test….
bool completesRequests(std::string_view name);

/// Reads it from the record's name and fields: `request` of a function that waits is completed, of
/// another is made; of MPI_Waitany the one at `index` is; `requests` of all others all are; where
/// there is a `flag`, only if it is not 0.
void requestUse(const RecordView &view, RequestUse &use);

} // namespace gnomon::trace
