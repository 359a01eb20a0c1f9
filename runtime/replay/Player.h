// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One rank of a replay: walks its records, and calls what its program called. Communicators and
/// requests are made by the calls that made them, so that replaying them takes the time that it took;
/// the numbers in the trace find them again.
#pragma once

#include "io/File.h"
#include "kernel/Fiber.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Group.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/WaitNote.h"
#include "p2p/Message.h"
#include "process/ranks/Rank.h"
#include "replay/Call.h"
#include "replay/Polls.h"
#include "replay/Prepared.h"
#include "replay/Replay.h"
#include "trace/FileCursor.h"
#include "trace/Record.h"

#include "mpi.h"

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace gnomon::replay {

/// A rank whose records are prepared plays them in turns (kernel::Turn), without its stack; its fiber
/// plays the others. What a turn touches comes first.
class alignas(64) Player final : private kernel::Turn {
public:
  Player(Replay &replay, process::Rank &rank);
  Player(const Player &) = delete;
  Player &operator=(const Player &) = delete;

  /// All records, to the rank's end. Throws InputError for what cannot be played.
  void run();

  // For handlers. All throw InputError for what the rank does not have.
  process::Rank &rank() { return rank_; }
  Replay &replay() { return replay_; }
  mpi::Comm &comm(int64_t row) { return row == trace::World ? world_ : made(row); }
  mpi::Comm *commOrNull(int64_t row) { return row == trace::NullRow ? nullptr : &comm(row); }
  MPI_Comm *commHandle(int64_t row);
  /// What a call has made becomes \p row, which may be NullRow.
  void keepComm(int64_t row, MPI_Comm handle);
  mpi::Win &win(int64_t number);
  MPI_Win *winHandle(int64_t number);
  void keepWin(int64_t number, MPI_Win handle) { wins_[number] = handle; }
  mpi::File &file(int64_t slot);
  MPI_File *fileHandle(int64_t slot);
  void keepFile(int64_t slot, MPI_File handle);
  /// Keys and values of MPI-IO's hints, by texts; null: none. They live until the next call.
  mpi::Info *hints(std::span<const int64_t> texts);
  MPI_Request *request(int64_t slot);
  mpi::Request &requestObject(int64_t slot);
  /// Several, as an array that lives until the call has returned; takeBack() then brings them home.
  MPI_Request *requests(std::span<const int64_t> slots);
  void takeBack(std::span<const int64_t> slots);
  void keepRequest(int64_t slot, MPI_Request handle);
  /// Those that are active.
  std::vector<mpi::Request *> activeRequests(std::span<const int64_t> slots);
  /// What a probe asks for.
  static Polls::Message pattern(int64_t source, int64_t tag, const mpi::Comm &comm);
  /// What a request that had \p slot before kept is needed no more.
  void reuse(int64_t slot) { ofSlots_.erase(slot); }
  std::vector<MPI_Session> &sessions() { return sessions_; }
  Polls &polls() {
    if (!polls_) [[unlikely]] {
      polls_ = std::make_unique<Polls>(mpi::state(rank_));
      steps_ = nullptr; // the handlers look after them
    }
    return *polls_;
  }
  /// Whether the last record was a poll that found something.
  bool hasPolled() const { return polls_ && polls_->hasFound(); }
  /// Whether what polls in a row look for is there, so that the rest of them are not made.
  bool passesPolls() const { return polls_ && polls_->passes(); }
  mpi::Op &op(int64_t text) { return replay_.op(text); }
  const mpi::Group &group(int64_t row);

  static int peer(int64_t value, const mpi::Comm &comm);
  int root(int64_t value, const mpi::Comm &comm) const;
  static int tag(int64_t value);
  static int receivedTag(int64_t value);

  static void *address(const Piece &piece);
  mpi::Datatype &type(const Piece &piece) { return replay_.type(piece.size); }
  MPI_Datatype *types(const Piece &piece, int64_t length, int64_t slot);
  /// As many as \p piece has; \p length, which the call reads, at least. Kept until \p slot (0: the
  /// call's end) is used again.
  const int64_t *counts(const Piece &piece, int64_t length, int64_t slot);
  const int64_t *zeros(int64_t length, int64_t slot);
  const int *ints(std::span<const int64_t> values, int64_t length);
  /// Of so many edges, all 0; where \p weighted is 0, none.
  const int *weights(int64_t weighted, size_t edges);

private:
  mpi::Comm &made(int64_t row);
  MPI_Comm inherited(int64_t row) const;
  void play(const trace::Record &record);
  /// What stops a turn.
  enum class Halt : uint8_t {
    None,
    Waits, ///< the rank will be woken
    Fiber, ///< the record is one for the fiber
    Error, ///< thrown_ or code_
    End,   ///< all records have been played
  };
  /// What a report says of a rank that waits in a turn.
  struct Awaited {
    Player &player;
    mpi::Request *request = nullptr; ///< of MPI_Wait
    mpi::WaitNote note() const;
    std::string text(const process::Rank &rank) const;
    void listAwaited(std::vector<uint32_t> &awaited) const;
  };
  bool play() override;
  void fetch() const override;
  Halt advance();
  Halt playSteps();
  Halt begin(const Prepared::Step &step);
  Halt beginSend(const Prepared::Step &step);
  Halt post(const Prepared::Step &step);
  Halt beginReceive(const Prepared::Step &step);
  Halt beginWait(const Prepared::Step &step);
  Halt beginComputation(const Prepared::Step &step);
  Halt endReceive(const Prepared::Step &step);
  bool pays(const Prepared::Step &step, double seconds);
  Halt await(const Prepared::Step &step, p2p::Completion &completion);
  Halt endWait(const Prepared::Step &step);
  Halt end(int code);
  int resultOfReceive();
  [[noreturn]] void raise();
  const Prepared::Step *preparedStep();
  void prepareBlock();
  int peerOf(const Prepared::Step &step) const;
  void playByFiber();
  void playInTurns();
  bool canPrepare() const;
  void play(const Prepared::Step &step);
  std::string where(const char *function) const;
  template <class T> T *kept(size_t length, int64_t slot);

  // What a turn touches are four cache lines: this one,
  const trace::Block *block_ = nullptr;   ///< that is played; null at first
  const Prepared::Step *steps_ = nullptr; ///< of prepared_; null: none are played
  const Prepared::Step *waits_ = nullptr; ///< that is played, while the rank waits in a turn
  process::Rank &rank_;
  p2p::Fabric &fabric_;
  Replay &replay_;
  uint64_t record_ = 0; ///< that is being played, from 1 on
  // two for what is kept while the rank waits,
  p2p::Waiter waiter_;
  p2p::Receive receive_;
  const platform::HostIndex host_; ///< the rank's
  Halt halt_ = Halt::None;
  const bool takesCpuTime_; ///< whether messages do
  bool pays_ = false;       ///< whether waits_ waits for that to pass
  // and the beginning of a cursor.
  std::optional<trace::FileCursor> file_; ///< of a trace of ours

  std::shared_ptr<const Prepared> prepared_; ///< of block_
  p2p::Send send_;                           ///< of one that is waited for
  Awaited awaited_{*this};
  std::unique_ptr<Polls> polls_; ///< null before the first poll
  mpi::Comm &world_;
  std::vector<MPI_Request> requests_; ///< by slot

  int code_ = MPI_SUCCESS; ///< an error class with which a call in a turn has ended
  std::exception_ptr thrown_;
  uint32_t recordedRank_; ///< whose records are played
  const std::vector<trace::Function> &functions_;
  std::unique_ptr<trace::Cursor> cursor_; ///< of another trace
  std::unordered_map<int64_t, MPI_Comm> comms_;
  std::unordered_map<int64_t, MPI_Win> wins_;
  std::unordered_map<int64_t, MPI_File> files_;
  mpi::Info hints_;
  std::vector<MPI_Session> sessions_;
  CallMemory memory_; ///< of the record that is being played
  std::unordered_map<int64_t, std::unique_ptr<mpi::Group>> groups_;
  std::unordered_map<int64_t, MPI_Datatype> types_; ///< by bytes: for calls that take handles
  /// What calls read: while they run, and arrays of operations that go on, by slot.
  std::vector<std::unique_ptr<char[]>> ofCall_;
  std::unordered_map<int64_t, std::vector<std::unique_ptr<char[]>>> ofSlots_;
};

} // namespace gnomon::replay
