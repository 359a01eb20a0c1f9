// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which messages and collectives of a trace are whole when only a part of it is kept.
///
/// The k-th message that one process sends to another in a communicator with a tag is the k-th that
/// this one receives of it so (MPI does not let messages overtake): it is whole if the k-th call of
/// both is kept. The k-th collective of a communicator is whole if that of each member is. The k-th
/// file that members of a communicator open is the same for all of them, and its collectives are
/// counted like those of a communicator.
#pragma once

#include "slices/Effect.h"
#include "trace-formats/Groups.h"
#include "trace-formats/RecordView.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace gnomon::slices {

/// What is kept.
struct Cut {
  /// Numbers of records: of the first that is kept, and of the first behind those.
  struct Records {
    uint64_t first = 0, end = UINT64_MAX;
  };
  std::vector<uint32_t> ranks; ///< in order, none twice; these become 0, 1, …
  Records all;                 ///< of each rank
  std::vector<Records> each;   ///< of these ranks in their order; empty: `all` for each
  bool dropUnmatched = false;

  /// Of the rank that becomes \p now.
  Records of(uint32_t now) const { return each.empty() ? all : each[now]; }
};

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
  bool nextCollective(int64_t comm, uint32_t rank) { return nextIn(comm, rank, 0, 0); }
  /// The same of a collective on a file: of one in two parts either is whole if both are.
  bool nextOnFile(int64_t file, uint32_t rank, std::string_view function) {
    return nextIn(file, rank, isEnd(function) ? 1 : 0, isBegin(function) ? 1 : 0);
  }
  /// The file that members of \p comm opened as the how-many-eth of theirs, from 0 on. The number
  /// is none of a communicator.
  int64_t fileOf(int64_t comm, uint64_t opening);

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
  void countOnFile(const trace::RecordView &view, uint32_t rank, uint64_t number, bool in);
  bool next(const Channel &channel, size_t side, bool asks);
  /// Whether the next collective, so many before it and so many behind it are whole.
  bool nextIn(int64_t stream, uint32_t rank, uint64_t before, uint64_t behind);
  /// Of the collectives of a communicator or a file.
  Range rangeOf(int64_t stream) const;
  int64_t commOfStream(int64_t stream) const;

  const trace::Source &source_;
  const std::string &path_;
  const Cut &cut_;
  const trace::Groups groups_;
  std::map<Channel, std::array<Count, 2>> messages_;          ///< sends, receives
  std::map<std::pair<int64_t, uint32_t>, Count> collectives_; ///< by stream and rank
  std::map<int64_t, Range> ranges_;                           ///< collectives that are whole
  struct Started {
    std::optional<Channel> channel;
    bool isSend = false, inCut = false;
  };
  Cut::Records records_;                  ///< of the rank that is read
  std::map<int64_t, Started> persistent_; ///< of it
  struct File {
    int64_t stream = 0;
    bool inCut = false;
  };
  std::map<int64_t, File> open_;                          ///< of the rank that is read, by `fh`
  std::map<int64_t, uint64_t> openings_;                  ///< of it, by communicator
  std::map<std::pair<int64_t, uint64_t>, int64_t> files_; ///< by communicator and opening
  std::vector<int64_t> commOfFile_;
};

} // namespace gnomon::slices
