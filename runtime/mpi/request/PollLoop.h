// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds out whether a rank does nothing but poll, and lets it skip polls that are in vain.
///
/// Polls in a row are those that fail with nothing in between but the program's own code. The code
/// is *idle* once it comes to one of its polls a second time in the same state (CodeState.h), with
/// at most IdleSeconds computed for each poll since: as the polls have told it nothing, it will go
/// round like this until one of them tells something else, whatever the simulator does meanwhile.
/// From then on it sleeps until one of the things that it asked for is there, and goes on at the
/// next date at which it would have polled: a multiple of what a poll costs later.
///
/// A state does not show what lies in other memory: a loop that counts its polls in a global
/// variable only, or waits for what no event tells (a shared window, a file, a signal, a clock), is
/// taken for idle. So the n-th sleep is n polls long at the most, which bounds what such a wait is
/// late: after a time T by sqrt(2 T c), c being what a poll costs.
#pragma once

#include "mpi/request/CodeState.h"
#include "mpi/request/Request.h"
#include "p2p/Message.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::mpi {

class RankState;

/// What a poll asks for.
struct Polled {
  std::span<Request *const> requests = {}; ///< null and inactive ones are left out
  const p2p::Envelope *message = nullptr;
  const Comm *comm = nullptr; ///< of the message
  bool isKnown = true;        ///< false: something else, of which no event tells
};

/// Sleeps until one of these is there, but not before the date of a poll, and \p most polls at the
/// most. Returns how many polls that were.
uint64_t sleepOverPolls(RankState &state, double costSeconds, double most,
                        std::span<p2p::Completion *const> ends,
                        std::span<const p2p::Envelope> messages);

class PollLoop {
public:
  /// A poll begins on the rank.
  void begin(const RankState &state);
  bool isIdle() const { return idle_; }
  /// Sleeps, of an idle loop: for a multiple of \p costSeconds, which is returned.
  uint64_t sleep(RankState &state, double costSeconds);
  void failed(const RankState &state, const Polled &what);
  void succeeded() { reset(); }

private:
  void reset();
  bool isOver(RankState &state) const;
  void note(const Polled &what);
  void seek(const RankState &state, const Polled &what);
  void beginTurn(const RankState &state, const CodeState &code, const Polled &what);

  const void *fiber_ = nullptr; ///< that polls; only ever compared
  uint32_t entries_ = 0;        ///< of the rank into the runtime, the last poll's included
  uint64_t failures_ = 0;       ///< in a row
  uint64_t attemptAt_ = FirstAttempt;

  // A turn of the loop, from one poll until its code is in the same state again.
  bool seeking_ = false;
  const void *site_ = nullptr;
  CodeState state_;
  uint64_t failuresAtFirst_ = 0; ///< when seeking began
  uint64_t failuresBefore_ = 0, comparisons_ = 0;
  double computedBefore_ = 0;
  std::vector<Request *> requests_; ///< asked for in the turn
  std::vector<p2p::Envelope> messages_;

  bool idle_ = false;
  uint64_t sleeps_ = 0;
  std::vector<p2p::Completion *> ends_; ///< of a sleep; kept for its memory

  static constexpr uint64_t FirstAttempt = 8, LastAttempt = 1024;
};

} // namespace gnomon::mpi
