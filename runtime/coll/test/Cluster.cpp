// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fake's matching and timing, and the functions of mpi/request/PointToPoint.h over it.
#include "coll/test/Cluster.h"

#include "coll/Nodes.h"
#include "mpi/request/PointToPoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace gnomon::coll::test {

struct Cluster::Request {
  Cluster *cluster;
  bool isSend;
  void *data;
  int64_t count;
  const Datatype *type;
  std::vector<char> payload; ///< of an eager send
  SimTime posted;
  bool rendezvous;
  bool done = false;
  int error = 0;
  kernel::Fiber *waiter = nullptr;
  Request *partner = nullptr;
  int64_t bytes() const { return count * type->size(); }
  void complete(uint64_t) {
    done = true;
    if (waiter)
      cluster->engine_.wake(*waiter);
  }
};

static uint64_t placeOf(const Comm &comm, int rank) {
  const int perHost = reinterpret_cast<const Cluster::End &>(comm).cluster->network().perHost;
  if (perHost == 0)
    return static_cast<uint64_t>(rank);
  return static_cast<uint64_t>(perHost > 0 ? rank / perHost : rank % -perHost);
}
static uint64_t numberOf(const Comm &comm) {
  return reinterpret_cast<const Cluster::End &>(comm).cluster->number();
}

Cluster::Cluster(int size, Network network) : network_(network), engine_({256 << 10, false}) {
  static uint64_t clusters = 0;
  number_ = clusters++;
  setPlaceFinder(placeOf, numberOf);
  for (int rank = 0; rank < size; ++rank)
    ends_.push_back({this, rank});
  unexpected.resize(ends_.size());
}

Cluster::~Cluster() = default;

void Cluster::runRank(void *argument) {
  auto &end = *static_cast<End *>(argument);
  Cluster &cluster = *end.cluster;
  Call call{reinterpret_cast<Comm &>(end), end.rank, cluster.size(), 7};
  call.segment = cluster.network_.segment;
  call.fanout = cluster.network_.fanout;
  cluster.body_(call);
  cluster.finished = std::max(cluster.finished, cluster.engine_.now().seconds);
}

bool Cluster::run(std::function<void(const Call &call)> body) {
  body_ = std::move(body);
  std::vector<kernel::Fiber *> fibers;
  for (End &end : ends_)
    fibers.push_back(&engine_.spawn(&Cluster::runRank, &end, nullptr));
  engine_.run();
  bool all = true;
  for (kernel::Fiber *fiber : fibers)
    all = all && fiber->finished();
  for (auto *pending : {&sends_, &receives_})
    for (auto &[key, queue] : *pending)
      all = all && queue.empty(); // a message that nobody receives is an error too
  return all;
}

void Cluster::match(Request *send, Request *receive) {
  const int64_t room = receive->bytes(), sent = send->bytes();
  if (sent > room && !receive->error)
    receive->error = 15; // MPI_ERR_TRUNCATE
  const double seconds = network_.latency + network_.secondsPerByte * static_cast<double>(sent);
  SimTime arrival = engine_.now() + seconds;
  if (send->rendezvous) {
    mpi::copyTyped(send->data, send->count, *send->type, receive->data, receive->count,
                   *receive->type);
    engine_.at(arrival, kernel::Action::of<&Request::complete>(send));
  } else {
    arrival = std::max(engine_.now(), send->posted + seconds);
    mpi::unpackBytes(send->payload.data(), std::min(sent, room), receive->data, receive->count,
                     *receive->type);
  }
  engine_.at(arrival, kernel::Action::of<&Request::complete>(receive));
}

Cluster::Request *Cluster::add(Request request) {
  if (operations() == network_.failing)
    request.error = Failure;
  requests_.push_back(std::make_unique<Request>(std::move(request)));
  return requests_.back().get();
}

Cluster::Request *Cluster::send(int source, const void *data, int64_t count, const Datatype &type,
                                int dest, int tag, bool synchronous) {
  const bool rendezvous = network_.rendezvous || synchronous;
  Request *request =
      add({this, true, const_cast<void *>(data), count, &type, {}, engine_.now(), rendezvous});
  EXPECT_TRUE(dest >= 0 && dest < size()) << "destination " << dest;
  ++messages;
  bytes += request->bytes();
  longestMessage = std::max(longestMessage, request->bytes());
  log.push_back({source, dest, request->bytes()});
  if (!rendezvous) {
    request->payload.resize(static_cast<size_t>(request->bytes()));
    mpi::packBytes(data, count, type, request->payload.data(), request->bytes());
    request->done = true;
  }
  const Key key{source, dest, tag};
  auto &waiting = receives_[key];
  if (waiting.empty()) {
    ++unexpected[static_cast<size_t>(dest)];
    sends_[key].push_back(request);
  } else {
    match(request, waiting.front());
    waiting.pop_front();
  }
  return request;
}

Cluster::Request *Cluster::receive(int dest, void *data, int64_t count, const Datatype &type,
                                   int source, int tag) {
  Request *request = add({this, false, data, count, &type, {}, engine_.now(), false});
  EXPECT_TRUE(source >= 0 && source < size()) << "source " << source;
  const Key key{source, dest, tag};
  auto &waiting = sends_[key];
  if (waiting.empty()) {
    receives_[key].push_back(request);
  } else {
    match(waiting.front(), request);
    waiting.pop_front();
  }
  return request;
}

int Cluster::wait(Request *request) {
  if (!request->done) {
    kernel::Engine &engine = request->cluster->engine_;
    request->waiter = engine.current();
    engine.park();
  }
  return request->error;
}

} // namespace gnomon::coll::test

namespace gnomon::mpi {

using coll::test::Cluster;

static Cluster::End &endOf(Comm &comm) { return reinterpret_cast<Cluster::End &>(comm); }
static Cluster &clusterOf(Comm &comm) { return *endOf(comm).cluster; }

Request *isend(const void *buffer, int64_t count, const Datatype &type, int dest, int tag,
               Comm &comm, Channel, SendMode mode) {
  return reinterpret_cast<Request *>(clusterOf(comm).send(
      endOf(comm).rank, buffer, count, type, dest, tag, mode == SendMode::Synchronous));
}

Request *irecv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
               Channel) {
  return reinterpret_cast<Request *>(
      clusterOf(comm).receive(endOf(comm).rank, buffer, count, type, source, tag));
}

int wait(Request *request, MPI_Status *) {
  return Cluster::wait(reinterpret_cast<Cluster::Request *>(request));
}

int waitAll(std::span<Request *> requests) {
  int error = 0;
  for (Request *request : requests)
    if (int e = wait(request); e && !error)
      error = e;
  return error;
}

int send(const void *buffer, int64_t count, const Datatype &type, int dest, int tag, Comm &comm,
         Channel channel, SendMode mode) {
  return wait(isend(buffer, count, type, dest, tag, comm, channel, mode), nullptr);
}

int recv(void *buffer, int64_t count, const Datatype &type, int source, int tag, Comm &comm,
         Channel channel, MPI_Status *) {
  return wait(irecv(buffer, count, type, source, tag, comm, channel), nullptr);
}

int sendrecv(const void *sendBuffer, int64_t sendCount, const Datatype &sendType, int dest,
             int sendTag, void *recvBuffer, int64_t recvCount, const Datatype &recvType, int source,
             int recvTag, Comm &comm, Channel channel, MPI_Status *, SendMode) {
  Request *both[] = {
      irecv(recvBuffer, recvCount, recvType, source, recvTag, comm, channel),
      isend(sendBuffer, sendCount, sendType, dest, sendTag, comm, channel, SendMode::Standard)};
  return waitAll(both);
}

} // namespace gnomon::mpi
