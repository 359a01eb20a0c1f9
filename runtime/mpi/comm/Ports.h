// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where groups of processes that have no communicator in common find each other: ports, names of
/// ports, and the groups of MPI_Comm_join. There is one of each in the simulation; looking up and
/// publishing take no simulated time, meeting takes two messages of the leaders and a binomial tree
/// in each group:
///   leaders   8 (1 + P) bytes each way, P the size of the sender's group, between their hosts
///   group     8 (1 + R) bytes along a binomial tree, R the size of the remote group
#pragma once

#include "mpi/comm/Creation.h"

#include <deque>
#include <functional>
#include <map>
#include <string>

namespace gnomon::kernel {
class Fiber;
}

namespace gnomon::mpi {

/// The leader of a group while it waits for another's.
struct Caller {
  MembersRef members;
  uint32_t leader = 0; ///< its number
  kernel::Fiber *fiber = nullptr;
  CommSharedRef result = nullptr; ///< its end of the new communicator
  uint32_t otherLeader = 0;       ///< with a result
  bool timedOut = false;          ///< nobody came
  bool done = false;              ///< without a result: nobody came, or the port was closed
};

class Ports {
public:
  enum class Side : uint8_t { Accept, Connect };

  std::string open(const process::Rank &owner);
  /// False when there is no such port. Whoever waits there goes on without a result.
  bool close(const std::string &name);
  bool isOpen(const std::string &name) const { return ports_.contains(name); }

  /// Waits at the open port \p name until a group comes to its other side, in order of arrival;
  /// for \p seconds of simulated time at the most (0: for ever). Null: nobody came.
  CommSharedRef meet(Comm &local, const std::string &name, Side side, double seconds);

  std::map<std::string, std::string, std::less<>> published; ///< port by service

  // MPI_Comm_join.
  /// Those that wait for the other end of their socket to say something.
  std::vector<Caller *> listening;
  /// Those that know whom they join, by the two numbers, the lower one first.
  std::map<std::pair<uint32_t, uint32_t>, Caller *> joining;

private:
  struct Port {
    std::deque<Caller *> waiting[2]; ///< by side
  };
  std::map<std::string, Port, std::less<>> ports_;
  uint64_t opened_ = 0;
};

/// Waits until the caller is done; the caller's rank says \p what meanwhile.
void waitAsCaller(Comm &local, Caller &caller, const std::string &what);
/// \p first and \p second have met: each gets its end of a new intercommunicator, and goes on.
void bringTogether(Caller &first, Caller &second);
/// The messages of two leaders that have met.
void greet(Comm &local, const Caller &caller);

/// What a leader brings home: the end of an intercommunicator, or an error.
struct Encounter {
  CommSharedRef shared;
  int error = 0;
  std::string failure;
  std::vector<CodeRun> codes; ///< of MPI_Comm_spawn: what became of each process
};

/// Collective over \p local: rank \p leader alone runs \p meet, which gives the end of a new
/// intercommunicator; all get it, or the error.
int connectGroup(Comm &local, int leader, const char *function,
                 const std::function<Encounter()> &meet, MPI_Comm *newcomm,
                 std::vector<CodeRun> *codes = nullptr);

} // namespace gnomon::mpi
