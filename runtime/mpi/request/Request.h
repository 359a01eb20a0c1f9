// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Requests: operations under way, and persistent ones between their starts. A Request is what all
/// of them have in common; a RequestOf<Kind> adds what one kind of operation has. They come from
/// pools; a blocking call needs none.
#pragma once

#include "mpi/Handle.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/Grequest.h"
#include "mpi/request/PointToPoint.h"
#include "p2p/Message.h"
#include "support/Pool.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gnomon::mpi {

class Comm;
class File;
class Request;
struct CollectiveRecord;
struct PartitionedSide;

/// A message to send as the program asked for it; kept for MPI_Start, checks and reports.
struct Transfer {
  void *buffer = nullptr;
  int64_t count = 0;
  DatatypeRef type = {};
  int peer = 0, tag = 0;
  Channel channel = Channel::User;
};

// The kinds of operations. Each begins with its end, which is what a wait waits for.

/// A message to or from MPI_PROC_NULL: done at once.
struct NoMessage : p2p::Completion {};

struct Sending : p2p::Send {
  SendMode mode = SendMode::Standard; ///< in what Send's end leaves
  Transfer transfer;
};

/// A send that was done when it was posted: what cancelling and reports need of it.
struct Sent : p2p::Completion {
  int peer = 0, tag = 0;
  uint64_t sequence = 0; ///< Send::sequence
};

/// What the program asked for stands in its pattern and its buffer, from its making on.
struct Receiving : p2p::Receive {
  DatatypeRef type;        ///< of the elements that its buffer counts
  uint64_t tracePlace = 0; ///< where --comm-trace keeps room for what it gets, plus 1; 0: nowhere
  /// Of the record that --trace keeps until it is known; 0: none.
  uint64_t recordNumber : 61 = 0;
  // Of one whose message is recorded among decisions, or given by them (ArrivalOrder.h).
  uint64_t isRecorded : 1 = 0;
  uint64_t isFromAny : 1 = 0,
                       isOfAnyTag : 1 = 0; ///< the program said so, where its pattern does not

  /// What the program asked for.
  p2p::Envelope asked() const {
    return {pattern.context, isFromAny ? p2p::AnySource : pattern.source,
            isOfAnyTag ? p2p::AnyTag : pattern.tag};
  }
  /// Whether only its message says where that comes from and how it is tagged.
  bool isOpen() const {
    const p2p::Envelope wanted = asked();
    return wanted.source == p2p::AnySource || wanted.tag == p2p::AnyTag;
  }
};

/// A send and a receive in one, done when both are. Either may be with MPI_PROC_NULL.
struct Exchange : p2p::Completion {
  struct Parts {
    Receiving receive;
    p2p::Send send;
    std::unique_ptr<char[]> sent; ///< of MPI_Isendrecv_replace: what is sent
  };
  std::unique_ptr<Parts> parts = std::make_unique<Parts>();
};

/// What something else ends, through completeTask. By itself: an operation on a window,
/// MPI_Comm_idup, MPI_Buffer_iflush; the others derive from it.
struct Task : p2p::Completion {
  int error = 0; ///< the error class of its result
};

/// A nonblocking or persistent collective, which a helper fiber runs.
struct Collective : Task {
  /// Of a persistent one: what a start does, which must (later) call completeTask, and the end of
  /// its request.
  struct Actions {
    void (*start)(Request &request, void *argument) = nullptr;
    void (*destroy)(Request &request, void *argument) = nullptr;
  };
  /// Told of starts and ends: buffers may be copies of what the user sees.
  class Listener {
  public:
    virtual ~Listener() = default;
    virtual void starts() = 0; ///< a persistent one, once more
    virtual void isDone() = 0; ///< the user takes the result now
  };

  Actions actions;
  void *argument = nullptr;
  CollectiveRecord *agreement = nullptr; ///< of a nonblocking one that is compared
  std::unique_ptr<Listener> listener;    ///< mostly null
};

/// An access to a file, which lives as long as it (room io).
struct FileAccess : Task {
  int64_t bytes = 0; ///< what its status says was moved
  std::shared_ptr<File> file;
  /// Called when a result with an error is taken, before the error is raised.
  void (*failed)(const File &file) = nullptr;
};

/// Grequest.h.
struct Generalised : Task {
  GrequestFunctions functions;
  bool freed = false; ///< the user's free function has been called
};

/// One end of a partitioned operation (Partitioned.h).
struct Partitioned : Task {
  struct End {
    void operator()(PartitionedSide *side) const;
  };
  std::unique_ptr<PartitionedSide, End> side;
};

template <class Kind> class RequestOf;

/// What the requests of all kinds have in common. Each is a RequestOf<Kind>, and takes no more memory
/// than its kind needs: a send that is done 80 bytes, one that is not 128, where the largest kinds take
/// four cache lines.
class Request {
public:
  using Kinds = std::tuple<NoMessage, Sent, Sending, Receiving, Exchange, Task, Collective,
                           FileAccess, Generalised, Partitioned>;

  Request(const Request &) = delete;
  Request &operator=(const Request &) = delete;

  bool persistent = false;
  bool active = false;
  bool userFreed = false; ///< MPI_Request_free on an active one: destroyed when done

private:
  uint8_t kind_; ///< its place in Kinds

public:
  uint32_t traceNumber = 0;   ///< of --comm-trace: the n-th request of its rank
  uint32_t recordSlot = 0;    ///< of --trace
  uint32_t handleNumber = 0;  ///< the user's handle (Handle.h); 0 for internal ones
  Comm *comm;                 ///< counted
  const char *name;           ///< of the call that made it, for reports
  const void *site = nullptr; ///< of that call, once it has a handle

  MPI_Request handle() const { return reinterpret_cast<MPI_Request>(uintptr_t{handleNumber}); }
  /// The operation when it is of this kind, else null.
  template <class Kind> Kind *as();
  template <class Kind> const Kind *as() const { return const_cast<Request *>(this)->as<Kind>(); }
  /// What \p visitor gives for the RequestOf<Kind> that it is.
  template <size_t Place = 0, class Visitor> decltype(auto) visitWhole(Visitor &&visitor);
  /// What \p visitor gives for its operation.
  template <class Visitor> decltype(auto) visit(Visitor &&visitor) {
    return visitWhole([&](auto &request) -> decltype(auto) { return visitor(request.operation); });
  }
  /// The receive that it is, or that an exchange has; null: none.
  Receiving *receiving() {
    auto *exchange = as<Exchange>();
    return exchange ? &exchange->parts->receive : as<Receiving>();
  }
  /// Null for messages.
  Task *task();
  /// All kinds begin with it, at the same place: this asks for no kind.
  p2p::Completion &completion();
  bool done() { return completion().done; }
  /// Of the RequestOf<Kind> that it is.
  size_t sizeBytes() const;

protected:
  Request(Comm &comm, const char *name, uint8_t kind) : kind_(kind), comm(&comm), name(name) {}
  ~Request() = default;
  /// The place of \p Kind in Kinds.
  template <class Kind> static constexpr uint8_t placeOf() {
    return []<class... All>(std::tuple<All...> *) {
      uint8_t place = 0;
      static_cast<void>(((std::is_same_v<Kind, All> || (++place, false)) || ...));
      return place;
    }(static_cast<Kinds *>(nullptr));
  }
};

template <class Kind> class RequestOf final : public Request {
public:
  /// \p comm has been retained for it.
  RequestOf(Comm &comm, const char *name) : Request(comm, name, placeOf<Kind>()) {}

  Kind operation;
};
static_assert(sizeof(RequestOf<Sent>) == 80 && sizeof(RequestOf<Sending>) == 128 &&
              sizeof(RequestOf<Receiving>) == 160);

template <class Kind> Kind *Request::as() {
  return kind_ == placeOf<Kind>() ? &static_cast<RequestOf<Kind> *>(this)->operation : nullptr;
}

template <size_t Place, class Visitor> decltype(auto) Request::visitWhole(Visitor &&visitor) {
  using Kind = std::tuple_element_t<Place, Kinds>;
  if constexpr (Place + 1 < std::tuple_size_v<Kinds>)
    if (kind_ != Place)
      return visitWhole<Place + 1>(visitor);
  return visitor(static_cast<RequestOf<Kind> &>(*this));
}

inline Task *Request::task() {
  return visit([]<class Kind>(Kind &kind) -> Task * {
    if constexpr (std::is_base_of_v<Task, Kind>)
      return &kind;
    return nullptr;
  });
}

inline size_t Request::sizeBytes() const {
  return const_cast<Request *>(this)->visitWhole([](const auto &whole) { return sizeof whole; });
}

inline p2p::Completion &Request::completion() {
  return visit([](p2p::Completion &end) -> p2p::Completion & { return end; });
}

/// Where requests come from: a pool for each kind.
class RequestPools {
public:
  /// An inactive one; \p comm has been retained for it.
  template <class Kind> RequestOf<Kind> *create(Comm &comm, const char *name) {
    return std::get<Pool<RequestOf<Kind>>>(pools_).create(comm, name);
  }
  void destroy(Request &request) {
    request.visitWhole([this](auto &whole) { destroy(whole); });
  }
  template <class Kind> void destroy(RequestOf<Kind> &whole) {
    std::get<Pool<RequestOf<Kind>>>(pools_).destroy(&whole);
  }
  size_t live() const;

private:
  template <class... Kind>
  static std::tuple<Pool<RequestOf<Kind>>...> poolsOf(std::tuple<Kind...> *);
  decltype(poolsOf(static_cast<Request::Kinds *>(nullptr))) pools_;
};

/// An active request for work that something else ends. \p name is the MPI function's.
Request *newTask(Comm &comm, const char *name);
/// An active request for a collective.
Request *newCollective(Comm &comm, const char *name);
/// An inactive persistent one.
Request *newPersistentCollective(Comm &comm, const char *name, Collective::Actions actions,
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
