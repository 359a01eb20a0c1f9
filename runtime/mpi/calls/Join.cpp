// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Comm_join: two processes with a socket between them make an intercommunicator. Each writes
/// its number into the socket and reads the other's, so that nothing but the socket says who is
/// there; from then on they are two groups that have met (Ports.h).
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/comm/Ports.h"
#include "process/image/Real.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// What goes over the socket.
struct Greeting {
  uint64_t magic = 0x6e6f6d6f6e67; // "gnomon"
  uint64_t number = 0;             ///< of the rank
};

constexpr const char *NotAnswered = "the other end of the socket does not call MPI_Comm_join in "
                                    "this simulation";

/// Whoever listened to its socket may hear something now.
void wakeListeners() {
  auto listening = std::move(runtime().ports->listening);
  runtime().ports->listening.clear();
  for (Caller *caller : listening) {
    caller->done = true;
    runtime().world.engine.wake(*caller->fiber);
  }
}

/// Parks until the other end has sent its greeting. False: it never will.
bool hear(Comm &self, int fd, Greeting &greeting) {
  for (;;) {
    const ssize_t got = GNOMON_REAL(recv)(fd, &greeting, sizeof greeting, MSG_PEEK | MSG_DONTWAIT);
    if (got == sizeof greeting)
      return GNOMON_REAL(recv)(fd, &greeting, sizeof greeting, MSG_DONTWAIT) == got &&
             greeting.magic == Greeting{}.magic;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
      return false;
    Caller listener{self.members(), self.owner().number};
    runtime().ports->listening.push_back(&listener);
    waitAsCaller(self, listener, "of MPI_Comm_join");
  }
}

/// Waits for the process \p other, which waits for this one.
Caller join(Comm &self, uint32_t other) {
  const uint32_t mine = self.owner().number;
  Caller caller{self.members(), mine};
  auto [entry, isFirst] = runtime().ports->joining.try_emplace(std::minmax(mine, other), &caller);
  if (isFirst) {
    waitAsCaller(self, caller, "of MPI_Comm_join");
  } else {
    bringTogether(caller, *entry->second);
    runtime().ports->joining.erase(entry);
  }
  return caller;
}

} // namespace

int Comm_join(int fd, MPI_Comm *intercomm) {
  RankState &own = currentState();
  *intercomm = MPI_COMM_NULL;
  Greeting greeting;
  greeting.number = own.rank.number;
  if (GNOMON_REAL(send)(fd, &greeting, sizeof greeting, MSG_NOSIGNAL | MSG_DONTWAIT) !=
      sizeof greeting)
    return fail(own.rank, MPI_ERR_ARG,
                fmt::format("descriptor {} is no connected socket: {}", fd, std::strerror(errno)));
  wakeListeners();
  if (!hear(own.self(), fd, greeting) || greeting.number == own.rank.number ||
      greeting.number >= own.runtime.world.ranks.size())
    return fail(own.rank, MPI_ERR_OTHER, NotAnswered);
  const Caller caller = join(own.self(), static_cast<uint32_t>(greeting.number));
  greet(own.self(), caller);
  *intercomm = expose(*makeEnd(own.self(), caller.result, 0));
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
