// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank waits for, said for the reports of deadlocks and of no progress. A note stands on
/// the stack of the waiting call and becomes text only when a report is made.
#pragma once

#include "mpi/comm/Comm.h"
#include "mpi/request/PointToPoint.h"
#include "process/Rank.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gnomon::mpi {

class Request;

struct WaitNote {
  enum class Kind : uint8_t { Send, Receive, Probe, All, Any, Others, Port };
  Kind kind;
  const Comm *comm = nullptr;
  Channel channel = Channel::User;
  int peer = 0, tag = 0;
  int64_t bytes = 0;
  std::span<Request *const> requests = {}; ///< All, Any; null ones are left out
  /// Others: by rank of comm, whether it is where all of them have to be; the name of that place.
  const std::vector<bool> *here = nullptr;
  const char *place = ""; ///< of Port: its name

  std::string text(const process::Rank &rank) const;
};

/// Says while it lives that the calling rank waits. Only for the rank's own fiber: helper fibers
/// work behind a call of the rank's that says what it waits for.
class Waiting {
public:
  Waiting(process::Rank &rank, const WaitNote &note);
  ~Waiting();
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

private:
  process::Rank *rank_ = nullptr;
  std::string (*outerDescribe_)(const process::Rank &, const void *) = nullptr;
  void (*outerList_)(const process::Rank &, const void *, std::vector<uint32_t> &) = nullptr;
  const void *outer_ = nullptr;
};

} // namespace gnomon::mpi
