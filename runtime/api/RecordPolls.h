// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records the polls of a run, beside Recorder (trace/PollRecords.h). What polls in a row find is known
/// only in the end, and stands before them: so a rank's records pass through here on their way into
/// the trace, and are kept while it polls. Of ranks with threads, which poll beside each other, polls
/// are left out.
#pragma once

#include "mpi/request/PollLoop.h"
#include "trace/Record.h"

#include <cstdint>
#include <vector>

namespace gnomon::api {

class RecordPolls final : public trace::Sink {
public:
  /// A rank keeps so many records at most; of polls that go on it is not known what they found.
  static constexpr size_t MostKept = 1 << 14;

  explicit RecordPolls(trace::Sink &sink);
  ~RecordPolls() override;
  RecordPolls(const RecordPolls &) = delete;
  RecordPolls &operator=(const RecordPolls &) = delete;

  /// Of the running simulation; null: it is not recorded.
  static RecordPolls *running() { return running_; }

  uint32_t function(const trace::Function &function) override;
  int64_t text(std::string_view text) override { return sink_.text(text); }
  int64_t communicator(const trace::Group &group) override { return sink_.communicator(group); }
  int64_t set(const std::vector<uint32_t> &members) override { return sink_.set(members); }
  void append(uint32_t rank, const trace::Record &record) override {
    if (poll_ == None) [[likely]]
      return sink_.append(rank, record);
    appendPolling(rank, record);
  }
  /// Null while the rank polls, when its records are kept.
  trace::Follower *follower(uint32_t rank) override;
  /// The run has ended: what was kept becomes part of the trace.
  void finish();

private:
  static constexpr uint32_t None = ~uint32_t{0};
  /// What is kept of a rank; empty: it does not poll.
  struct Kept {
    struct Record {
      uint32_t function;
      size_t end; ///< of its values
    };
    std::vector<Record> records;
    std::vector<int64_t> values; ///< of all of them
  };

  static void polled(mpi::RankState &state, const mpi::Polled &what, bool found, uint64_t polls);
  int64_t numberOf(const process::Rank &rank, const mpi::Polled &what, bool found);
  void appendPolling(uint32_t rank, const trace::Record &record);
  static void keep(Kept &kept, const trace::Record &record);
  void letGo(uint32_t rank, Kept &kept);
  bool isBetweenPolls(uint32_t function) const {
    return function < betweenPolls_.size() && betweenPolls_[function];
  }

  static inline RecordPolls *running_ = nullptr;
  trace::Sink &sink_;
  uint32_t poll_ = None, until_ = None; ///< functions; in a trace from the first poll on
  std::vector<bool> betweenPolls_;      ///< by function: no call of MPI
  std::vector<Kept> kept_;              ///< by rank
  /// By rank, what polls since the last that found something have asked for, as hashes.
  std::vector<std::vector<uint64_t>> asked_;
  static constexpr size_t MostAsked = 16; ///< different polls in a row that are told apart
};

} // namespace gnomon::api
