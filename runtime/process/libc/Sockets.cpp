// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sockets and pipes between ranks: the system's own, in this process. A call that would block
/// parks its rank instead, so that the other end's rank comes to run (process/ranks/Descriptors.h).
/// Simulated hosts have the address of this machine's loopback.
#include "process/libc/Sockets.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

namespace gnomon::process {

namespace {

/// Whether the program gave the socket a time limit of its own: then it waits for real.
bool isTimed(int descriptor, short events) {
  timeval limit{};
  socklen_t bytes = sizeof limit;
  const int option = events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
  return getsockopt(descriptor, SOL_SOCKET, option, &limit, &bytes) == 0 &&
         (limit.tv_sec || limit.tv_usec);
}

bool isPipeOrSocket(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/// What a blocking pipe takes whole once it is ready (PIPE_BUF), and a socket too.
constexpr size_t Piece = 4096;

} // namespace

void parkUntilReady(int descriptor, short events, const char *function, const void *caller) {
  Rank *rank = callingRank();
  if (!rank || !rank->burst.inProgram() || (alone() && !rank->threads) ||
      isReady(descriptor, events))
    return;
  const int outerError = errno;
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0 && !(flags & O_NONBLOCK) && !isTimed(descriptor, events)) {
    InCall call(*rank, function, caller);
    awaitDescriptor(*rank, descriptor, events, function);
  }
  errno = outerError;
}

ssize_t writeInPieces(int descriptor, const char *data, size_t bytes, const void *caller) {
  if (!callingRank() || bytes <= Piece || !isPipeOrSocket(descriptor)) {
    parkUntilReady(descriptor, POLLOUT, "write", caller);
    return GNOMON_REAL(write)(descriptor, data, bytes);
  }
  size_t written = 0;
  while (written < bytes) {
    parkUntilReady(descriptor, POLLOUT, "write", caller);
    const size_t piece = std::min(bytes - written, Piece);
    const ssize_t taken = GNOMON_REAL(write)(descriptor, data + written, piece);
    if (taken < 0)
      return written > 0 ? static_cast<ssize_t>(written) : -1;
    written += static_cast<size_t>(taken);
    descriptorsChanged();
    if (static_cast<size_t>(taken) < piece)
      break;
  }
  return static_cast<ssize_t>(written);
}

namespace {

/// The name of a simulated host stands for this machine's loopback.
const char *realHost(const char *name) {
  if (!name || !callingRank() || !settings().launched)
    return name;
  return world().platform.findHost(name) ? "127.0.0.1" : name;
}

template <class Result> Result changed(Result result) {
  descriptorsChanged();
  return result;
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int accept(int descriptor, sockaddr *address, socklen_t *length) {
  parkUntilReady(descriptor, POLLIN, "accept", __builtin_return_address(0));
  return GNOMON_REAL(accept)(descriptor, address, length);
}

GNOMON_INTERPOSE int accept4(int descriptor, sockaddr *address, socklen_t *length, int flags) {
  parkUntilReady(descriptor, POLLIN, "accept4", __builtin_return_address(0));
  return GNOMON_REAL(accept4)(descriptor, address, length, flags);
}

GNOMON_INTERPOSE int connect(int descriptor, const sockaddr *address, socklen_t length) {
  return changed(GNOMON_REAL(connect)(descriptor, address, length));
}

GNOMON_INTERPOSE int shutdown(int descriptor, int how) noexcept {
  return changed(GNOMON_REAL(shutdown)(descriptor, how));
}

/// Parks until there is something; with MSG_WAITALL again for each part.
template <class Receive>
static ssize_t receive(int descriptor, size_t bytes, int flags, const char *function,
                       const void *caller, Receive part) {
  if (!(flags & MSG_DONTWAIT))
    parkUntilReady(descriptor, POLLIN, function, caller);
  if (!(flags & MSG_WAITALL) || (flags & (MSG_DONTWAIT | MSG_PEEK)))
    return changed(part(0, bytes, flags));
  size_t got = 0;
  while (got < bytes) {
    parkUntilReady(descriptor, POLLIN, function, caller);
    const ssize_t taken = changed(part(got, bytes - got, flags & ~MSG_WAITALL));
    if (taken <= 0)
      return got > 0 ? static_cast<ssize_t>(got) : taken;
    got += static_cast<size_t>(taken);
  }
  return static_cast<ssize_t>(got);
}

GNOMON_INTERPOSE ssize_t recv(int descriptor, void *data, size_t bytes, int flags) {
  return receive(descriptor, bytes, flags, "recv", __builtin_return_address(0),
                 [=](size_t at, size_t most, int how) {
                   return GNOMON_REAL(recv)(descriptor, static_cast<char *>(data) + at, most, how);
                 });
}

GNOMON_INTERPOSE ssize_t recvfrom(int descriptor, void *data, size_t bytes, int flags,
                                  sockaddr *address, socklen_t *length) {
  return receive(descriptor, bytes, flags, "recvfrom", __builtin_return_address(0),
                 [=](size_t at, size_t most, int how) {
                   return GNOMON_REAL(recvfrom)(descriptor, static_cast<char *>(data) + at, most,
                                                how, address, length);
                 });
}

GNOMON_INTERPOSE ssize_t recvmsg(int descriptor, msghdr *message, int flags) {
  if (!(flags & MSG_DONTWAIT))
    parkUntilReady(descriptor, POLLIN, "recvmsg", __builtin_return_address(0));
  return changed(GNOMON_REAL(recvmsg)(descriptor, message, flags));
}

/// Sends all of it, as a blocking call does, parking whenever there is no room.
template <class Send>
static ssize_t sendAll(int descriptor, size_t bytes, int flags, const char *function,
                       const void *caller, Send part) {
  const int mode = fcntl(descriptor, F_GETFL);
  if (!callingRank() || (flags & MSG_DONTWAIT) || (mode >= 0 && mode & O_NONBLOCK))
    return changed(part(0, bytes, flags));
  size_t sent = 0;
  do {
    parkUntilReady(descriptor, POLLOUT, function, caller);
    const bool alreadySome = sent > 0;
    const ssize_t taken = changed(part(sent, bytes - sent, flags | MSG_DONTWAIT));
    if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && !alreadySome &&
        !isReady(descriptor, POLLOUT))
      continue;
    if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      // Ready, and too little room for a message that goes whole: the system waits.
      const ssize_t rest = changed(part(sent, bytes - sent, flags));
      return rest < 0 ? rest : static_cast<ssize_t>(sent) + rest;
    }
    if (taken < 0)
      return alreadySome ? static_cast<ssize_t>(sent) : -1;
    sent += static_cast<size_t>(taken);
  } while (sent < bytes);
  return static_cast<ssize_t>(sent);
}

GNOMON_INTERPOSE ssize_t send(int descriptor, const void *data, size_t bytes, int flags) {
  return sendAll(descriptor, bytes, flags, "send", __builtin_return_address(0),
                 [=](size_t at, size_t most, int how) {
                   return GNOMON_REAL(send)(descriptor, static_cast<const char *>(data) + at, most,
                                            how);
                 });
}

GNOMON_INTERPOSE ssize_t sendto(int descriptor, const void *data, size_t bytes, int flags,
                                const sockaddr *address, socklen_t length) {
  return sendAll(descriptor, bytes, flags, "sendto", __builtin_return_address(0),
                 [=](size_t at, size_t most, int how) {
                   return GNOMON_REAL(sendto)(descriptor, static_cast<const char *>(data) + at,
                                              most, how, address, length);
                 });
}

GNOMON_INTERPOSE ssize_t sendmsg(int descriptor, const msghdr *message, int flags) {
  if (!(flags & MSG_DONTWAIT))
    parkUntilReady(descriptor, POLLOUT, "sendmsg", __builtin_return_address(0));
  return changed(GNOMON_REAL(sendmsg)(descriptor, message, flags));
}

GNOMON_INTERPOSE hostent *gethostbyname(const char *name) {
  return GNOMON_REAL(gethostbyname)(realHost(name));
}

GNOMON_INTERPOSE int getaddrinfo(const char *name, const char *service, const addrinfo *hints,
                                 addrinfo **results) {
  return GNOMON_REAL(getaddrinfo)(realHost(name), service, hints, results);
}
