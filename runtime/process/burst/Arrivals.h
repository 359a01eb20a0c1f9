// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What came first, where MPI leaves that to time: whose message a receive from any source got, and what polls found.
/// It is recorded beside what points decide, and given back, so that a program that takes messages as they come
/// communicates as it was recorded (docs/decisions.md). Room mpi asks; what is kept here are numbers.
///
/// Receives: one value a receive, in the order in which they were posted: source | tag << 32; Unknown where nothing came.
/// Polls: one value for each that found something, made of
///   bits 0 to 2    what it was (Found::Kind)
///   bits 3 to 7    the logarithm of polls in vain since the last call, plus 1; 0: none
///   bits 8 to 19   calls of the rank that communicate since the poll before that found something, at most MostCalls
///   bits 20 to 50  a request, a communicator, or how many requests
/// and behind it the requests of Found::Some, or source | tag << 32 of Found::Message.
#pragma once

#include "process/burst/DecisionLog.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::process::burst {

/// The message that a receive got: by a rank of its communicator.
struct Arrived {
  int32_t source, tag;
};

/// A poll that found something. Requests and communicators go by their handles, which a rank makes in the order of its
/// program.
struct Found {
  enum class Kind : uint8_t { One, All, Any, Some, Message, Other };
  Kind kind = Kind::Other;
  uint32_t number = 0;             ///< of All the first one; of Message the communicator
  std::vector<uint32_t> some = {}; ///< of Some
  Arrived message = {};            ///< of Message
};

class Arrivals {
public:
  /// A rank that came to an end before what it was given did.
  struct Missed {
    uint32_t rank;
    const PointLog &point;
    uint64_t passed, recorded;
  };
  /// Of a run that contradicts what it is given: the rank, the point and a sentence. May return.
  using Contradict = std::function<void(uint32_t, const PointLog &, const std::string &)>;

  /// \p given: null where the run records.
  Arrivals(const DecisionLog *given, Contradict contradict);
  ~Arrivals();
  Arrivals(const Arrivals &) = delete;
  Arrivals &operator=(const Arrivals &) = delete;

  /// Of the running simulation; null: nothing is recorded, and nothing given.
  static Arrivals *running() { return running_; }
  /// Whether a point of a file of decisions is one of these.
  static bool isOf(const PointKey &key) { return key.file == "MPI" && key.line == 0; }
  bool records() const { return !given_; }

  // Receives from any source, or of any tag.
  /// The next one that is given; nothing: it takes whatever comes.
  std::optional<Arrived> nextMessage(uint32_t rank);
  /// A receive was posted, which \p key names until it is told what it got (nothing: it was cancelled).
  void await(uint32_t rank, const void *key);
  void got(uint32_t rank, const void *key, std::optional<Arrived> message);

  // Polls.
  /// Of any rank: whether polls are recorded, or given.
  bool followsPolls() const { return records() || of_[Polls].given; }
  /// The rank begins a call that communicates.
  void called(uint32_t rank);
  /// So many polls of the rank found nothing.
  void inVain(uint32_t rank, uint64_t polls);
  /// Recorded: the rank's poll has found that.
  void found(uint32_t rank, const Found &found);
  /// Given: what the rank's polls find next; null: whatever is there.
  const Found *next(uint32_t rank);
  /// Of that: not to be found yet; when it is there; now, by whom must wait for it if need be: it was there by then, and the
  /// program may turn to something else.
  enum class Due : uint8_t { Later, WhenThere, Now };
  Due due(uint32_t rank) const;
  /// The rank has found that.
  void take(uint32_t rank);
  /// The rank's poll asks for something else than it found next when it was recorded, or too early. Ends the run where that
  /// goes on without an end.
  void holdBack(uint32_t rank);
  /// It asks for the right thing, which is not there.
  void awaits(uint32_t rank) { ranks_[rank].heldBack = 0; }
  bool heldBack(uint32_t rank) const { return rank < ranks_.size() && ranks_[rank].heldBack > 0; }
  /// Nothing happens any more. False: no rank's polls are held back.
  bool contradictHeldBack();
  enum Of : uint8_t { Receives, Polls };
  /// The rank's next receive, or poll, cannot be what is given. May return; then it takes what comes.
  void contradict(Of what, uint32_t rank, const std::string &sentence);
  /// Polls find what is there, whatever was recorded: their rule is another one.
  void leavePolls() { of_[Polls].given = nullptr; }

  /// What was recorded: of points that some rank passed.
  std::vector<PointLog> recorded() const;
  /// What ranks 0 to \p ranks - 1 were given and did not come to.
  std::optional<Missed> missed(uint32_t ranks);
  /// Values that were recorded or given, and points that some rank passed.
  uint64_t passed() const;
  uint64_t points() const;

  static constexpr uint32_t MostCalls = 0xfff;
  /// Polls in a row that are held back: then what was recorded never comes.
  static constexpr uint64_t MostHeldBack = 1'000'000;
  static constexpr int64_t Unknown = -1;

private:
  struct Order {
    PointLog log;
    const PointLog *given = nullptr; ///< null: the file has none, or the user says `execute`
  };
  struct OfRank {
    ValueCursor cursors[2];
    uint32_t calls = 0;
    uint64_t inVain = 0, heldBack = 0;
    bool lost = false; ///< it was contradicted, and went on
    std::optional<Found> next;
    uint32_t nextCalls = 0;
    uint64_t nextInVain = 0;
    /// Receives that were posted and not all told, from the first of these on; the place of that one.
    std::deque<std::optional<int64_t>> posted;
    uint64_t first = 0;
    std::unordered_map<const void *, uint64_t> places;
  };

  OfRank &of(uint32_t rank);
  const Values *valuesFor(Of what, uint32_t rank) const;
  std::optional<int64_t> take(Of what, uint32_t rank);
  void append(Of what, uint32_t rank, int64_t value);
  void readNext(uint32_t rank, OfRank &own);

  static inline Arrivals *running_ = nullptr;
  const DecisionLog *given_;
  Contradict contradict_;
  Order of_[2];
  std::vector<OfRank> ranks_;
};

} // namespace gnomon::process::burst
