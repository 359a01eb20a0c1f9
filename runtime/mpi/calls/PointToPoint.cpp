// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's point-to-point functions: sends, receives, probes, matched probes.
#include "mpi/request/PointToPoint.h"
#include "impl/Impl.h"
#include "mpi/Session.h"
#include "mpi/datatype/TypedCopy.h"
#include "mpi/request/ArrivalOrder.h"
#include "mpi/request/Message.h"
#include "mpi/request/Operations.h"
#include "mpi/request/Polling.h"
#include "mpi/request/WaitNote.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace gnomon::mpi {

template <> Message *findPredefined<Message>(process::Rank &, MPI_Message handle) {
  static Message noProcess;
  return handle == MPI_MESSAGE_NO_PROC ? &noProcess : nullptr;
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

int begin(Request *request, MPI_Request *handle) {
  if (runtime().settings.checks.buffers) [[unlikely]]
    checkOverlap(currentState(), *request);
  start(*request);
  *handle = expose(*request);
  return MPI_SUCCESS;
}

int beginSend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
              Comm &comm, SendMode mode, const char *name, MPI_Request *handle) {
  if (runtime().settings.checks.buffers) [[unlikely]] // looks at it before it is posted
    return begin(newSend(buffer, count, type, dest, tag, comm, Channel::User, mode, name), handle);
  *handle = expose(*startSend(buffer, count, type, dest, tag, comm, Channel::User, mode, name));
  return MPI_SUCCESS;
}

int prepare(Request *request, MPI_Request *handle) {
  request->persistent = true;
  *handle = expose(*request);
  return MPI_SUCCESS;
}

/// The buffer of a communicator's buffered sends: its own, else the program's, else that of a
/// session. (Which session made a communicator is not kept: any of the rank's may serve.)
const AttachedBuffer &attachedTo(const Comm &comm) {
  RankState &own = state(comm.owner());
  if (comm.attached && comm.attached->isAttached())
    return *comm.attached;
  const AttachedBuffer *found = &own.rare().attached;
  if (!found->isAttached() && own.openSessions > 0)
    handleTable(own.rank, HandleKind::Session).forEach([&](void *session) {
      if (!found->isAttached())
        found = &static_cast<Session *>(session)->buffer;
    });
  return *found;
}

/// Gnomon does not track what earlier messages occupy (Buffer.cpp).
int checkAttached(Comm &comm, int64_t count, const Datatype &type) {
  const AttachedBuffer &attached = attachedTo(comm);
  int64_t needed = count * type.size() + MPI_BSEND_OVERHEAD;
  if (attached.holds(needed))
    return MPI_SUCCESS;
  return fail(comm.owner(), MPI_ERR_BUFFER,
              fmt::format("the message needs {} bytes of attached buffer (MPI_BSEND_OVERHEAD "
                          "included), {} are attached",
                          needed, attached.bytes),
              &comm);
}

/// A copy of what a call that replaces its buffer sends.
std::unique_ptr<char[]> packed(const void *buf, int64_t count, const Datatype &type) {
  const int64_t bytes = count * type.size();
  auto copy = std::make_unique_for_overwrite<char[]>(static_cast<size_t>(bytes));
  packBytes(buf, count, type, copy.get(), bytes);
  return copy;
}

p2p::Envelope pattern(const Comm &comm, int source, int tag) {
  return {comm.context(Channel::User), source, tag};
}

/// Whether a receive may be one of which only the message says where it comes from, or how it is tagged.
bool mayBeOpen(int source, int tag) { return (source | tag) < 0; }

/// Such a receive, which \p receive does: of what may be in \p source and \p tag by then (OpenReceive).
template <class Receive>
int receiveOpen(Comm &comm, int &source, int &tag, MPI_Status *status, const Receive &receive) {
  MPI_Status own;
  MPI_Status *told = status ? status : &own;
  OpenReceive open(comm, source, tag);
  const int error = receive(told);
  open.got(told->MPI_SOURCE, told->MPI_TAG);
  return error;
}

// Functions of their own, since what they take the address of would lie in memory in the common way, too.
[[gnu::noinline]] int recvOpen(void *buf, MPI_Count count, Datatype &datatype, int source, int tag,
                               Comm &comm, MPI_Status *status) {
  return receiveOpen(comm, source, tag, status, [&](MPI_Status *told) {
    return recv(buf, count, datatype, source, tag, comm, Channel::User, told);
  });
}

[[gnu::noinline]] int sendrecvOpen(const void *sendbuf, MPI_Count sendcount, Datatype &sendtype,
                                   int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                                   Datatype &recvtype, int source, int recvtag, Comm &comm,
                                   MPI_Status *status) {
  return receiveOpen(comm, source, recvtag, status, [&](MPI_Status *told) {
    return sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, Channel::User, told);
  });
}

void setProbed(MPI_Status *status, const p2p::ProbeResult &probed) {
  setStatus(status, probed.source, probed.tag, static_cast<int64_t>(probed.bytes));
}

/// One poll for a message.
p2p::ProbeResult probe(Comm &comm, int source, int tag) {
  RankState &own = state(comm.owner());
  const p2p::Envelope wanted = pattern(comm, source, tag);
  p2p::ProbeResult probed;
  poll(own, own.runtime.world.protocol.iprobeSeconds(), own.failedProbes,
       {.message = &wanted, .comm = &comm}, [&] {
         probed = findsMessage(own, comm, wanted);
         return probed.message != nullptr;
       });
  return probed;
}

/// Pays for one poll, then parks until the message is there. (SMPI polls in a loop, and notices a
/// message only at the next poll.)
p2p::ProbeResult probeUntilThere(Comm &comm, int source, int tag) {
  RankState &own = state(comm.owner());
  payPoll(own, own.runtime.world.protocol.iprobeSeconds(), 0);
  OpenReceive open(comm, source, tag);
  WaitNote note{WaitNote::Kind::Probe, &comm, Channel::User, source, tag};
  Waiting waiting(comm.owner(), note);
  const p2p::ProbeResult probed =
      own.runtime.fabric.waitForMessage(own.rank.number, pattern(comm, source, tag));
  open.got(probed.source, probed.tag);
  return probed;
}

MPI_Message takeOut(Comm &comm, const p2p::ProbeResult &probed) {
  state(comm.owner()).runtime.fabric.extract(*probed.message);
  auto *message = new Message{probed.message, &comm};
  comm.retain();
  return insert<Message>(comm.owner(), message);
}

/// A request that receives a message taken out by a matched probe; null when the handle names none.
Request *startMatched(void *buffer, int64_t count, Datatype &type, MPI_Message *handle,
                      const char *name) {
  process::Rank &rank = *process::currentRank();
  Message *message = find<Message>(rank, *handle);
  if (!message) {
    fail(rank, MPI_ERR_REQUEST, "invalid message: the handle names no matched message");
    return nullptr;
  }
  if (message->message) // not MPI_MESSAGE_NO_PROC
    erase<Message>(rank, *handle);
  *handle = MPI_MESSAGE_NULL;
  Comm &comm = message->message ? *message->comm : *state(rank).world;
  int source = message->message ? message->message->envelope.source : MPI_PROC_NULL;
  int tag = message->message ? message->message->envelope.tag : MPI_ANY_TAG;
  Request *request = newReceive(buffer, count, type, source, tag, comm, Channel::User, name);
  if (!message->message) {
    start(*request);
    return request;
  }
  request->active = true;
  Receiving &receiving = *request->as<Receiving>();
  state(rank).runtime.fabric.receiveExtracted(*message->message, receiving);
  comm.release();
  delete message;
  return request;
}

} // namespace

int Send(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm) {
  return send(buf, count, datatype, dest, tag, comm, Channel::User);
}

int Ssend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm) {
  return send(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Synchronous);
}

int Rsend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm) {
  return send(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Ready);
}

int Bsend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm) {
  if (int error = checkAttached(comm, count, datatype))
    return error;
  return send(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Buffered);
}

int Recv(void *buf, MPI_Count count, Datatype &datatype, int source, int tag, Comm &comm,
         MPI_Status *status) {
  if (mayBeOpen(source, tag)) [[unlikely]]
    return recvOpen(buf, count, datatype, source, tag, comm, status);
  return recv(buf, count, datatype, source, tag, comm, Channel::User, status);
}

int Sendrecv(const void *sendbuf, MPI_Count sendcount, Datatype &sendtype, int dest, int sendtag,
             void *recvbuf, MPI_Count recvcount, Datatype &recvtype, int source, int recvtag,
             Comm &comm, MPI_Status *status) {
  if (mayBeOpen(source, recvtag)) [[unlikely]]
    return sendrecvOpen(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                        source, recvtag, comm, status);
  return sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                  recvtag, comm, Channel::User, status);
}

int Sendrecv_replace(void *buf, MPI_Count count, Datatype &datatype, int dest, int sendtag,
                     int source, int recvtag, Comm &comm, MPI_Status *status) {
  const auto copy = packed(buf, count, datatype);
  return receiveOpen(comm, source, recvtag, status, [&](MPI_Status *told) {
    return sendrecv(copy.get(), count * datatype.size(), Datatype::predefined(MPI_PACKED), dest,
                    sendtag, buf, count, datatype, source, recvtag, comm, Channel::User, told);
  });
}

int Isendrecv(const void *sendbuf, MPI_Count sendcount, Datatype &sendtype, int dest, int sendtag,
              void *recvbuf, MPI_Count recvcount, Datatype &recvtype, int source, int recvtag,
              Comm &comm, MPI_Request *request) {
  *request = expose(*startExchange(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                   recvtype, source, recvtag, comm, "MPI_Isendrecv"));
  return MPI_SUCCESS;
}

int Isendrecv_replace(void *buf, MPI_Count count, Datatype &datatype, int dest, int sendtag,
                      int source, int recvtag, Comm &comm, MPI_Request *request) {
  auto copy = packed(buf, count, datatype);
  Request *started =
      startExchange(copy.get(), count * datatype.size(), Datatype::predefined(MPI_PACKED), dest,
                    sendtag, buf, count, datatype, source, recvtag, comm, "MPI_Isendrecv_replace");
  started->as<Exchange>()->parts->sent = std::move(copy);
  *request = expose(*started);
  return MPI_SUCCESS;
}

int Isend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
          MPI_Request *request) {
  return beginSend(buf, count, datatype, dest, tag, comm, SendMode::Standard, "MPI_Isend", request);
}

int Issend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
           MPI_Request *request) {
  return beginSend(buf, count, datatype, dest, tag, comm, SendMode::Synchronous, "MPI_Issend",
                   request);
}

int Irsend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
           MPI_Request *request) {
  return beginSend(buf, count, datatype, dest, tag, comm, SendMode::Ready, "MPI_Irsend", request);
}

int Ibsend(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
           MPI_Request *request) {
  if (int error = checkAttached(comm, count, datatype))
    return error;
  return beginSend(buf, count, datatype, dest, tag, comm, SendMode::Buffered, "MPI_Ibsend",
                   request);
}

int Irecv(void *buf, MPI_Count count, Datatype &datatype, int source, int tag, Comm &comm,
          MPI_Request *request) {
  return begin(newReceive(buf, count, datatype, source, tag, comm, Channel::User, "MPI_Irecv"),
               request);
}

int Send_init(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
              MPI_Request *request) {
  return prepare(newSend(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Standard,
                         "MPI_Send_init"),
                 request);
}

int Ssend_init(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
               MPI_Request *request) {
  return prepare(newSend(buf, count, datatype, dest, tag, comm, Channel::User,
                         SendMode::Synchronous, "MPI_Ssend_init"),
                 request);
}

int Rsend_init(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
               MPI_Request *request) {
  return prepare(newSend(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Ready,
                         "MPI_Rsend_init"),
                 request);
}

int Bsend_init(const void *buf, MPI_Count count, Datatype &datatype, int dest, int tag, Comm &comm,
               MPI_Request *request) {
  return prepare(newSend(buf, count, datatype, dest, tag, comm, Channel::User, SendMode::Buffered,
                         "MPI_Bsend_init"),
                 request);
}

int Recv_init(void *buf, MPI_Count count, Datatype &datatype, int source, int tag, Comm &comm,
              MPI_Request *request) {
  return prepare(
      newReceive(buf, count, datatype, source, tag, comm, Channel::User, "MPI_Recv_init"), request);
}

int Probe(int source, int tag, Comm &comm, MPI_Status *status) {
  if (source == MPI_PROC_NULL)
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  else
    setProbed(status, probeUntilThere(comm, source, tag));
  return MPI_SUCCESS;
}

int Iprobe(int source, int tag, Comm &comm, int *flag, MPI_Status *status) {
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  p2p::ProbeResult probed = probe(comm, source, tag);
  *flag = probed.message != nullptr;
  if (*flag)
    setProbed(status, probed);
  return MPI_SUCCESS;
}

int Mprobe(int source, int tag, Comm &comm, MPI_Message *message, MPI_Status *status) {
  if (source == MPI_PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  p2p::ProbeResult probed = probeUntilThere(comm, source, tag);
  setProbed(status, probed);
  *message = takeOut(comm, probed);
  return MPI_SUCCESS;
}

int Improbe(int source, int tag, Comm &comm, int *flag, MPI_Message *message, MPI_Status *status) {
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  p2p::ProbeResult probed = probe(comm, source, tag);
  *flag = probed.message != nullptr;
  *message = MPI_MESSAGE_NULL;
  if (*flag) {
    setProbed(status, probed);
    *message = takeOut(comm, probed);
  }
  return MPI_SUCCESS;
}

int Mrecv(void *buf, MPI_Count count, Datatype &datatype, MPI_Message *message,
          MPI_Status *status) {
  Request *request = startMatched(buf, count, datatype, message, "MPI_Mrecv");
  if (!request)
    return MPI_ERR_REQUEST;
  waitDone(*request);
  return finish(*request, status, false);
}

int Imrecv(void *buf, MPI_Count count, Datatype &datatype, MPI_Message *message,
           MPI_Request *request) {
  Request *started = startMatched(buf, count, datatype, message, "MPI_Imrecv");
  if (!started)
    return MPI_ERR_REQUEST;
  *request = expose(*started);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
