// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Point-to-point communication as the collectives, the topologies and the MPI entry points use it.
/// All ranks and tags are those of \p comm; counts are in elements of the datatype; results are MPI
/// error classes. These calls may park the calling rank's fiber.
#pragma once

#include <cstdint>
#include <span>

struct MPI_Status;

namespace gnomon::mpi {

class Comm;
class Datatype;
class Request;

/// Messages of different channels never match each other: a collective's messages are invisible to
/// the program.
enum class Channel : uint8_t { User, Collective };

/// Instant: data of an operation whose time is charged as a whole (p2p/Message.h).
enum class SendMode : uint8_t { Standard, Synchronous, Buffered, Ready, Instant };

int send(const void *buffer, int64_t count, const Datatype &type, int dest, int tag, Comm &comm,
         Channel channel, SendMode mode = SendMode::Standard);
/// \p status may be null.
int recv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
         Channel channel, MPI_Status *status = nullptr);

/// The returned request is not a user handle; give it to wait or waitAll.
Request *isend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
               Comm &comm, Channel channel, SendMode mode = SendMode::Standard);
Request *irecv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
               Channel channel);
int wait(Request *request, MPI_Status *status = nullptr);
int waitAll(std::span<Request *> requests);

int sendrecv(const void *sendBuffer, int64_t sendCount, const Datatype &sendType, int dest,
             int sendTag, void *recvBuffer, int64_t recvCount, const Datatype &recvType, int source,
             int recvTag, Comm &comm, Channel channel, MPI_Status *status = nullptr,
             SendMode mode = SendMode::Standard);

} // namespace gnomon::mpi
