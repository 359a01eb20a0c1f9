// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which messages and collectives of a trace are whole when only a part of it is kept.
///
/// The k-th message that one process sends to another in a communicator with a tag is the k-th that
/// this one receives of it so (MPI does not let messages overtake): it is whole if the k-th call of
/// both is kept. The k-th collective of a communicator is whole if that of each member is.
#pragma once

#include "trace-formats/Groups.h"
#include "trace-formats/RecordView.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace gnomon::traces {

/// What is kept.
struct Cut {
  std::vector<uint32_t> ranks; ///< in order, none twice; these become 0, 1, …
  uint64_t first = 0;          ///< number of the first record of each rank that is kept
  uint64_t end = UINT64_MAX;   ///< of the first behind them
  bool dropUnmatched = false;
};

/// What a call does to others.
enum class Effect : uint8_t {
  None,
  Send,
  Receive,
  Both,
  Probe,
  Collective,
  Start,
  Complete,
  Free,
  Unknown
};
Effect effectOf(const trace::RecordView &view);

/// Sender and receiver in MPI_COMM_WORLD, communicator, tag.
using Channel = std::array<int64_t, 4>;

class Matching {
public:
  /// Reads all of what is kept, and what is before it on the same ranks. Throws InputError, with \p
  /// path, for calls of which it cannot say what they match.
  Matching(const trace::Source &source, const std::string &path, const Cut &cut);

  const trace::Groups &groups() const { return groups_; }
  /// The number that a process has in what is kept; nothing where it is not.
  std::optional<uint32_t> kept(uint32_t rank) const;
  /// The channels on which a record sends and receives; none for MPI_PROC_NULL.
  std::optional<Channel> sends(const trace::RecordView &view, uint32_t rank, uint64_t number) const;
  std::optional<Channel> receives(const trace::RecordView &view, uint32_t rank,
                                  uint64_t number) const;

  /// Whether the next call on the channel that is kept is whole. The writer asks once for each, in
  /// order.
  bool nextSend(const Channel &channel) { return next(channel, 0, true); }
  bool nextReceive(const Channel &channel) { return next(channel, 1, true); }
  bool peekReceive(const Channel &channel) { return next(channel, 1, false); }
  /// The same of a collective of a communicator on \p rank.
  bool nextCollective(int64_t comm, uint32_t rank);

  [[noreturn]] void refuse(const trace::RecordView &view, uint32_t rank, uint64_t number,
                           const std::string &why) const;

private:
  /// Of one side: how many there are before the cut, and in it; how many the writer has asked for.
  struct Count {
    uint64_t before = 0, in = 0, asked = 0;
  };
  struct Range {
    uint64_t first = 0, end = 0;
  };

  void read(uint32_t rank);
  void count(const trace::RecordView &view, uint32_t rank, uint64_t number);
  std::optional<Channel> channel(const trace::RecordView &view, uint32_t rank, uint64_t number,
                                 bool isSend) const;
  bool next(const Channel &channel, size_t side, bool asks);
  Range rangeOf(int64_t comm) const;

  const trace::Source &source_;
  const std::string &path_;
  const Cut &cut_;
  const trace::Groups groups_;
  std::map<Channel, std::array<Count, 2>> messages_;          ///< sends, receives
  std::map<std::pair<int64_t, uint32_t>, Count> collectives_; ///< by communicator and rank
  std::map<int64_t, Range> ranges_;                           ///< collectives that are whole
  struct Started {
    std::optional<Channel> channel;
    bool isSend = false, inCut = false;
  };
  std::map<int64_t, Started> persistent_; ///< of the rank that is read
};

} // namespace gnomon::traces
