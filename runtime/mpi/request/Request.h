// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Requests: point-to-point operations under way, persistent ones, and tasks
/// (nonblocking and persistent collectives, run by a helper fiber). Requests come from a pool; a
/// blocking call needs none.
#pragma once

#include "mpi/Handle.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/PointToPoint.h"
#include "p2p/Message.h"

#include <cstdint>
#include <memory>
#include <string>

struct MPI_Status;

namespace gnomon::mpi {

class Comm;
struct CollectiveRecord;

class Request {
public:
  enum class Kind : uint8_t {
    Send,
    Receive,
    Nothing,  ///< peer MPI_PROC_NULL: done at once
    Task,     ///< completeTask ends it
    Exchange, ///< a send and a receive; peer and tag are the receive's. Completed like a task
  };
  /// What a task or generalised request does when it is started again, cancelled, destroyed. Each
  /// may be null.
  struct TaskActions {
    void (*start)(Request &request, void *argument) = nullptr;
    void (*destroy)(Request &request, void *argument) = nullptr;
    /// Of a generalised request (Grequest.h): its status, and its cancelling.
    int (*query)(Request &request, void *argument, MPI_Status *status) = nullptr;
    int (*cancel)(Request &request, void *argument) = nullptr;
  };

  /// Told of a task's starts and ends: buffers may be copies of what the user sees.
  class Listener {
  public:
    virtual ~Listener() = default;
    virtual void starts() = 0; ///< a persistent one, once more
    virtual void isDone() = 0; ///< the user takes the result now
  };

  Kind kind = Kind::Nothing;
  bool persistent = false;
  bool active = false;
  bool userFreed = false; ///< MPI_Request_free on an active one: destroyed when done
  Channel channel = Channel::User;
  SendMode mode = SendMode::Standard;
  int peer = 0, tag = 0;
  int error = 0;         ///< the error class of a task
  int64_t taskBytes = 0; ///< what a task's status says was moved
  Comm *comm = nullptr;  ///< counted
  DatatypeRef type;
  void *buffer = nullptr;
  int64_t count = 0;
  MPI_Request handle = nullptr; ///< null for internal ones
  const char *name = "";        ///< of the call that made it, for reports
  uint32_t traceNumber = 0;     ///< of --comm-trace: the n-th request of its rank
  uint64_t tracePlace = 0;      ///< where the trace keeps room for what it gets, plus 1; 0: nowhere
  TaskActions actions;
  void *argument = nullptr;
  CollectiveRecord *agreement = nullptr; ///< of a nonblocking collective that is compared
  std::unique_ptr<Listener> listener;    ///< of a task; mostly null

  p2p::Completion &completion() {
    switch (kind) {
    case Kind::Send:
      return send;
    case Kind::Receive:
      return receive;
    default:
      return other;
    }
  }
  bool done() { return completion().done; }

  p2p::Send send;
  p2p::Receive receive;
  p2p::Completion other;
};

/// An active request for work that something else ends, through completeTask. \p name is the MPI
/// function's.
Request *newTask(Comm &comm, const char *name);
/// An inactive persistent one; MPI_Start calls actions.start(request, argument), which must (later)
/// call completeTask; MPI_Request_free calls actions.destroy.
Request *newPersistentTask(Comm &comm, const char *name, Request::TaskActions actions,
                           void *argument);
/// Ends a task with an error class; wakes whoever waits.
void completeTask(Request &request, int error = 0);

/// Gives a request its user handle.
MPI_Request expose(Request &request);
/// Ends a request's life: takes its handle away, lets go of its communicator and type.
void destroy(Request &request);

/// "MPI_Irecv from rank 3, tag 7, MPI_COMM_WORLD"; for reports.
std::string describe(Request &request);

} // namespace gnomon::mpi
