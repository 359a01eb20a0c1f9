// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A fake of mpi/request/PointToPoint.h on the real kernel: ranks are fibers, a message of b bytes takes
/// `latency + b * secondsPerByte` wherever it goes, and links are never shared. Sends are eager
/// (done at once), or rendezvous (done when the receiver has everything, as synchronous ones always
/// are), so that an algorithm that would deadlock without buffering does.
#pragma once

#include "coll/Arguments.h"
#include "kernel/Engine.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace gnomon::coll::test {

struct Network {
  bool rendezvous = false;
  double latency = 1;
  double secondsPerByte = 0;
  /// What calls ask of algorithms (Call).
  int64_t segment = -1;
  int fanout = 0;
  /// Ranks on a host, one after the other; negative: so many hosts, filled in turn; 0: a host each.
  int perHost = 0;
  /// This one of all sends and receives, in the order in which they are started, ends with Failure;
  /// -1: none does.
  int failing = -1;
};
inline constexpr int Failure = 16;

class Cluster {
public:
  explicit Cluster(int size, Network network = {});
  ~Cluster();

  /// Runs \p body on every rank. Returns false when some rank never ends.
  bool run(std::function<void(const Call &call)> body);

  /// The calling rank computes for a while.
  void compute(double seconds) { engine_.sleep(seconds); }

  int size() const { return static_cast<int>(ends_.size()); }
  int messages = 0;
  int64_t bytes = 0;
  int64_t longestMessage = 0;
  double finished = 0;         ///< when the last rank ended
  std::vector<int> unexpected; ///< by receiver: messages sent before their receive was there
  struct Sent {
    int source, dest;
    int64_t bytes;
    friend bool operator==(const Sent &, const Sent &) = default;
  };
  std::vector<Sent> log; ///< all messages, in the order in which they were sent
  double now() const { return engine_.now().seconds; }
  /// Sends and receives so far.
  int operations() const { return static_cast<int>(requests_.size()); }

  struct Request;
  struct End { ///< what a Comm & refers to
    Cluster *cluster;
    int rank;
  };
  Request *send(int source, const void *data, int64_t count, const Datatype &type, int dest,
                int tag, bool synchronous);
  Request *receive(int dest, void *data, int64_t count, const Datatype &type, int source, int tag);
  static int wait(Request *request);
  const Network &network() const { return network_; }
  uint64_t number() const { return number_; }

private:
  using Key = std::tuple<int, int, int>; ///< source, dest, tag
  Request *add(Request request);
  void match(Request *send, Request *receive);
  static void runRank(void *argument);

  Network network_;
  uint64_t number_; ///< of all clusters
  kernel::Engine engine_;
  std::vector<End> ends_;
  std::function<void(const Call &)> body_;
  std::map<Key, std::deque<Request *>> sends_, receives_;
  std::vector<std::unique_ptr<Request>> requests_;
};

} // namespace gnomon::coll::test
