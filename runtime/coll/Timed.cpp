// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The meeting of the ranks of a timed collective.
#include "coll/Timed.h"

#include "coll/Algorithm.h"
#include "coll/inter/Inter.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/WaitNote.h"
#include "process/ranks/Rank.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gnomon::coll {

namespace {

models::CollectiveTimes *model = nullptr;

/// What the ranks of one operation bring, and the time they find.
struct Meeting {
  std::vector<bool> here; ///< by rank
  std::vector<kernel::Fiber *> waiting;
  int arrived = 0;
  uint64_t bytes = 0; ///< the greatest of all ranks
  double seconds = 0;
};

/// By communicator, operation, and its name: ranks that call different collectives never meet,
/// which is the deadlock that it would be with messages.
using Key = std::tuple<uint32_t, int, const char *>;
std::map<Key, std::shared_ptr<Meeting>> &meetings() {
  static std::map<Key, std::shared_ptr<Meeting>> all;
  return all;
}

// The largest block that a rank sends to another; of a reduction, the vector.
uint64_t largestBlock(const BarrierArgs &) { return 0; }
uint64_t largestBlock(const BcastArgs &args) { return args.bytes(); }
uint64_t largestBlock(const ReductionArgs &args) { return args.bytes(); }
uint64_t largestBlock(const ReduceScatterArgs &args) {
  int64_t most = 0;
  for (int r = 0; r < args.size; ++r)
    most = std::max(most, args.countOf(r));
  return most * args.type->size();
}
uint64_t largestBlock(const GatherArgs &args) {
  return args.counts && args.rank == args.root ? 0 : args.blockBytes();
}
uint64_t largestBlock(const ScatterArgs &args) {
  if (!args.counts || args.rank != args.root)
    return args.blockBytes();
  int64_t most = 0;
  for (int r = 0; r < args.size; ++r)
    if (r != args.root)
      most = std::max(most, args.sendBlock(r).bytes());
  return most;
}
uint64_t largestBlock(const AllgatherBase &args) { return args.own().bytes(); }
template <class Args> uint64_t largestOf(const Args &args) {
  const bool fromReceived = inPlace(args.send);
  int64_t most = 0;
  for (int r = 0; r < args.size; ++r)
    if (r != args.rank)
      most = std::max(most, fromReceived ? args.recvBlock(r).bytes() : args.sendBlock(r).bytes());
  return most;
}
uint64_t largestBlock(const AlltoallArgs &args) { return args.blockBytes(); }
uint64_t largestBlock(const AlltoallvArgs &args) { return largestOf(args); }
uint64_t largestBlock(const AlltoallwArgs &args) { return largestOf(args); }
uint64_t largestBlock(const NeighborArgs &args) {
  int64_t most = 0;
  for (size_t i = 0; i < args.out.size(); ++i)
    if (args.destinations[i] >= 0 && args.destinations[i] != args.rank)
      most = std::max(most, args.out[i].bytes());
  return most;
}

std::vector<platform::HostIndex> hostsOf(const Comm &comm) {
  std::vector<platform::HostIndex> hosts(static_cast<size_t>(comm.size()));
  for (size_t r = 0; r < hosts.size(); ++r)
    hosts[r] = process::world().ranks[comm.process(static_cast<int>(r))]->host;
  return hosts;
}

void await(const Call &call, const char *name, Meeting &meeting) {
  kernel::Engine &engine = process::world().engine;
  meeting.waiting.push_back(engine.current());
  mpi::WaitNote note{mpi::WaitNote::Kind::Others, &call.comm};
  note.here = &meeting.here;
  note.place = name;
  mpi::Waiting waiting(call.comm.owner(), note);
  engine.park();
}

/// Parks until all ranks are here; how long the operation takes from then on.
double meet(const Call &call, const char *name, uint64_t bytes) {
  const Key key{call.comm.id(), call.tag, name};
  std::shared_ptr<Meeting> &entry = meetings()[key];
  if (!entry) {
    entry = std::make_shared<Meeting>();
    entry->here.resize(static_cast<size_t>(call.size));
  }
  const std::shared_ptr<Meeting> meeting = entry;
  meeting->here[static_cast<size_t>(call.rank)] = true;
  meeting->bytes = std::max(meeting->bytes, bytes);
  if (++meeting->arrived < call.size) {
    await(call, name, *meeting);
    return meeting->seconds;
  }
  meetings().erase(key);
  const std::vector<platform::HostIndex> hosts = hostsOf(call.comm);
  meeting->seconds = model->seconds({name, hosts, meeting->bytes});
  for (kernel::Fiber *fiber : meeting->waiting)
    process::world().engine.wake(*fiber);
  return meeting->seconds;
}

} // namespace

void useTimes(models::CollectiveTimes *times) { model = times; }

template <class Args> int performAcross(Args args) {
  if (int error = refuse(args))
    return error;
  // What the ranks of a group do on Comm::local() needs to be told apart from what they do next.
  if (args.tag == Comm::BlockingTag)
    args.tag = args.comm.nextCollectiveTag();
  if constexpr (requires { across(args); })
    return across(args);
  return 0; // a scan: refused
}

template <class Args> int perform(const Args &args) {
  if (args.comm.isInter()) [[unlikely]]
    return performAcross(args);
  // Models know one reduce-scatter.
  constexpr const char *name = std::is_same_v<Args, ReduceScatterBlockArgs>
                                   ? Collective<ReduceScatterArgs>::name
                                   : Collective<Args>::name;
  if (!model || args.size == 1 || !model->times(name) || endsAtOnce(args))
    return execute(args);
  Args timed = args;
  // A rank may enter the next operation before another one has left this one.
  if (timed.tag == Comm::BlockingTag)
    timed.tag = args.comm.nextCollectiveTag();
  timed.mode = mpi::SendMode::Instant;
  const double seconds = meet(timed, name, largestBlock(timed));
  const int error = execute(timed);
  if (seconds > 0) {
    p2p::Fabric &fabric = mpi::runtime().fabric;
    fabric.beginTimed();
    process::world().engine.sleep(seconds);
    fabric.endTimed();
  }
  return error;
}

#define GNOMON_COLLECTIVE(ARGS, NAME) template int perform<ARGS>(const ARGS &args);
#include "coll/Collectives.def"

} // namespace gnomon::coll
