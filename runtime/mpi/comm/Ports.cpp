// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Groups meet. Ports.h states what it costs.
#include "mpi/comm/Ports.h"

#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/request/WaitNote.h"

#include "mpi.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gnomon::mpi {

namespace {

void giveUp(Caller &caller) {
  caller.done = true;
  runtime().fabric.noteProgress();
  runtime().world.engine.wake(*caller.fiber);
}

void timeOut(void *argument, uint64_t) {
  auto &caller = *static_cast<Caller *>(argument);
  caller.timedOut = true;
  if (!caller.done)
    giveUp(caller);
}

} // namespace

void bringTogether(Caller &first, Caller &second) {
  auto pair = makePair(first.members, second.members);
  first.result = std::move(pair[0]);
  second.result = std::move(pair[1]);
  first.otherLeader = second.leader;
  second.otherLeader = first.leader;
  first.done = second.done = true;
  runtime().fabric.noteProgress();
  for (Caller *caller : {&first, &second})
    if (caller->fiber)
      runtime().world.engine.wake(*caller->fiber);
}

void waitAsCaller(Comm &local, Caller &caller, const std::string &what) {
  kernel::Engine &engine = runtime().world.engine;
  WaitNote note{WaitNote::Kind::Port};
  note.place = what.c_str();
  Waiting waiting(local.owner(), note);
  caller.fiber = engine.current();
  while (!caller.done)
    engine.park();
}

void greet(Comm &local, const Caller &caller) {
  // The leaders talk, whatever their ranks: as groups of one, with the id of the new communicator,
  // on which nothing else can be under way yet.
  const uint32_t id = caller.result->id;
  auto mine = Members::range(caller.leader, 1), other = Members::range(caller.otherLeader, 1);
  auto inner = std::make_shared<CommShared>(CommShared{id, mine});
  Comm leaders(local.owner(),
               std::make_shared<CommShared>(
                   CommShared{id, mine, other, caller.result->everyone, std::move(inner)}),
               0);
  exchange(leaders, 0, Comm::BlockingTag, RecordBytes * (1 + local.size()));
}

std::string Ports::open(const process::Rank &owner) {
  const std::string host = runtime().world.platform.hosts()[owner.host].name;
  // A name in MPI is shorter than MPI_MAX_PORT_NAME; a host's may be of any length.
  std::string name = fmt::format("gnomon:{}:{}", opened_++, host.substr(0, 200));
  ports_.emplace(name, Port{});
  return name;
}

bool Ports::close(const std::string &name) {
  auto port = ports_.find(name);
  if (port == ports_.end())
    return false;
  auto left = std::move(port->second);
  ports_.erase(port);
  for (auto &side : left.waiting)
    for (Caller *caller : side)
      giveUp(*caller);
  return true;
}

CommSharedRef Ports::meet(Comm &local, const std::string &name, Side side, double seconds) {
  kernel::Engine &engine = runtime().world.engine;
  const auto mine = static_cast<size_t>(side);
  Port &port = ports_.find(name)->second;
  Caller caller{local.members(), local.owner().number};
  if (auto &others = port.waiting[1 - mine]; !others.empty()) {
    Caller &other = *others.front();
    others.pop_front();
    bringTogether(caller, other);
  } else {
    port.waiting[mine].push_back(&caller);
    const bool timed = seconds > 0;
    kernel::EventId limit{};
    if (timed)
      limit = engine.after(seconds, {timeOut, &caller, 0});
    waitAsCaller(local, caller, name);
    if (timed && !caller.timedOut)
      engine.cancel(limit);
    if (auto left = ports_.find(name); !caller.result && left != ports_.end())
      std::erase(left->second.waiting[mine], &caller);
  }
  if (caller.result)
    greet(local, caller);
  return caller.result;
}

int connectGroup(Comm &local, int leader, const char *function,
                 const std::function<Encounter()> &meet, MPI_Comm *newcomm,
                 std::vector<CodeRun> *codes) {
  *newcomm = MPI_COMM_NULL;
  const Meetings::Key key = keyOf(local);
  Meeting &meeting = join(local, key, Meeting::Purpose::Connect, local.members(), function);
  int64_t bytes = RecordBytes;
  if (local.rank() == leader) {
    Encounter found = meet();
    meeting.common[0] = std::move(found.shared);
    meeting.error = found.error;
    meeting.failure = std::move(found.failure);
    meeting.codes = std::move(found.codes);
    if (meeting.common[0])
      bytes *= 1 + meeting.common[0]->remote->size();
  }
  announce(local, leader, local.nextCollectiveTag(), bytes);
  Comm *comm = makeEnd(local, meeting.common[0], local.rank());
  const int error = meeting.error;
  const std::string failure = meeting.failure;
  if (codes)
    *codes = meeting.codes;
  runtime().meetings->leave(key, meeting);
  if (comm)
    *newcomm = expose(*comm);
  return error ? fail(local.owner(), error, failure, &local) : MPI_SUCCESS;
}

} // namespace gnomon::mpi
