// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records a run as a time-independent trace (--trace; trace/Record.h): of each rank, its calls with
/// all that a replay needs, and before each what the rank computed.
///
/// A call becomes a record when it has returned. A receive from any source or of any tag is recorded
/// as what it got, so a rank's records from such a receive on are kept until it is done; of a
/// receive that is not done after HeldRecords more it is recorded as it was posted. Polls that found
/// nothing are left out: a replay waits for what they found in the end.
///
/// A request is told by its slot: the lowest that was free when it was made, so that the rounds of a
/// loop give equal records.
#pragma once

#include "io/File.h"
#include "mpi/comm/Comm.h"
#include "mpi/datatype/Counts.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/Message.h"
#include "mpi/request/Request.h"
#include "process/ranks/Rank.h"
#include "process/ranks/VolumeSink.h"
#include "trace/Record.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gnomon::api {

class RecordLine;
/// Returns a line to its recorder's idle ones, which are used again: a call allocates nothing.
struct RecordLineGiveBack {
  void operator()(RecordLine *line) const;
};

class Recorder final : public process::VolumeSink {
public:
  /// A rank keeps so many records, at most, for a receive whose sender is not known.
  static constexpr size_t HeldRecords = 1 << 14;

  explicit Recorder(trace::Sink &sink);
  ~Recorder() override;
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Of the running simulation; null: it is not recorded.
  static Recorder *running() { return running_; }

  uint32_t part(const std::string &name) override;
  void computed(const process::Rank &rank, uint32_t part, const process::Volume &volume) override;
  void played(const process::Rank &rank) override;
  void readClock(const process::Rank &rank, uint32_t readings) override;
  void sleeps(const process::Rank &rank, double seconds) override;
  /// What a receive that someone waits for got.
  void received(mpi::Request &request);
  /// The ranks have ended, or the run has: what was kept becomes part of the trace.
  void finish();
  /// The record of a call of \p rank that begins.
  std::unique_ptr<RecordLine, RecordLineGiveBack> idleLine(process::Rank &rank);

private:
  friend class RecordLine;
  friend struct RecordLineGiveBack;

  struct Held {
    uint32_t function;
    std::vector<int64_t> values;
    bool awaited = false;       ///< what it got is not known
    size_t source = 0, tag = 0; ///< places of these among the values
  };
  struct Part {
    uint32_t number;
    process::Volume volume;
  };
  struct RankRecords {
    std::vector<Part> computed; ///< and not yet recorded
    std::vector<bool> slots;    ///< of requests: whether they are taken, from slot 1 on
    std::vector<bool> files;    ///< the same of open files
    std::deque<Held> held;
    uint64_t released = 0; ///< records that were held and are no more
  };
  /// The functions of records are found by their names' addresses: each stands in one place of the
  /// generated code.
  struct Form {
    const char *name;
    std::vector<uint64_t> fields; ///< packed(): address of the name, kind
    bool operator==(const Form &) const = default;

    /// Addresses have 47 bits.
    static uint64_t packed(const char *field, uint8_t kind) {
      return reinterpret_cast<uintptr_t>(field) << 8 | kind;
    }
    static const char *nameOf(uint64_t field) { return reinterpret_cast<const char *>(field >> 8); }
    static uint8_t kindOf(uint64_t field) { return static_cast<uint8_t>(field); }
  };
  struct FormHash {
    size_t operator()(const Form &form) const;
  };

  RankRecords &of(const process::Rank &rank);
  static uint32_t slotFrom(std::vector<bool> &slots);
  static void release(std::vector<bool> &slots, int64_t slot);
  static void settle(std::vector<Part> &parts, double process::Volume::*column);
  /// What the rank has computed stands before what comes next.
  void flushVolume(uint32_t rank, RankRecords &records);
  void append(uint32_t rank, uint32_t function, std::span<const int64_t> values);
  uint64_t hold(uint32_t rank, Held held);
  void letGo(uint32_t rank, RankRecords &records);
  int64_t rowOf(const mpi::Comm &comm);
  int64_t textOf(const mpi::Op &op);
  uint32_t function(const Form &form);
  uint32_t numberOf(const Form &form);

  static inline Recorder *running_ = nullptr;
  trace::Sink &sink_;
  std::vector<std::unique_ptr<RecordLine>> idle_;
  std::vector<RankRecords> ranks_;
  std::unordered_map<Form, uint32_t, FormHash> functions_;
  /// The last form of some functions' calls, which most calls have again.
  struct Recent {
    Form form{nullptr, {}};
    uint32_t function = 0;
  };
  static constexpr unsigned RecentShift = 58; ///< by the first 6 bits of a hash
  std::array<Recent, 64> recent_;
  std::unordered_map<uint32_t, int64_t> rows_; ///< of communicators, by their ids
  std::array<int64_t, 2> userOps_;             ///< texts: that does not commute, that does
  uint32_t part_, compute_, clock_, sleep_;
  std::vector<int64_t> parts_; ///< texts, by number
};

/// The record of one call, told as CallLine is.
class RecordLine {
public:
  explicit RecordLine(Recorder &recorder) : recorder_(recorder) {}
  using Lent = std::unique_ptr<RecordLine, RecordLineGiveBack>;

  void begin(process::Rank &rank);
  void payload(const char *name, const void *buffer, int64_t count, const mpi::Datatype *type);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const mpi::Datatype *type,
                int length);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const MPI_Datatype *types,
                int length);
  void number(const char *name, int64_t value);
  void numbers(const char *name, mpi::Counts values, int64_t length);
  void element(const char *name, const mpi::Datatype *type);
  void peer(const char *name, int rank);
  void tag(const char *name, int tag);
  void comm(const char *name, const mpi::Comm *comm);
  void op(const char *name, const mpi::Op *op);
  void members(const char *name, const mpi::Members &members);
  /// A message that a probe has taken: its sender, tag and communicator.
  void message(const char *name, const mpi::Message *message);
  void request(const char *name, const MPI_Request *handle);
  void requests(const char *name, const MPI_Request *handles, int64_t count);
  /// Requests of which the call completes some: which is said by completed(), else all.
  void waits(const MPI_Request *handles, int64_t count);
  void completed(std::span<const int> indices);

  void file(const char *name, const mpi::File *file);
  void path(const char *name, const char *filename);
  /// Of those that count: key, value, key, value…
  void hints(const char *name, const mpi::Info *info);
  void view(const mpi::File &file, const mpi::Datatype &etype, const mpi::Datatype &filetype,
            const char *datarep);
  void newFile(const char *name, MPI_File handle);
  void closed();

  void text(const char *name, const char *value);
  void spawned(MPI_Comm intercomm, std::span<const MPI_Info> infos);

  void newComm(const char *name, MPI_Comm handle);
  void newRequest(const char *name, MPI_Request handle);
  void got(const MPI_Status &status);
  void end(int code);

private:
  friend struct RecordLineGiveBack;
  void field(const char *name, trace::Kind kind, int64_t value);
  void list(const char *name, trace::Kind kind, int64_t length);
  int64_t slot(MPI_Request handle) const;
  void releaseEnded();

  Recorder &recorder_;
  process::Rank *rank_ = nullptr;
  Recorder::Form form_{nullptr, {}};
  std::vector<int64_t> values_;
  const MPI_Request *handles_ = nullptr; ///< that the call may end
  std::vector<int64_t> slots_;           ///< theirs, before
  mpi::Request *awaited_ = nullptr;
  const mpi::File *file_ = nullptr;           ///< that the call is about
  uint32_t fileSlot_ = 0;                     ///< its slot
  size_t source_ = SIZE_MAX, tag_ = SIZE_MAX; ///< places of what a receive may leave open
};

} // namespace gnomon::api
