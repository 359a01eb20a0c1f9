// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Point-to-point operations on communicators and datatypes: PointToPoint.h and Operations.h over
/// room p2p.
#include "mpi/request/PointToPoint.h"

#include "mpi/comm/CollectiveLedger.h"
#include "mpi/datatype/Signature.h"
#include "mpi/datatype/TypedCopy.h"
#include "mpi/request/ArrivalOrder.h"
#include "mpi/request/Grequest.h"
#include "mpi/request/Operations.h"
#include "mpi/request/Partitioned.h"
#include "mpi/request/WaitNote.h"
#include "support/Check.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gnomon::mpi {

namespace {

static_assert(static_cast<int>(SendMode::Instant) == static_cast<int>(p2p::SendMode::Instant));

p2p::Fabric &fabric() { return runtime().fabric; }

void postSend(Comm &comm, Channel channel, int dest, int tag, const Datatype &type,
              const p2p::Buffer &payload, SendMode mode, bool nonblocking, p2p::Send &send) {
  send.signature = channel == Channel::User ? type.signature() : 0;
  p2p::Envelope envelope{comm.context(channel), comm.rank(), tag};
  fabric().post(comm.owner().number, comm.process(dest), envelope, payload,
                static_cast<p2p::SendMode>(mode), nonblocking, send);
}

void prepare(Comm &comm, Channel channel, int source, int tag, const Datatype &type,
             const p2p::Buffer &buffer, p2p::Receive &receive) {
  receive.signature = channel == Channel::User ? type.signature() : 0;
  receive.pattern = {comm.context(channel), source, tag};
  receive.buffer = buffer;
  receive.receiver = comm.owner().number;
}

void postReceive(Comm &comm, Channel channel, int source, int tag, const Datatype &type,
                 const p2p::Buffer &buffer, p2p::Receive &receive) {
  prepare(comm, channel, source, tag, type, buffer, receive);
  fabric().post(receive);
}

[[gnu::cold]] int truncated(Comm &comm, const p2p::Receive &receive) {
  return fail(comm.owner(), MPI_ERR_TRUNCATE,
              fmt::format("a message of {} bytes from rank {}, tag {}, does not fit the receive "
                          "buffer of {} bytes on rank {} of {}",
                          receive.result.messageBytes, receive.result.source, receive.result.tag,
                          receive.buffer.bytes, comm.rank(), describe(comm)),
              &comm);
}

/// Other data was received than sent: a note or, when asked for, an error.
[[gnu::cold]] int differing(Comm &comm, const p2p::Receive &receive) {
  const Checks &checks = runtime().settings.checks;
  const p2p::Receive::Result &result = receive.result;
  if (!checks.types || result.messageBytes == 0 ||
      !signaturesDiffer(result.sentSignature, receive.signature,
                        static_cast<int64_t>(result.messageBytes)))
    return MPI_SUCCESS;
  const std::string text = fmt::format(
      "a receive of {} got what rank {} of {} sent as {}, tag {}", signatureText(receive.signature),
      result.source, describe(comm), signatureText(result.sentSignature), result.tag);
  if (checks.typesAreErrors)
    return fail(comm.owner(), MPI_ERR_TYPE, text, &comm);
  runtime().notes.add(comm.owner(), text);
  return MPI_SUCCESS;
}

/// Status and error class of a done receive.
int resultOf(Comm &comm, const p2p::Receive &receive, MPI_Status *status) {
  if (receive.cancelled) {
    setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
    return MPI_SUCCESS;
  }
  const p2p::Receive::Result &result = receive.result;
  setStatus(status, result.source, result.tag,
            static_cast<int64_t>(std::min(result.messageBytes, receive.buffer.bytes)));
  if (receive.truncated()) [[unlikely]]
    return truncated(comm, receive);
  if (result.sentSignature != receive.signature) [[unlikely]]
    return differing(comm, receive);
  return MPI_SUCCESS;
}

[[gnu::noinline]] void parkSend(Comm &comm, Channel channel, int dest, int tag, uint64_t bytes,
                                p2p::Send &send) {
  WaitNote note{WaitNote::Kind::Send, &comm, channel, dest, tag, static_cast<int64_t>(bytes)};
  Waiting waiting(comm.owner(), note);
  fabric().wait(send);
}

/// Detached sends are done.
inline void waitSend(Comm &comm, Channel channel, int dest, int tag, uint64_t bytes,
                     p2p::Send &send) {
  if (!send.done)
    parkSend(comm, channel, dest, tag, bytes, send);
}

[[gnu::always_inline]] inline void waitReceive(Comm &comm, Channel channel, p2p::Receive &receive) {
  if (!receive.done) {
    WaitNote note{WaitNote::Kind::Receive, &comm, channel, receive.pattern.source,
                  receive.pattern.tag};
    Waiting waiting(comm.owner(), note);
    fabric().wait(receive);
  }
  fabric().payReceive(receive);
}

/// Whether none of what is sent lies where something is received.
bool areApart(const p2p::Buffer &sent, const p2p::Buffer &received) {
  if (sent.type || received.type) // not one block each
    return false;
  const auto from = reinterpret_cast<uintptr_t>(sent.address);
  const auto to = reinterpret_cast<uintptr_t>(received.address);
  return from + sent.bytes <= to || to + received.bytes <= from;
}

p2p::Buffer bufferOf(const Transfer &transfer) {
  return mpi::bufferOf(transfer.buffer, transfer.count, *transfer.type);
}

/// The helper fiber of an exchange: its end is that of its two parts.
void awaitExchange(void *argument) {
  auto &exchange = *static_cast<Exchange *>(argument);
  kernel::Engine &engine = runtime().world.engine;
  kernel::Fiber *own = engine.current();
  for (p2p::Completion *part : {static_cast<p2p::Completion *>(&exchange.parts->receive),
                                static_cast<p2p::Completion *>(&exchange.parts->send)})
    if (!part->done)
      fabric().wait(*part);
  fabric().complete(exchange);
  // Nobody stands on this stack any more when the scheduler plays its next event.
  engine.at(engine.now(), {[](void *fiber, uint64_t) {
                             runtime().world.engine.release(*static_cast<kernel::Fiber *>(fiber));
                           },
                           own, 0});
}

/// Receives of one rank are paid one after another in order of completion, each as soon as the rank
/// waits: the date at which the last one is paid, for a rank that began to wait at \p begin.
SimTime payAll(const process::World &world, SimTime begin, std::span<Request *const> requests) {
  std::vector<std::pair<SimTime, double>> costs;
  for (Request *request : requests) {
    const Receiving *receiving = isActive(request) ? request->receiving() : nullptr;
    if (!receiving || !receiving->senderDetached)
      continue;
    double seconds = world.protocol.receiveSeconds(receiving->result.messageBytes);
    if (seconds > 0)
      costs.emplace_back(receiving->completedAt, seconds);
  }
  std::sort(costs.begin(), costs.end());
  SimTime paid = begin;
  for (auto [completed, seconds] : costs)
    paid = std::max(paid, completed) + seconds;
  return paid;
}

void setWaiter(std::span<Request *const> requests, p2p::Waiter *waiter) {
  for (Request *request : requests)
    if (isActive(request) && !request->done())
      request->completion().waiter = waiter;
}

void postOrdered(Comm &comm, Receiving &receiving) {
  if (anyArrivals() && receiving.isOpen()) [[unlikely]]
    orderReceive(comm, receiving);
  fabric().post(receiving);
}

// The start of an operation of each kind. What has not been started before is as it was made.
void post(Request &, NoMessage &nothing) {
  static_cast<p2p::Completion &>(nothing) = {};
  nothing.done = true;
}
void post(Request &request, Sending &sending) {
  const Transfer &transfer = sending.transfer;
  if (request.persistent)
    static_cast<p2p::Send &>(sending) = {};
  postSend(*request.comm, transfer.channel, transfer.peer, transfer.tag, *transfer.type,
           bufferOf(transfer), sending.mode, true, sending);
}
void post(Request &request, Receiving &receiving) {
  if (request.persistent) {
    p2p::Receive again;
    again.signature = receiving.signature;
    again.pattern = receiving.asked();
    again.receiver = receiving.receiver;
    again.buffer = receiving.buffer;
    if (again.buffer.address) // it may have been folded meanwhile
      again.buffer = bufferOf(again.buffer.address, again.buffer.count, *receiving.type);
    static_cast<p2p::Receive &>(receiving) = again;
    receiving.isFromAny = receiving.isOfAnyTag = 0;
  }
  postOrdered(*request.comm, receiving);
}
void post(Request &request, Collective &collective) {
  static_cast<p2p::Completion &>(collective) = {};
  if (collective.listener) [[unlikely]]
    collective.listener->starts();
  if (collective.actions.start)
    collective.actions.start(request, collective.argument);
}
void post(Request &, Partitioned &partitioned) {
  static_cast<p2p::Completion &>(partitioned) = {};
  startPartitioned(*partitioned.side);
}
void post(Request &, p2p::Completion &) {
  CHECK(false, "what has no persistent form is started when it is made");
}

// Status and error class of a done operation of each kind. \p paid: the receive's cost is charged.
int resultOf(Request &, NoMessage &, MPI_Status *status, bool) {
  setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  return MPI_SUCCESS;
}
int resultOf(Request &, Sending &sending, MPI_Status *status, bool) {
  setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, sending.cancelled);
  return MPI_SUCCESS;
}
int resultOf(Request &, Sent &sent, MPI_Status *status, bool) {
  setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, sent.cancelled);
  return MPI_SUCCESS;
}
/// To those who record the run.
[[gnu::cold]] void tell(Request &request, Receiving &receiving) {
  if (receiving.isRecorded)
    tellReceived(*request.comm, receiving);
  receiving.isRecorded = 0;
  if (receiving.tracePlace || receiving.recordNumber)
    runtime().received(request);
}
[[gnu::always_inline]] inline int resultOf(Request &request, Receiving &receiving,
                                           MPI_Status *status, bool paid) {
  if (!paid && !receiving.cancelled)
    fabric().payReceive(receiving);
  const int error = resultOf(*request.comm, receiving, status);
  if (receiving.tracePlace || receiving.recordNumber || receiving.isRecorded) [[unlikely]]
    tell(request, receiving);
  return error;
}
[[gnu::noinline]] int resultOf(Request &request, Exchange &exchange, MPI_Status *status,
                               bool paid) {
  if (exchange.parts->receive.pattern.source != MPI_PROC_NULL)
    return resultOf(request, exchange.parts->receive, status, paid);
  setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  return MPI_SUCCESS;
}
int resultOf(Request &, Task &task, MPI_Status *status, bool) {
  setEmptyStatus(status);
  return task.error;
}
int resultOf(Request &, FileAccess &access, MPI_Status *status, bool) {
  setEmptyStatus(status);
  if (status)
    setStatusBytes(*status, access.bytes);
  return access.error;
}
int resultOf(Request &request, Collective &collective, MPI_Status *status, bool) {
  setEmptyStatus(status);
  const int error =
      collective.agreement ? endAgreement(request, collective.error) : collective.error;
  if (collective.listener) [[unlikely]]
    collective.listener->isDone();
  return error;
}
int resultOf(Request &request, Generalised &, MPI_Status *status, bool) {
  return finishGrequest(request, status);
}

/// The end of a message's request, as destroy() would make it: nothing else ends with it.
template <class Kind> void endMessage(Request &request) {
  request.active = false;
  if (request.persistent)
    return;
  if (request.handleNumber)
    erase<Request>(request.comm->owner(), request.handle());
  request.comm->release();
  runtime().requests.destroy(static_cast<RequestOf<Kind> &>(request));
}

} // namespace

int send(const void *buffer, int64_t count, const Datatype &type, int dest, int tag, Comm &comm,
         Channel channel, SendMode mode) {
  if (dest == MPI_PROC_NULL)
    return MPI_SUCCESS;
  p2p::Send send;
  p2p::Buffer payload = bufferOf(buffer, count, type);
  postSend(comm, channel, dest, tag, type, payload, mode, false, send);
  waitSend(comm, channel, dest, tag, payload.bytes, send);
  return MPI_SUCCESS;
}

int recv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
         Channel channel, MPI_Status *status) {
  if (source == MPI_PROC_NULL) {
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  p2p::Receive receive;
  postReceive(comm, channel, source, tag, type, bufferOf(buffer, count, type), receive);
  waitReceive(comm, channel, receive);
  return resultOf(comm, receive, status);
}

int endReceive(Comm &comm, const p2p::Receive &receive) { return resultOf(comm, receive, nullptr); }

int sendrecv(const void *sendBuffer, int64_t sendCount, const Datatype &sendType, int dest,
             int sendTag, void *recvBuffer, int64_t recvCount, const Datatype &recvType, int source,
             int recvTag, Comm &comm, Channel channel, MPI_Status *status, SendMode mode) {
  if (source == MPI_PROC_NULL) {
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return send(sendBuffer, sendCount, sendType, dest, sendTag, comm, channel, mode);
  }
  p2p::Send send;
  const p2p::Buffer payload = bufferOf(sendBuffer, sendCount, sendType);
  const p2p::Buffer incoming = bufferOf(recvBuffer, recvCount, recvType);
  // Only the algorithms of collectives surely leave a buffer alone that they send from.
  send.lends = channel == Channel::Collective && areApart(payload, incoming);
  if (dest == MPI_PROC_NULL)
    send.done = true;
  else
    postSend(comm, channel, dest, sendTag, sendType, payload, mode, true, send);
  p2p::Receive receive;
  postReceive(comm, channel, source, recvTag, recvType, incoming, receive);
  waitReceive(comm, channel, receive);
  waitSend(comm, channel, dest, sendTag, payload.bytes, send);
  fabric().takeBack(send);
  return resultOf(comm, receive, status);
}

Request *newSend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
                 Comm &comm, Channel channel, SendMode mode, const char *name) {
  if (dest == MPI_PROC_NULL)
    return newRequest<NoMessage>(comm, name);
  RequestOf<Sending> *request = newRequest<Sending>(comm, name);
  request->operation.mode = mode;
  request->operation.transfer = {const_cast<void *>(buffer), count, type, dest, tag, channel};
  return request;
}

Request *newReceive(void *buffer, int64_t count, const Datatype &type, int source, int tag,
                    Comm &comm, Channel channel, const char *name) {
  if (source == MPI_PROC_NULL)
    return newRequest<NoMessage>(comm, name);
  RequestOf<Receiving> *request = newRequest<Receiving>(comm, name);
  request->operation.type = type;
  prepare(comm, channel, source, tag, type, bufferOf(buffer, count, type), request->operation);
  return request;
}

Request *startExchange(const void *sendBuffer, int64_t sendCount, const Datatype &sendType,
                       int dest, int sendTag, void *recvBuffer, int64_t recvCount,
                       const Datatype &recvType, int source, int recvTag, Comm &comm,
                       const char *name) {
  RequestOf<Exchange> *request = newRequest<Exchange>(comm, name);
  request->active = true;
  Exchange &exchange = request->operation;
  auto &[receive, send, sent] = *exchange.parts;
  receive.type = recvType;
  prepare(comm, Channel::User, source, recvTag, recvType, bufferOf(recvBuffer, recvCount, recvType),
          receive);
  // In the order of MPI_Sendrecv.
  if (dest == MPI_PROC_NULL)
    send.done = true;
  else
    postSend(comm, Channel::User, dest, sendTag, sendType,
             bufferOf(sendBuffer, sendCount, sendType), SendMode::Standard, true, send);
  if (source == MPI_PROC_NULL)
    receive.done = true;
  else
    postOrdered(comm, receive);
  if (send.done && receive.done)
    exchange.done = true;
  else
    runtime().world.engine.spawn(awaitExchange, &exchange, &comm.owner());
  return request;
}

void start(Request &request) {
  CHECK(!request.active, "a request is started when it is inactive");
  request.active = true;
  request.visit([&](auto &operation) { post(request, operation); });
}

Request *startSend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
                   Comm &comm, Channel channel, SendMode mode, const char *name) {
  const p2p::Buffer payload = bufferOf(buffer, count, type);
  if (dest == MPI_PROC_NULL ||
      !fabric().isDetached(payload.bytes, static_cast<p2p::SendMode>(mode))) {
    Request *request = newSend(buffer, count, type, dest, tag, comm, channel, mode, name);
    start(*request);
    return request;
  }
  p2p::Send send;
  postSend(comm, channel, dest, tag, type, payload, mode, true, send);
  RequestOf<Sent> *request = newRequest<Sent>(comm, name);
  request->active = true;
  Sent &sent = request->operation;
  static_cast<p2p::Completion &>(sent) = send;
  sent.peer = dest;
  sent.tag = tag;
  sent.sequence = send.sequence;
  return request;
}

Request *isend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
               Comm &comm, Channel channel, SendMode mode) {
  return startSend(buffer, count, type, dest, tag, comm, channel, mode, "");
}

Request *irecv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
               Channel channel) {
  Request *request = newReceive(buffer, count, type, source, tag, comm, channel, "");
  start(*request);
  return request;
}

void waitDone(Request &request) {
  if (request.done())
    return;
  Request *one = &request;
  WaitNote note{WaitNote::Kind::All};
  note.requests = {&one, 1};
  Waiting waiting(request.comm->owner(), note);
  fabric().wait(request.completion());
}

void waitAllDone(process::Rank &rank, std::span<Request *const> requests) {
  const process::World &world = runtime().world;
  SimTime begin = world.engine.now();
  p2p::Waiter waiter{world.engine.current(), 0};
  for (Request *request : requests)
    if (isActive(request) && !request->done() && request->completion().waiter != &waiter) {
      CHECK(!request->completion().waiter, "one fiber waits for a request");
      request->completion().waiter = &waiter;
      ++waiter.remaining;
    }
  if (waiter.remaining > 0) {
    WaitNote note{WaitNote::Kind::All};
    note.requests = requests;
    Waiting waiting(rank, note);
    world.engine.park();
  }
  if (!fabric().takesCpuTime())
    return;
  SimTime paid = payAll(world, begin, requests);
  if (paid > world.engine.now())
    world.engine.sleep(paid - world.engine.now());
}

void waitAnyDone(process::Rank &rank, std::span<Request *const> requests) {
  for (Request *request : requests)
    if (isActive(request) && request->done())
      return;
  kernel::Engine &engine = runtime().world.engine;
  p2p::Waiter waiter{engine.current(), 1};
  setWaiter(requests, &waiter);
  {
    WaitNote note{WaitNote::Kind::Any};
    note.requests = requests;
    Waiting waiting(rank, note);
    engine.park();
  }
  setWaiter(requests, nullptr);
}

int finish(Request &request, MPI_Status *status, bool paid) {
  if (auto *receiving = request.as<Receiving>()) {
    const int error = resultOf(request, *receiving, status, paid);
    endMessage<Receiving>(request);
    return error;
  }
  if (auto *sent = request.as<Sent>()) {
    const int error = resultOf(request, *sent, status, paid);
    endMessage<Sent>(request);
    return error;
  }
  if (auto *sending = request.as<Sending>()) {
    const int error = resultOf(request, *sending, status, paid);
    endMessage<Sending>(request);
    return error;
  }
  const int error =
      request.visit([&](auto &operation) { return resultOf(request, operation, status, paid); });
  request.active = false;
  if (!request.persistent)
    destroy(request);
  return error;
}

int wait(Request *request, MPI_Status *status) {
  waitDone(*request);
  return finish(*request, status, false);
}

int waitAll(std::span<Request *> requests) {
  if (requests.empty())
    return MPI_SUCCESS;
  auto first = std::find_if(requests.begin(), requests.end(), [](Request *r) { return r; });
  if (first == requests.end())
    return MPI_SUCCESS;
  waitAllDone((*first)->comm->owner(), requests);
  int error = MPI_SUCCESS;
  for (Request *request : requests)
    if (request)
      if (int result = finish(*request, nullptr, true); result && !error)
        error = result;
  return error;
}

} // namespace gnomon::mpi
