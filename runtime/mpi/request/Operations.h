// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts of point-to-point calls that several MPI functions share: making requests, starting
/// them, waiting for one, all or any of them, taking their results.
#pragma once

#include "mpi/RankState.h"
#include "mpi/request/Request.h"
#include "mpi/request/Status.h"

#include <span>

namespace gnomon::mpi {

/// A new inactive request for an operation of this kind.
template <class Kind> RequestOf<Kind> *newRequest(Comm &comm, const char *name) {
  comm.retain();
  return runtime().requests.create<Kind>(comm, name);
}

/// A new inactive request; \p peer may be MPI_PROC_NULL.
Request *newSend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
                 Comm &comm, Channel channel, SendMode mode, const char *name);
Request *newReceive(void *buffer, int64_t count, const Datatype &type, int source, int tag,
                    Comm &comm, Channel channel, const char *name);
/// An active request for a send that has been posted. One that is done by then keeps less than
/// newSend() would (Sent).
Request *startSend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
                   Comm &comm, Channel channel, SendMode mode, const char *name);
/// Posts a send and a receive, either of which may be with MPI_PROC_NULL; the request, which is
/// active, is done when both are, and its status is the receive's.
Request *startExchange(const void *sendBuffer, int64_t sendCount, const Datatype &sendType,
                       int dest, int sendTag, void *recvBuffer, int64_t recvCount,
                       const Datatype &recvType, int source, int recvTag, Comm &comm,
                       const char *name);
/// Posts it. It must be inactive.
void start(Request &request);

/// Parks until the (active) request is done.
void waitDone(Request &request);
/// Parks until all active requests are done, and charges what their receives cost; null ones are
/// skipped.
void waitAllDone(process::Rank &rank, std::span<Request *const> requests);
/// Parks until at least one active request is done. There must be an active one.
void waitAnyDone(process::Rank &rank, std::span<Request *const> requests);

/// Takes the result of a done request: its status (may be null), its error class; a persistent
/// request becomes inactive, another one is destroyed. \p paid: the receive's cost has been charged
/// (waitAllDone).
int finish(Request &request, MPI_Status *status, bool paid);

/// Whether nothing is to be said of a receive that is done.
inline bool isPlain(const p2p::Receive &receive) {
  return !receive.cancelled && !receive.truncated() &&
         receive.result.sentSignature == receive.signature;
}
/// The error class of a receive that is done.
int endReceive(Comm &comm, const p2p::Receive &receive);

/// Whether waiting for it means anything: active.
inline bool isActive(const Request *request) { return request && request->active; }

} // namespace gnomon::mpi
