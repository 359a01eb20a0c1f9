// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polls of a rank's records (trace/PollRecords.h). A poll takes what it takes in a run
/// (mpi/request/Polling.h), and polls in a row last until what they find in the end is there: those that
/// the recorded run made further are left out, with what the loop computes between them (but for work,
/// which has to be done). So a replay on the recording's machine polls at the same dates, one on a
/// faster machine polls less often, one on a slower machine more often.
#pragma once

#include "mpi/RankState.h"
#include "mpi/request/Request.h"
#include "p2p/Message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gnomon::replay {

class Polls {
public:
  static constexpr int64_t MostAsked = int64_t{1} << 30;
  struct Message {
    const mpi::Comm *comm;
    p2p::Envelope envelope;
  };

  explicit Polls(mpi::RankState &state) : state_(state) {}

  /// The polls that follow look for these, in the end by polls \p what. The requests must be active,
  /// and stay so until end().
  void begin(int64_t what, std::vector<mpi::Request *> requests, std::optional<Message> message);
  /// A poll for \p asked requests (0: for a message) that found nothing \p polls times; \p what
  /// tells polls for different things apart.
  void inVain(int asked, uint64_t polls, int64_t what);
  /// A poll that found what it asked for, which is that of begin() if that was called.
  void found(int asked, uint64_t polls);
  /// Whether the last record was such a poll: the call that follows it has been paid for.
  bool hasFound() const { return hasFound_; }
  /// Parks until such a message is there, free of charge.
  void waitFor(const Message &message);
  /// Whether what they look for was there when the last one of them was made.
  bool passes() const { return passes_; }
  /// The rank does something else.
  void end();

private:
  double secondsOf(int asked) const;
  uint64_t &failuresOf(int asked) const;
  bool isThere() const;
  void sleepOver(double costSeconds, double most);
  void pollUntilThere(double costSeconds);

  mpi::RankState &state_;
  int64_t what_ = 0; ///< the number of those polls that look for it: others do not see it
  bool open_ = false, passes_ = false, hasFound_ = false;
  std::vector<mpi::Request *> requests_;
  std::optional<Message> message_;
  std::vector<p2p::Completion *> ends_; ///< of a sleep; kept for its memory
};

} // namespace gnomon::replay
