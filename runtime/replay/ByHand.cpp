// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records that are not played by the function of their name: what is no call of MPI, starts and
/// ends, waits and polls (which wait for what the recorded ones found), probes.
#include "impl/Impl.h"
#include "process/ranks/World.h"
#include "replay/Player.h"
#include "support/Error.h"

#include <array>
#include <bit>
#include <cmath>
#include <optional>

namespace gnomon::replay {

namespace {

double realOf(const Call &call, unsigned field) {
  return call.has(field) ? std::bit_cast<double>(call.number(field)) : std::nan("");
}

/// What a loop computes between two polls, at the most: more is work, which has to be done whatever
/// the polls find.
constexpr double LoopSeconds = 1e-6;

double secondsOf(const process::Rank &rank, double cost) {
  return cost * process::flopsPerCost() / process::world().platform.hosts()[rank.host].speedFlops;
}

constexpr const char *VolumeFields[] = {"burst", "instructions", "seconds"};
int part(Player &player, const Call &call) {
  if (process::computationCosts()) {
    const Replay &replay = player.replay();
    const double cost = replay.cost(call.number(0), realOf(call, 1), realOf(call, 2));
    if (player.passesPolls() && secondsOf(player.rank(), cost) <= LoopSeconds)
      return MPI_SUCCESS;
    player.rank().burst.addGiven(cost);
    player.rank().burst.noteMemory(cost, replay.memoryShare(call.number(0)));
  }
  return MPI_SUCCESS;
}
int compute(Player &player, const Call &call) {
  part(player, call);
  if (process::computationCosts())
    player.rank().burst.computeGiven(player.rank());
  return MPI_SUCCESS;
}

constexpr const char *ClockFields[] = {"readings"};
int readClock(Player &player, const Call &call) {
  if (call.number(0) < 0 || call.number(0) > UINT32_MAX)
    throw InputError("", 0, "a wrong number of readings");
  if (player.passesPolls())
    return MPI_SUCCESS;
  player.rank().burst.readGiven(static_cast<uint32_t>(call.number(0)));
  return MPI_SUCCESS;
}

constexpr const char *SleepFields[] = {"seconds"};
int sleep(Player &player, const Call &call) {
  const double seconds = realOf(call, 0);
  if (!(seconds >= 0) || std::isinf(seconds))
    throw InputError("", 0, "a sleep of no length");
  if (player.passesPolls())
    return MPI_SUCCESS;
  process::world().engine.sleep(seconds);
  return MPI_SUCCESS;
}

int init(Player &, const Call &) { return impl::Init(nullptr, nullptr); }

int finalize(Player &, const Call &) { return impl::Finalize(); }

constexpr const char *AbortFields[] = {"comm", "errorcode"};
int abort(Player &player, const Call &call) {
  return impl::Abort(player.comm(call.number(0)), static_cast<int>(call.number(1)));
}

/// Calls that took no time and told nobody anything.
int nothing(Player &, const Call &) { return MPI_SUCCESS; }

constexpr const char *WaitFields[] = {"request"};
int wait(Player &player, const Call &call) {
  MPI_Request none = MPI_REQUEST_NULL;
  const int64_t slot = call.number(0);
  return impl::Wait(slot ? player.request(slot) : &none, MPI_STATUS_IGNORE);
}

/// Several requests, whose field is \p field of the call.
int waitAll(Player &player, const Call &call, unsigned field) {
  const std::span<const int64_t> slots = call.list(field);
  const int code =
      impl::Waitall(static_cast<int>(slots.size()), player.requests(slots), MPI_STATUSES_IGNORE);
  player.takeBack(slots);
  return code;
}

constexpr const char *WaitallFields[] = {"array_of_requests"};
int waitall(Player &player, const Call &call) { return waitAll(player, call, 0); }

/// Of some of several requests, or of a poll: those that it has completed, one after another as the
/// recorded call took them. Traces of other simulators have one request, and whether it was
/// done.
constexpr const char *CompletedFields[] = {"requests", "request", "flag"};
int completed(Player &player, const Call &call) {
  if (!call.has(0) && !call.number(2))
    return MPI_SUCCESS;
  const std::span<const int64_t> slots = call.list(call.has(0) ? 0 : 1);
  int code = MPI_SUCCESS;
  for (const int64_t slot : slots)
    if (slot != 0)
      if (const int error = impl::Wait(player.request(slot), MPI_STATUS_IGNORE))
        code = slots.size() > 1 ? MPI_ERR_IN_STATUS : error;
  return code;
}

constexpr const char *ProbeFields[] = {"source", "tag", "comm"};
int probe(Player &player, const Call &call) {
  mpi::Comm &comm = player.comm(call.number(2));
  return impl::Probe(player.peer(call.number(0), comm), Player::receivedTag(call.number(1)), comm,
                     MPI_STATUS_IGNORE);
}

/// Recorded by us, it has been paid for by the poll that stands before it.
int polledProbe(Player &player, const Call &call) {
  if (!player.hasPolled())
    return probe(player, call);
  player.polls().waitFor(
      Player::pattern(call.number(0), call.number(1), player.comm(call.number(2))));
  return MPI_SUCCESS;
}

/// A message that a probe took is received as what it is.
constexpr const char *MrecvFields[] = {"buf.count", "buf.size", "source", "tag", "comm", "request"};
int mrecv(Player &player, const Call &call) {
  mpi::Comm *comm = player.commOrNull(call.number(4));
  if (!comm)
    return MPI_SUCCESS; // from MPI_PROC_NULL
  const Piece buf = call.receivedPiece(0);
  return impl::Recv(Player::address(buf), buf.count, player.type(buf),
                    player.peer(call.number(2), *comm), Player::receivedTag(call.number(3)), *comm,
                    MPI_STATUS_IGNORE);
}
int imrecv(Player &player, const Call &call) {
  mpi::Comm &comm =
      call.number(4) == trace::NullRow ? player.comm(trace::Self) : player.comm(call.number(4));
  const Piece buf = call.receivedPiece(0);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = impl::Irecv(Player::address(buf), buf.count, player.type(buf),
                               player.peer(call.number(2), comm),
                               Player::receivedTag(call.number(3)), comm, &request);
  player.keepRequest(call.number(5), request);
  return code;
}

constexpr const char *WinFields[] = {"win"};
int winTest(Player &player, const Call &call) { return impl::Win_wait(player.win(call.number(0))); }

constexpr const char *UntilFields[] = {"source", "tag", "comm", "what", "requests"};
int until(Player &player, const Call &call) {
  std::optional<Polls::Message> message;
  if (call.number(2) != trace::NullRow)
    message = Player::pattern(call.number(0), call.number(1), player.comm(call.number(2)));
  player.polls().begin(call.number(3), player.activeRequests(call.list(4)), message);
  return MPI_SUCCESS;
}

/// How many requests a poll looked at; 0: it was for a message.
int askedOf(const Call &call, unsigned field) {
  const int64_t asked = call.number(field);
  if (asked < 0 || asked > Polls::MostAsked)
    throw InputError("", 0, "a poll for a wrong number of requests");
  return static_cast<int>(asked);
}

constexpr const char *PollFields[] = {"asked", "polls", "found", "what"};
int poll(Player &player, const Call &call) {
  const int asked = askedOf(call, 0);
  if (call.number(1) < 1)
    throw InputError("", 0, "a wrong number of polls");
  if (call.number(2))
    player.polls().found(asked, static_cast<uint64_t>(call.number(1)));
  else
    player.polls().inVain(asked, static_cast<uint64_t>(call.number(1)), call.number(3));
  return MPI_SUCCESS;
}

} // namespace

std::span<const Handler> handlersByHand() {
  static const Handler handlers[] = {
      {"part", part, VolumeFields},
      {"compute", compute, VolumeFields},
      {"clock", readClock, ClockFields},
      {"sleep", sleep, SleepFields},
      {"poll", poll, PollFields},
      {"until", until, UntilFields},
      {"MPI_Init", init, {}},
      {"MPI_Init_thread", init, {}},
      {"MPI_Finalize", finalize, {}},
      {"MPI_Abort", abort, AbortFields},
      {"MPI_Win_test", winTest, WinFields},
      {"MPI_Buffer_detach", nothing, {}},
      {"MPI_Comm_detach_buffer", nothing, {}},
      {"MPI_Session_detach_buffer", nothing, {}},
      {"MPI_Session_flush_buffer", nothing, {}},
      {"MPI_Grequest_complete", nothing, {}},
      {"MPI_Comm_call_errhandler", nothing, {}},
      {"MPI_File_call_errhandler", nothing, {}},
      {"MPI_Session_call_errhandler", nothing, {}},
      {"MPI_Win_call_errhandler", nothing, {}},
      {"MPI_Wait", wait, WaitFields, Handler::Kind::Wait},
      {"MPI_Waitall", waitall, WaitallFields, Handler::Kind::Wait},
      {"MPI_Waitany", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Waitsome", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Test", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Testall", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Testany", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Testsome", completed, CompletedFields, Handler::Kind::Wait},
      {"MPI_Probe", probe, ProbeFields},
      {"MPI_Iprobe", polledProbe, ProbeFields},
      {"MPI_Mprobe", probe, ProbeFields},
      {"MPI_Improbe", polledProbe, ProbeFields},
      {"MPI_Mrecv", mrecv, MrecvFields},
      {"MPI_Imrecv", imrecv, MrecvFields},
  };
  return handlers;
}

} // namespace gnomon::replay
