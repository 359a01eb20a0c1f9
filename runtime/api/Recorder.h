// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records a run as a time-independent trace (--trace; trace/Record.h): of each rank, its calls with
/// all that a replay needs, and before each what the rank computed.
///
/// A call becomes a record when it has returned. A receive from any source or of any tag is recorded
/// as what it got, so a rank's records from such a receive on are kept until it is done; of a
/// receive that is not done after HeldRecords more it is recorded as it was posted. Calls that
/// poll have a record here when they found something; RecordPolls tells of the polls themselves.
///
/// A request is told by its slot: the lowest that was free when it was made, so that the rounds of a
/// loop give equal records.
#pragma once

#include "api/PlainCall.h"
#include "api/RecordWords.h"
#include "io/File.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/datatype/Counts.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/Message.h"
#include "mpi/request/Request.h"
#include "process/ranks/Job.h"
#include "process/ranks/Rank.h"
#include "process/ranks/VolumeSink.h"
#include "support/Check.h"
#include "support/Hash.h"
#include "trace/Follower.h"
#include "trace/Record.h"
#include "trace/Schema.h"

#include "mpi.h"

#include <array>
#include <bit>
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
  void played(const process::Rank &rank) override;
  void readClock(const process::Rank &rank, uint32_t readings) override;
  void sleeps(const process::Rank &rank, double seconds) override;
  /// A call of \p form has returned \p code. Its requests are told by slots, below.
  template <class Values> ///< an array or a span of int64_t
  [[gnu::always_inline]] void tell(const process::Rank &rank, const PlainForm &form,
                                   const Values &values, int code) {
    RankRecords &records = of(rank);
    if (!records.computed.empty()) [[unlikely]]
      putVolume(rank.number, records);
    if (code != MPI_SUCCESS || !records.follower ||
        !records.follower->take(functionOf(form), values, form.relative)) [[unlikely]]
      tellOther(rank, form, values, code);
  }
  /// The same of a form whose records RecordPolls is to see.
  void tellPoll(const process::Rank &rank, const PlainForm &form, std::span<const int64_t> values) {
    flushVolume(rank.number, of(rank));
    tellOther(rank, form, values, MPI_SUCCESS);
  }
  int64_t rowOf(const mpi::Comm *comm) {
    return isWorld(comm) ? trace::World : comm ? makeRow(*comm) : trace::NullRow;
  }
  int64_t textOf(const mpi::Op &op) {
    if (!op.isPredefined()) [[unlikely]]
      return userOps_[op.commutative()];
    int64_t &text = opTexts_[reinterpret_cast<uintptr_t>(op.handle()) % opTexts_.size()];
    return text >= 0 ? text : text = sink_.text(op.name());
  }
  /// A slot for a request that a call has made; 0 where it has made none.
  int64_t takeSlot(process::Rank &rank, MPI_Request handle) {
    mpi::Request *request = mpi::find<mpi::Request>(rank, handle);
    return request ? request->recordSlot = of(rank).slots.take() : 0;
  }
  static int64_t slotOf(process::Rank &rank, MPI_Request handle) {
    const mpi::Request *request = mpi::find<mpi::Request>(rank, handle);
    return request ? request->recordSlot : 0;
  }
  /// The call that was told \p slots has ended those of \p handles that are null now.
  void releaseEnded(const process::Rank &rank, const MPI_Request *handles,
                    std::span<const int64_t> slots) {
    RankRecords &records = of(rank);
    for (size_t i = 0; i < slots.size(); ++i)
      if (handles[i] == MPI_REQUEST_NULL)
        records.slots.release(slots[i]);
  }
  /// What a receive that someone waits for got.
  void received(mpi::Request &request);
  /// The ranks have ended, or the run has: what was kept becomes part of the trace.
  void finish();

private:
  friend class RecordLine;

  struct Held {
    uint32_t function;
    std::vector<int64_t> values;
    bool awaited = false;       ///< what it got is not known
    size_t source = 0, tag = 0; ///< places of these among the values
  };
  using Part = process::VolumeTally::Part;
  /// Numbers from 1 on: the lowest that is free is taken.
  class Slots {
  public:
    uint32_t take() {
      if (first_ == 0) [[unlikely]]
        return takeOfMany();
      const auto bit = static_cast<uint32_t>(std::countr_zero(first_));
      first_ &= first_ - 1;
      return bit + 1;
    }
    void release(int64_t slot) {
      if (slot <= 0)
        return;
      const auto number = static_cast<size_t>(slot) - 1;
      (number < 64 ? first_ : more_[number / 64 - 1]) |= uint64_t{1} << (number % 64);
    }

  private:
    uint32_t takeOfMany();

    uint64_t first_ = ~uint64_t{0}; ///< a bit for each number: set where it is free
    std::vector<uint64_t> more_;    ///< likewise, of the numbers behind these
  };
  struct RankRecords {
    process::VolumeTally &computed; ///< and not yet recorded
    /// Of the sink, for records that are the expected ones: null while records are held.
    trace::Follower *follower = nullptr;
    Slots slots; ///< of requests
    Slots files; ///< of open files
    std::deque<Held> held;
    uint64_t released = 0; ///< records that were held and are no more
  };
  /// The functions of records are found by their names' addresses: each stands in one place of the
  /// generated code.
  struct Form {
    const char *name;
    std::vector<uint64_t> fields; ///< packed(): address of the name, kind
    bool operator==(const Form &) const = default;
    bool is(const char *other, std::span<const uint64_t> told) const {
      if (name != other || fields.size() != told.size())
        return false;
      uint64_t different = 0;
      for (size_t i = 0; i < told.size(); ++i)
        different |= fields[i] ^ told[i];
      return different == 0;
    }

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

  [[gnu::always_inline]] RankRecords &of(const process::Rank &rank) {
    if (rank.number >= ranks_.size()) [[unlikely]]
      addRanks(rank.number);
    return *ranks_[rank.number];
  }
  void addRanks(uint32_t rank);
  /// What the rank has computed stands before what comes next.
  void flushVolume(uint32_t rank, RankRecords &records) {
    if (!records.computed.empty())
      putVolume(rank, records);
  }
  void putVolume(uint32_t rank, RankRecords &records);
  void put(uint32_t rank, RankRecords &records, const trace::Record &record);
  uint64_t hold(uint32_t rank, Held held);
  void letGo(uint32_t rank, RankRecords &records);
  /// Whether \p comm, null or not, is MPI_COMM_WORLD of the ranks that the run began with.
  static bool isWorld(const mpi::Comm *comm) {
    return comm && comm == &*mpi::state(comm->owner()).world && comm->owner().job->number == 0;
  }
  int64_t makeRow(const mpi::Comm &comm);
  void tellOther(const process::Rank &rank, const PlainForm &form, std::span<const int64_t> values,
                 int code);
  void tellFailed(const process::Rank &rank, const PlainForm &form, std::span<const int64_t> values,
                  int code);
  [[gnu::always_inline]] uint32_t functionOf(const PlainForm &form) {
    PlainFunction &recent = plainFunctions_[form.place];
    if (recent.form != &form) [[unlikely]]
      recent = {&form, numberOf(formOf(form))};
    return recent.function;
  }
  static Form formOf(const PlainForm &form);
  uint32_t function(const char *name, std::span<const uint64_t> fields) {
    Recent &recent = recent_[spread(reinterpret_cast<uintptr_t>(name)) >> RecentShift];
    if (!recent.form.is(name, fields)) [[unlikely]] {
      recent.form = {name, {fields.begin(), fields.end()}};
      recent.function = numberOf(recent.form);
    }
    return recent.function;
  }
  uint32_t numberOf(const Form &form);

  static inline Recorder *running_ = nullptr;
  trace::Sink &sink_;
  std::vector<std::unique_ptr<RankRecords>> ranks_; ///< by number
  std::unordered_map<Form, uint32_t, FormHash> functions_;
  /// The last form of some functions' calls, which most calls have again.
  struct Recent {
    Form form{nullptr, {}};
    uint32_t function = 0;
  };
  static constexpr unsigned RecentShift = 58; ///< by the first 6 bits of a hash
  std::array<Recent, 64> recent_;
  struct PlainFunction {
    const PlainForm *form = nullptr;
    uint32_t function = 0;
  };
  std::array<PlainFunction, PlainForm::Places> plainFunctions_; ///< by PlainForm::place
  std::unordered_map<uint32_t, int64_t> rows_;                  ///< of communicators, by their ids
  std::array<int64_t, 2> userOps_;  ///< texts: that does not commute, that does
  std::array<int64_t, 64> opTexts_; ///< names' texts of predefined ones, by handle; -1: not yet
  uint32_t part_, compute_, clock_, sleep_;
  std::vector<int64_t> parts_; ///< texts, by number
};

/// The record of one call, told as CallLine is. Used again for other calls, so that a call allocates
/// nothing; what nearly all of them tell is inline.
class RecordLine {
public:
  [[gnu::always_inline]] void begin(Recorder *recorder, process::Rank &rank) {
    recorder_ = recorder;
    rank_ = &rank;
    name_ = rank.call.function; // another thread of the rank may call something meanwhile
    fieldCount_ = valueCount_ = 0;
    handles_ = nullptr;
    slots_.clear();
    awaited_ = nullptr;
    file_ = nullptr;
    fileSlot_ = 0;
    source_ = tag_ = SIZE_MAX;
  }
  [[gnu::always_inline]] void payload(const char *name, const void *buffer, int64_t count,
                                      const mpi::Datatype *type) {
    const bool inPlace = buffer == MPI_IN_PLACE;
    field(name, trace::Kind::Count, inPlace ? trace::InPlace : count);
    if (file_) [[unlikely]]
      sizeInFile(name, type);
    else
      field(name, trace::Kind::Size, inPlace ? 0 : type->size());
  }
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const mpi::Datatype *type,
                int length);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const MPI_Datatype *types,
                int length);
  [[gnu::always_inline]] void number(const char *name, int64_t value) {
    field(name, trace::Kind::Number, value);
  }
  void numbers(const char *name, mpi::Counts values, int64_t length);
  void element(const char *name, const mpi::Datatype *type);
  [[gnu::always_inline]] void peer(const char *name, int rank) {
    if (rank == MPI_ANY_SOURCE || isSource(name))
      source_ = valueCount_;
    field(name, trace::Kind::Peer, peerOf(rank));
  }
  [[gnu::always_inline]] void tag(const char *name, int tag) {
    tag_ = valueCount_;
    field(name, trace::Kind::Tag, tagOf(tag));
  }
  void comm(const char *name, const mpi::Comm *comm) {
    field(name, trace::Kind::Comm, recorder_->rowOf(comm));
  }
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
  void got(const MPI_Status &status) {
    if (source_ != SIZE_MAX)
      values_[source_] = peerOf(status.MPI_SOURCE);
    if (tag_ != SIZE_MAX && status.MPI_SOURCE != MPI_PROC_NULL)
      values_[tag_] = tagOf(status.MPI_TAG);
  }
  void end(int code);

private:
  /// No function of MPI has as many parameters.
  static constexpr size_t MostTold = trace::MostFields;

  [[gnu::always_inline]] void field(const char *name, trace::Kind kind, int64_t value) {
    told(name, static_cast<uint8_t>(kind));
    values_[valueCount_++] = value;
  }
  void sizeInFile(const char *name, const mpi::Datatype *type);
  /// Whether \p name is "source": of each peer, so without a call.
  [[gnu::always_inline]] static bool isSource(const char *name) {
    constexpr char Source[] = "source";
    for (size_t i = 0; i < sizeof Source; ++i)
      if (name[i] != Source[i])
        return false;
    return true;
  }
  [[gnu::always_inline]] void told(const char *name, uint8_t kind) {
    CHECK(fieldCount_ < MostTold, "a call tells no more fields than a record has");
    fields_[fieldCount_++] = Recorder::Form::packed(name, kind);
  }
  std::span<int64_t> list(const char *name, trace::Kind kind, int64_t length);
  std::span<const int64_t> values() const { return {values_.data(), valueCount_}; }

  Recorder *recorder_ = nullptr;
  process::Rank *rank_ = nullptr;
  const char *name_ = nullptr; ///< of the function
  size_t fieldCount_ = 0, valueCount_ = 0;
  std::array<uint64_t, MostTold> fields_; ///< as in Recorder::Form
  /// With room for a value of each field that may follow.
  std::vector<int64_t> values_ = std::vector<int64_t>(MostTold);
  const MPI_Request *handles_ = nullptr; ///< that the call may end
  std::vector<int64_t> slots_;           ///< theirs, before
  mpi::Request *awaited_ = nullptr;
  const mpi::File *file_ = nullptr;           ///< that the call is about
  uint32_t fileSlot_ = 0;                     ///< its slot
  size_t source_ = SIZE_MAX, tag_ = SIZE_MAX; ///< places of what a receive may leave open
};

} // namespace gnomon::api
