// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records of sessions, of ranks that are started in the middle of a run, and of groups that connect.
/// A started rank is one more player: its argument is the number that the job's first rank had in
/// the recorded run, for jobs may start in another order on another machine.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/comm/Comm.h"
#include "replay/Player.h"
#include "support/Error.h"

#include <array>
#include <fmt/format.h>

namespace gnomon::replay {

namespace {

int initSession(Player &player, const Call &) {
  MPI_Session session = MPI_SESSION_NULL;
  const int code = impl::Session_init(
      nullptr, mpi::predefinedErrhandler(mpi::Errhandler::Action::Return), &session);
  if (code == MPI_SUCCESS)
    player.sessions().push_back(session);
  return code;
}

/// Which one does not matter: sessions differ in what they are asked only.
int finalizeSession(Player &player, const Call &) {
  if (player.sessions().empty())
    throw InputError("", 0, "the rank has no session");
  MPI_Session session = player.sessions().back();
  player.sessions().pop_back();
  return impl::Session_finalize(&session);
}

/// What a spawn in a replay starts: this program again.
constexpr const char *Itself = "/proc/self/exe";

struct Started {
  std::string first; ///< argument of all
  std::vector<int64_t> ranks;
  std::vector<mpi::Info> infos;
};

Started startedOf(Player &player, const Call &call) {
  if (!call.has(2))
    throw InputError("", 0,
                     "the trace does not say which ranks were started: it is of an earlier "
                     "version; record the run again");
  const std::span<const int64_t> ranks = call.list(3), hosts = call.list(4);
  if (ranks.empty() || hosts.size() != ranks.size())
    throw InputError("", 0, "a spawn without ranks: the trace is damaged");
  Started started{std::to_string(call.number(2)), {ranks.begin(), ranks.end()}, {}};
  for (int64_t host : hosts) {
    const std::string &names = player.replay().text(host);
    started.infos.emplace_back();
    if (!names.empty())
      started.infos.back().set("host", names);
  }
  return started;
}

/// By the root, with the arrays that C's function asks for.
int spawnParts(Started started, int root, mpi::Comm &comm, MPI_Comm *intercomm) {
  std::string itself = Itself;
  std::array<char *, 2> words{started.first.data(), nullptr};
  const size_t parts = started.ranks.size();
  std::vector<char *> commands(parts, itself.data());
  std::vector<char **> arguments(parts, words.data());
  std::vector<int> counts;
  std::vector<MPI_Info> infos;
  for (size_t i = 0; i < parts; ++i) {
    if (started.ranks[i] < 0 || started.ranks[i] > INT32_MAX)
      throw InputError("", 0, "a wrong number of started ranks: the trace is damaged");
    counts.push_back(static_cast<int>(started.ranks[i]));
    infos.push_back(
        mpi::insert<mpi::Info>(comm.owner(), new mpi::Info(std::move(started.infos[i]))));
  }
  const int code =
      impl::Comm_spawn_multiple(static_cast<int>(parts), commands.data(), arguments.data(),
                                counts.data(), infos.data(), root, comm, intercomm, nullptr);
  for (MPI_Info &info : infos)
    impl::Info_free(&info);
  return code;
}

constexpr const char *SpawnFields[] = {"comm", "root", "first", "ranks", "hosts", "intercomm"};
int spawn(Player &player, const Call &call) {
  mpi::Comm &comm = player.comm(call.number(0));
  const int root = player.root(call.number(1), comm);
  MPI_Comm intercomm = MPI_COMM_NULL;
  int code = MPI_SUCCESS;
  if (call.error() != MPI_SUCCESS) // nothing was started, of which all were told
    code = impl::Comm_spawn("/", nullptr, 1, nullptr, root, comm, &intercomm, nullptr);
  else if (comm.rank() == root)
    code = spawnParts(startedOf(player, call), root, comm, &intercomm);
  else
    code = impl::Comm_spawn_multiple(0, nullptr, nullptr, nullptr, nullptr, root, comm, &intercomm,
                                     nullptr);
  if (code == MPI_SUCCESS)
    player.keepComm(call.number(5), intercomm);
  return code;
}

constexpr const char *MeetFields[] = {"comm", "root", "port_name", "newcomm"};
template <auto Meet> int meet(Player &player, const Call &call) {
  mpi::Comm &comm = player.comm(call.number(0));
  if (call.error() != MPI_SUCCESS)
    throw InputError(
        "", 0,
        fmt::format("the recorded call failed with MPI error class {}: when a port was "
                    "closed, or who did not come, is not in a trace",
                    call.error()));
  if (!call.has(2))
    throw InputError("", 0,
                     "the trace does not say at which port: it is of an earlier version; "
                     "record the run again");
  MPI_Comm made = MPI_COMM_NULL;
  const int root = player.root(call.number(1), comm);
  const std::string port = comm.rank() == root ? player.replay().port(call.number(2)) : "";
  const int code = Meet(port.c_str(), nullptr, root, comm, &made);
  if (code == MPI_SUCCESS)
    player.keepComm(call.number(3), made);
  return code;
}

} // namespace

std::span<const Handler> processHandlersByHand() {
  constexpr auto Also = Handler::Kind::Process;
  static const Handler handlers[] = {
      {"MPI_Session_init", initSession, {}},
      {"MPI_Session_finalize", finalizeSession, {}},
      {"MPI_Comm_spawn", spawn, SpawnFields, Also},
      {"MPI_Comm_spawn_multiple", spawn, SpawnFields, Also},
      {"MPI_Comm_accept", meet<impl::Comm_accept>, MeetFields, Also},
      {"MPI_Comm_connect", meet<impl::Comm_connect>, MeetFields, Also},
  };
  return handlers;
}

} // namespace gnomon::replay
