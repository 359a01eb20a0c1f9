// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on the buffers of buffered sends (MPI 4.1, section 3.6). Payloads are kept by
/// room p2p like those of any detached send; an attached buffer is only asked whether it would hold
/// a message. So detaching and flushing return at once. (A real MPI waits until the messages have
/// left.)
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "mpi/Session.h"
#include "mpi/request/Operations.h"

namespace gnomon::impl {

using namespace mpi;

namespace {

int attach(AttachedBuffer &attached, void *buffer, int64_t size, Comm *comm) {
  if (attached.isAttached())
    return fail(*process::currentRank(), MPI_ERR_BUFFER, "a buffer is attached already", comm);
  attached = {buffer, buffer == MPI_BUFFER_AUTOMATIC ? 0 : size};
  return MPI_SUCCESS;
}

int detach(AttachedBuffer &attached, void *address, MPI_Count *size) {
  *static_cast<void **>(address) = attached.address;
  *size = attached.bytes;
  attached = {};
  return MPI_SUCCESS;
}

/// A request for what is done already.
int finished(Comm &comm, MPI_Request *request, const char *name) {
  Request *task = newTask(comm, name);
  completeTask(*task);
  *request = expose(*task);
  return MPI_SUCCESS;
}

} // namespace

int Buffer_attach(void *buffer, MPI_Count size) {
  return attach(currentState().rare().attached, buffer, size, nullptr);
}
int Buffer_detach(void *buffer_addr, MPI_Count *size) {
  return detach(currentState().rare().attached, buffer_addr, size);
}
int Buffer_flush() { return MPI_SUCCESS; }
int Buffer_iflush(MPI_Request *request) {
  return finished(*currentState().world, request, "MPI_Buffer_iflush");
}

int Comm_attach_buffer(Comm &comm, void *buffer, MPI_Count size) {
  if (!comm.attached)
    comm.attached = std::make_unique<AttachedBuffer>();
  return attach(*comm.attached, buffer, size, &comm);
}
int Comm_detach_buffer(Comm &comm, void *buffer_addr, MPI_Count *size) {
  AttachedBuffer none;
  return detach(comm.attached ? *comm.attached : none, buffer_addr, size);
}
int Comm_flush_buffer(Comm &) { return MPI_SUCCESS; }
int Comm_iflush_buffer(Comm &comm, MPI_Request *request) {
  return finished(comm, request, "MPI_Comm_iflush_buffer");
}

int Session_attach_buffer(Session &session, void *buffer, MPI_Count size) {
  return attach(session.buffer, buffer, size, nullptr);
}
int Session_detach_buffer(Session &session, void *buffer_addr, MPI_Count *size) {
  return detach(session.buffer, buffer_addr, size);
}
int Session_flush_buffer(Session &) { return MPI_SUCCESS; }
int Session_iflush_buffer(Session &session, MPI_Request *request) {
  return finished(*state(session.owner).world, request, "MPI_Session_iflush_buffer");
}

} // namespace gnomon::impl
