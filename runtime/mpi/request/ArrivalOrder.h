// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What comes first where MPI leaves that to time: told to those who record decisions, and taken from those who give
/// them (process/burst/Arrivals.h). A receive from any source then takes the message that it got when it was recorded,
/// and a poll finds what it found then, at the earliest after the same calls. Ranks with several threads, and polls by
/// SMPI's rule, are left alone.
#pragma once

#include "mpi/RankState.h"
#include "mpi/request/Request.h"
#include "process/burst/Arrivals.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gnomon::mpi {

inline bool anyArrivals() { return process::burst::Arrivals::running() != nullptr; }

/// A blocking receive or probe of the program's, which may be from any source or of any tag: what it is to ask for.
class OpenReceive {
public:
  OpenReceive(Comm &comm, int &source, int &tag) {
    if (anyArrivals() && source != MPI_PROC_NULL &&
        (source == p2p::AnySource || tag == p2p::AnyTag))
      begin(comm, source, tag);
  }
  /// It got the message of rank \p source.
  void got(int source, int tag) {
    if (comm_) [[unlikely]]
      tell(source, tag);
  }

private:
  [[gnu::cold]] void begin(Comm &comm, int &source, int &tag);
  [[gnu::cold]] void tell(int source, int tag) const;

  Comm *comm_ = nullptr; ///< null: nobody wants to know
};

/// A receive that is not waited for here, and is about to be posted.
[[gnu::cold]] void orderReceive(Comm &comm, Receiving &receiving);
/// Such a receive was recorded, and is done.
[[gnu::cold]] void tellReceived(Comm &comm, const Receiving &receiving);

/// The rank has polled \p polls times in vain, or begins a poll behind so many.
[[gnu::cold]] void notePollsInVain(RankState &state, uint64_t polls);
/// Whether the last poll asked for what may be there, but is not to be found yet.
[[gnu::cold]] bool isHeldBack(const RankState &state);

/// Of several requests those that a call finds done.
class FoundSome {
public:
  bool has(Request *request) const;

private:
  friend bool findsSome(RankState &, std::span<Request *const>, FoundSome &);
  friend void awaitSome(process::Rank &, std::span<Request *const>, FoundSome &);
  std::optional<std::vector<Request *>> only_; ///< none: all that are done
};

// What one poll finds. Null and inactive requests do not count.
bool findsOne(RankState &state, Request &request);
bool findsAll(RankState &state, std::span<Request *const> requests);
/// Null: none.
Request *findsAny(RankState &state, std::span<Request *const> requests);
bool findsSome(RankState &state, std::span<Request *const> requests, FoundSome &found);
p2p::ProbeResult findsMessage(RankState &state, Comm &comm, const p2p::Envelope &wanted);
/// Something else, of which \p is says whether it is there.
bool findsOther(RankState &state, bool is);

/// Parks until an active request is done, of which there must be one, and returns it.
Request *awaitAny(process::Rank &rank, std::span<Request *const> requests);
void awaitSome(process::Rank &rank, std::span<Request *const> requests, FoundSome &found);

} // namespace gnomon::mpi
