// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The trace of communication (--comm-trace): of each rank, the calls by which it communicates, in
/// the order of the program, with all that decides the communication and nothing that depends on
/// dates. Two runs of which one skips computation must give the same bytes.
///
/// A line is a call that has returned:
///
///     MPI_Isend buf=80B dest=1 tag=7 comm=world request=3
///     MPI_Recv buf=80B source=any tag=7 comm=2 got=3,7,40B
///     MPI_Comm_split comm=world color=0 key=1 newcomm=2 rank=1 members=[0,2,4,6]
///
/// Requests and communicators are numbered on each rank in the order in which it made them. What a
/// receive from any source or of any tag got stands where it was posted, whenever it completed.
/// Calls whose result depends on dates are left out, for a program polls as often as time permits:
/// MPI_Test and its kin, MPI_Iprobe, MPI_Waitany, MPI_Waitsome; so are calls that only ask or make
/// something on the rank itself (generator/effects.py decides from the rows).
///
/// An entry asks `CallLine line(rank)`, which is nothing but a test of one flag when there is no
/// trace.
#pragma once

#include "io/File.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Group.h"
#include "mpi/datatype/Counts.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/Message.h"
#include "mpi/request/Request.h"
#include "process/ranks/CallSink.h"
#include "process/ranks/Rank.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gnomon::api {

class Recorder;

/// Lives while a run is traced: made by launch before the ranks start.
class CommTrace {
public:
  explicit CommTrace(process::CallSink &sink);
  ~CommTrace();
  CommTrace(const CommTrace &) = delete;
  CommTrace &operator=(const CommTrace &) = delete;

  /// The trace of the running simulation; null: none is written.
  static CommTrace *running() { return running_; }
  process::CallSink &sink() { return sink_; }
  /// What a request that someone waits for got: written where the request was posted.
  static void received(mpi::Request &request);

private:
  static inline CommTrace *running_ = nullptr;
  process::CallSink &sink_;
};

/// What one call tells of itself to those who record the run: arguments while the call begins,
/// results when it has returned, then end(). There are two, and each takes what it needs:
/// CommTrace writes a line (Told::Communication), Recorder a record (all).
class CallLine {
public:
  /// What a function does: Polls has results that depend on when it is called.
  enum class Told : uint8_t { Communication, Polls };

  explicit CallLine(process::Rank &rank, Told told = Told::Communication) {
    if (anyone_) [[unlikely]]
      begin(rank, told);
  }
  ~CallLine() {
    if (state_) [[unlikely]]
      discard();
  }
  CallLine(const CallLine &) = delete;
  CallLine &operator=(const CallLine &) = delete;
  explicit operator bool() const { return state_ != nullptr; }
  /// Whether someone records calls from now on: when a recording begins or ends.
  static void lookWhoListens();
  /// Of calls that have a PlainForm: the Recorder if it listens and nobody else does; else null,
  /// and CallLine takes them.
  static Recorder *plainRecorder() {
    if (anyone_) [[unlikely]]
      return plainRecorder_;
    return nullptr;
  }

  // Arguments. Arrays may be null when they are not significant.
  void payload(const char *name, const void *buffer, int64_t count, const mpi::Datatype *type);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const mpi::Datatype *type,
                int length);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const MPI_Datatype *types,
                int length);
  void number(const char *name, int64_t value);
  void numbers(const char *name, mpi::Counts values, int64_t length);
  /// A rank of the communicator, or any, or null.
  void peer(const char *name, int rank);
  void tag(const char *name, int tag);
  void comm(const char *name, const mpi::Comm *comm);
  void op(const char *name, const mpi::Op *op);
  void request(const char *name, const MPI_Request *handle);
  void requests(const char *name, const MPI_Request *handles, int64_t count);

  // Arguments that a trace of communication leaves out: the communication follows from the rest, or
  // from what was polled before.
  void group(const char *name, const mpi::Group *group);
  void message(const char *name, const mpi::Message *message);
  /// The type of one element that the call moves.
  void element(const char *name, const mpi::Datatype *type);
  void more(const char *name, mpi::Counts values, int64_t length);
  void flag(const char *name, bool value);
  void waitsFor(const char *name, const MPI_Request *handle);
  void waitsFor(const char *name, const MPI_Request *handles, int64_t count);
  /// Of these the call completes some.
  void waitsForSome(const MPI_Request *handles, int64_t count);
  void completed(std::span<const int> indices);
  void completedAll(int count);
  /// The call found nothing: it is not told.
  void nothing();

  // Of calls on files.
  void file(const char *name, const mpi::File *file);
  /// Named as the program sees it.
  void path(const char *name, const char *filename);
  void hints(const char *name, const mpi::Info *info);
  /// What MPI_File_set_view is given for \p file; types as they lie in the file.
  void view(const mpi::File *file, const mpi::Datatype *etype, const mpi::Datatype *filetype,
            const char *datarep);
  /// A place or a size.
  void place(const char *name, int64_t value);

  // Of calls on processes.
  void text(const char *name, const char *value);
  /// What the root of a spawn has started: the ranks behind \p intercomm, a job, for each command
  /// with an info of \p infos.
  void spawned(MPI_Comm intercomm, std::span<const MPI_Info> infos);

  // Results.
  void newFile(const char *name, MPI_File handle);
  /// Whether the file that the call was told is no more.
  void closed(bool closed);
  void newComm(const char *name, MPI_Comm handle);
  /// A request that the call made; \p matched: of a message that a probe took, which names its
  /// sender.
  void newRequest(const char *name, MPI_Request handle, bool matched);
  /// Requests that the call started.
  void started(std::span<const MPI_Request> handles);
  /// What a blocking receive or probe got, where its arguments left that open or \p matched.
  void got(const MPI_Status &status, bool matched);
  /// The call has returned \p code, an error class or code.
  void end(int code);

private:
  struct State;
  [[gnu::cold]] void begin(process::Rank &rank, Told told);
  [[gnu::cold]] void discard();

  static inline bool anyone_ = false;
  static inline bool tells_ = false;       ///< of these, someone records calls
  static inline bool countsCalls_ = false; ///< for the sake of polls (process/burst/Arrivals.h)
  static inline Recorder *plainRecorder_ = nullptr;
  static inline State *idle_ = nullptr; ///< used again: a call that is recorded allocates nothing
  State *state_ = nullptr;
};

} // namespace gnomon::api
