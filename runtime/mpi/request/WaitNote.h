// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank waits for in point-to-point calls, collectives and on ports (Waiting.h).
#pragma once

#include "mpi/comm/Comm.h"
#include "mpi/request/PointToPoint.h"
#include "mpi/request/Waiting.h"
#include "process/ranks/Rank.h"

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
  /// Whom a single operation waits for, so that reports can follow a cycle of ranks.
  void listAwaited(std::vector<uint32_t> &awaited) const;
};

/// "rank 3" or "any rank"; "tag 7" or "any tag".
std::string peerText(int peer);
std::string tagText(int tag);

} // namespace gnomon::mpi
