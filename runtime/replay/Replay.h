// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run of which each rank plays its records of a trace in place of a program.
#pragma once

#include "mpi/datatype/Op.h"
#include "process/burst/Profile.h"
#include "replay/Call.h"
#include "replay/Prepared.h"
#include "replay/ProgressLine.h"
#include "trace/Record.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::replay {

/// Which volume of a computation is played.
enum class Volumes : uint8_t { Instructions, Seconds };

/// What all ranks share. One per process.
class Replay {
public:
  /// \p path is for messages. Makes the addresses of all buffers.
  Replay(std::string path, std::unique_ptr<trace::Source> trace, Volumes volumes);
  ~Replay();
  Replay(const Replay &) = delete;
  Replay &operator=(const Replay &) = delete;

  static Replay *running() { return running_; }

  /// Whether the recorded program started ranks in the middle of its run.
  bool startsRanks() const;
  const std::string &path() const { return path_; }
  const trace::Source &trace() const { return *trace_; }
  Volumes volumes() const { return volumes_; }
  /// From now on a computation costs its instructions by these rates, by the text that names its burst.
  void rate(std::vector<process::burst::ProfileRate> rates);
  /// From now on a computation costs so many times as much, by the text that names its burst.
  void scale(std::vector<double> factors);
  /// From now on messages have so many times as many bytes, by the function of the call; windows are
  /// as large as the longest that go into them want.
  void scaleBytes(const std::vector<double> &factors);
  int64_t windowBytes(int64_t bytes) const;
  /// What a part of a computation costs, in the unit of the clock. Throws InputError when it is not
  /// known.
  double cost(int64_t burst, double instructions, double seconds) const;
  /// How much of its time such a part moves memory.
  double memoryShare(int64_t burst) const;
  /// So many bytes in a row.
  mpi::Datatype &type(int64_t bytes) {
    return bytes >= 0 && static_cast<size_t>(bytes) < smallTypes_.size()
               ? *smallTypes_[static_cast<size_t>(bytes)]
               : otherType(bytes);
  }
  /// The trace has \p total actions; \p line says from now on how many of them have been played.
  void countTo(uint64_t total, std::optional<ProgressLine> line);
  uint64_t played() const { return played_; }
  uint64_t total() const { return total_; }
  /// One more has been played.
  void onPlayed() {
    constexpr uint64_t Between = 256; // looks at the clock
    if (++played_ % Between == 0 && progress_) [[unlikely]]
      progress_->show(played_);
  }
  /// Kept while a rank has it.
  std::shared_ptr<const Prepared> prepared(const std::shared_ptr<const trace::Block> &block,
                                           const mpi::Comm &world);
  const Binding &binding(uint32_t function) const { return bindings_[function]; }
  /// The port that stands for the recorded run's port of that name, a string of the trace; it is
  /// opened when it is first asked for.
  const std::string &port(int64_t recordedName);
  /// A rank that was started later has another number than in the recorded run where jobs started in
  /// another order.
  void startedAs(uint32_t recorded, uint32_t number) { processes_[recorded] = number; }
  uint32_t process(uint32_t recorded) const;
  /// Throws InputError when the trace has no such string.
  const std::string &text(int64_t number) const;
  /// One that computes nothing, predefined or not as the text says.
  mpi::Op &op(int64_t text);

private:
  static inline Replay *running_ = nullptr;
  std::string path_;
  std::unique_ptr<trace::Source> trace_;
  Volumes volumes_;
  uint64_t played_ = 0, total_ = 0;
  std::optional<ProgressLine> progress_;           ///< nothing: nobody looks
  std::vector<process::burst::ProfileRate> rates_; ///< by text; empty: not asked for
  std::vector<double> factors_;                    ///< by text; empty: not asked for
  double windowFactor_ = 1;                        ///< of the bytes of windows
  std::vector<Binding> bindings_;                  ///< by number of the function
  mpi::Datatype &otherType(int64_t bytes);
  std::unordered_map<const trace::Block *, std::weak_ptr<const Prepared>> prepared_;
  size_t sweepPreparedAt_ = 1024;                ///< entries; those that have expired go then
  std::array<mpi::Datatype *, 17> smallTypes_{}; ///< by bytes
  std::unordered_map<int64_t, mpi::Datatype *> types_;
  std::vector<mpi::Op *> ops_; ///< by text; null: not asked for yet
  mpi::Op *commutes_, *doesNotCommute_;
  std::unordered_map<std::string, std::string> ports_; ///< by the recorded run's
  std::unordered_map<uint32_t, uint32_t> processes_;   ///< started later: by recorded number
};

/// What the main of a replay's ranks is: plays the running rank's records.
int playRank();

} // namespace gnomon::replay
