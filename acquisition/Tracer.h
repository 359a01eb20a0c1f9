// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records the calls of a rank of a real run as a time-independent trace, as room api's Recorder
/// does of a simulated one: same functions, fields and values, so that a replay plays both alike.
///
/// A call becomes a record when it has returned. A receive from any source or of any tag is
/// recorded as what it got: records from such a receive on are kept until it is done, HeldRecords at most.
/// The file has the ranks of MPI_COMM_WORLD, of which only this one has records: `gnomon trace
/// merge` joins the files.
///
/// What goes wrong is said on stderr, once, with the rank; the program goes on without a trace.
#pragma once

#include "Handles.h"
#include "Volumes.h"

#include "trace/TraceWriter.h"

#include <deque>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <queue>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gnomon::acquisition {

/// A function of records, by the addresses of its names: each stands in one place of the generated
/// code.
struct Form {
  const char *name = nullptr;
  std::vector<std::pair<const char *, uint8_t>> fields;
  bool operator==(const Form &) const = default;
};
inline constexpr uint8_t ListBit = 0x80;

struct FormHash {
  size_t operator()(const Form &form) const;
};

/// What is known of a request that is open. Several may have one handle: both MPIs give all sends
/// that are done at once the same.
struct OpenRequest {
  int64_t slot = 0;
  const MPI_Request *place = nullptr; ///< where the program got it: tells such requests apart
  uint64_t heldNumber = 0;            ///< of its record, while what it got is not known
};

class Tracer {
public:
  static constexpr size_t HeldRecords = 1 << 14;

  /// Of this process; made when the library is loaded.
  static Tracer &ofProcess();
  /// MPI_Init is called: what the program did before it is its first computation.
  void aboutToBegin();
  /// After MPI_Init: opens the file.
  void begin();
  /// The process ends; \p complete: as it should.
  void finish(bool complete);
  /// MPI_Finalize has been called.
  void finalized() { isFinalized_ = true; }
  bool isFinalized() const { return isFinalized_; }
  bool isRecording() const { return writer_ != nullptr; }
  /// A call of MPI that is not recorded, though it communicates: told at the end.
  void leftOut(const char *function);

  /// The thread has called MPI, and gets back.
  void entered();
  void left() { meter_.left(); }
  /// The program has read MPI_Wtime.
  void readClock() { ++readings_; }

  // For lines, with the lock held.
  std::mutex &mutex() { return mutex_; }
  trace::Sink &sink() { return *writer_; }
  uint32_t function(const Form &form);
  void flushVolume();
  /// A record that waits for what a receive gets gives its number, others 0.
  void append(uint32_t function, std::span<const int64_t> values);
  uint64_t hold(uint32_t function, std::span<const int64_t> values, size_t source, size_t tag);
  void received(uint64_t heldNumber, const MPI_Status *status);
  int64_t takeSlot();
  void release(MPI_Request handle, int64_t slot);
  /// The open request of a handle; \p skipped are slots that the same call has already named.
  const OpenRequest *find(MPI_Request handle, const MPI_Request *place,
                          const std::vector<int64_t> &skipped) const;
  void open(MPI_Request handle, const OpenRequest &request);

  struct Message {
    int64_t source, tag, comm;
  };
  Communicators &communicators() { return *communicators_; }
  Windows &windows() { return windows_; }
  std::map<MPI_Message, Message> &messages() { return messages_; }

private:
  struct Held {
    uint32_t function;
    std::vector<int64_t> values;
    bool awaited;
    size_t source, tag; ///< places of these among the values
  };

  void letGo();
  void say(const std::string &text) const;

  std::mutex mutex_;
  std::unique_ptr<trace::TraceWriter> writer_;
  std::unique_ptr<Communicators> communicators_;
  Windows windows_;
  Meter meter_;
  std::map<MPI_Message, Message> messages_;
  std::unordered_multimap<MPI_Request, OpenRequest> requests_;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> freeSlots_;
  int64_t slots_ = 0;
  std::unordered_map<Form, uint32_t, FormHash> functions_;
  std::deque<Held> held_;
  uint64_t released_ = 0; ///< records that were held and are no more
  std::set<std::string> leftOut_;
  uint32_t rank_ = 0, size_ = 0;
  uint32_t compute_ = 0, clock_ = 0;
  int64_t noBurst_ = 0;
  uint32_t readings_ = 0;
  Volume computed_{0, 0}; ///< and not yet recorded
  bool isFinalized_ = false;
  int process_ = 0; ///< that began: a child must not end its trace
};

/// A SIGTERM, which the program does not handle, leaves what there is (Start.cpp).
void endOnTermination();

} // namespace gnomon::acquisition
