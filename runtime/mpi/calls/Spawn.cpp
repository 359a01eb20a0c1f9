// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Comm_spawn and MPI_Comm_spawn_multiple. The root makes the ranks (process/ranks/Job.h), the others
/// learn of them along a binomial tree (Ports.h). Nobody waits for the new ranks' MPI_Init.
///
/// Where they run: on the slots that follow the last rank's, those of the host file or else one on
/// each host of the platform, and round again; or on the hosts that the info's key `host` lists, in
/// turn. All of them fit unless this machine's memory is too small; so `soft` gives the largest of
/// its numbers up to maxprocs.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/Ports.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// One command of the call, as the root gave it.
struct Command {
  const char *command;
  char **arguments; ///< null: none
  int maxprocs;
  const Info *info; ///< null: none
};

/// What is wrong with a call, by class.
struct SpawnError {
  int code;
  std::string text;
};

const std::string *valueOf(const Info *info, const char *key) {
  return info ? info->find(key) : nullptr;
}

std::vector<std::string> split(const std::string &text, const char *separators) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin)
      parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

int numberIn(const std::string &text) {
  try {
    const bool negative = text.starts_with('-'); // a list may go down
    const uint64_t digits = parseInteger(std::string_view(text).substr(negative ? 1 : 0));
    const int value = static_cast<int>(std::min<uint64_t>(digits, INT32_MAX));
    return negative ? -value : value;
  } catch (const NumberError &) {
    throw SpawnError{MPI_ERR_INFO_VALUE,
                     "the info's `soft` is no list of a, a:b or a:b:c: " + text};
  }
}

/// The largest number up to \p most in a list such as `2:8:2,16` (MPI 3.1, section 10.3.4); -1 when
/// there is none.
int softNumber(const std::string &list, int most) {
  int best = -1;
  for (const std::string &triplet : split(list, ",")) {
    const std::vector<std::string> fields = split(triplet, ":");
    if (fields.empty() || fields.size() > 3)
      numberIn(triplet);
    const int first = numberIn(fields[0]);
    const int last = fields.size() > 1 ? numberIn(fields[1]) : first;
    const int step = fields.size() > 2 ? numberIn(fields[2]) : 1;
    if (step == 0)
      numberIn("");
    for (int64_t n = first; step > 0 ? n <= last : n >= last; n += step)
      if (n >= 0 && n <= most)
        best = std::max(best, static_cast<int>(n));
  }
  return best;
}

std::vector<platform::HostIndex> hostsOf(const Info *info) {
  std::vector<platform::HostIndex> hosts;
  const std::string *names = valueOf(info, "host");
  if (!names)
    return hosts;
  for (const std::string &name : split(*names, ", ")) {
    auto host = runtime().world.platform.findHost(name);
    if (!host)
      throw SpawnError{MPI_ERR_SPAWN, "the platform has no host '" + name + "' (info's `host`)"};
    hosts.push_back(*host);
  }
  return hosts;
}

bool isProgram(const std::string &path) { return access(path.c_str(), X_OK) == 0; }

/// The file that \p command names: in the directories of the info's `path`, in the directory that
/// the new ranks start in, in the root's, and, for a bare name, in those of PATH.
std::string fileOf(const std::string &command, const Info *info, const std::string &directory) {
  if (command.starts_with('/'))
    return command;
  std::vector<std::string> places;
  if (const std::string *path = valueOf(info, "path"))
    places = split(*path, ": ");
  if (!directory.empty())
    places.push_back(directory);
  places.emplace_back(".");
  if (const char *path = std::getenv("PATH"); path && command.find('/') == std::string::npos)
    for (std::string &place : split(path, ":"))
      places.push_back(std::move(place));
  for (const std::string &place : places)
    if (const std::string file = place + "/" + command; isProgram(file))
      return file;
  throw SpawnError{MPI_ERR_SPAWN, "no program '" + command + "' to start"};
}

process::JobPart partOf(const Command &command, int number) {
  if (command.maxprocs < 0)
    throw SpawnError{MPI_ERR_ARG, fmt::format("invalid maxprocs {}", command.maxprocs)};
  if (!command.command)
    throw SpawnError{MPI_ERR_ARG, "no command (a null pointer)"};
  process::JobPart part;
  part.app = number;
  part.ranks = static_cast<uint32_t>(command.maxprocs);
  if (const std::string *soft = valueOf(command.info, "soft")) {
    const int ranks = softNumber(*soft, command.maxprocs);
    if (ranks < 0)
      throw SpawnError{MPI_ERR_SPAWN, fmt::format("the info's `soft` allows no number up to {}",
                                                  command.maxprocs)};
    part.ranks = static_cast<uint32_t>(ranks);
  }
  part.hosts = hostsOf(command.info);
  if (const std::string *directory = valueOf(command.info, "wdir"))
    part.directory = *directory;
  part.program = fileOf(command.command, command.info, part.directory);
  part.arguments.emplace_back(command.command);
  for (char **word = command.arguments; word && *word; ++word)
    part.arguments.emplace_back(*word);
  return part;
}

/// The new ranks' side of the intercommunicator with their parents.
void giveParent(const process::Job &job, const CommSharedRef &shared) {
  for (uint32_t n = job.first; n < job.first + job.count; ++n) {
    process::Rank &rank = *runtime().world.ranks[n];
    auto *parent = new Comm(rank, shared, static_cast<int>(n - job.first));
    parent->name = "MPI_COMM_PARENT";
    expose(*parent);
    state(rank).parent = parent;
  }
}

/// What the root does.
Encounter start(Comm &comm, const std::vector<Command> &commands) {
  Encounter found;
  size_t asked = 0;
  for (const Command &command : commands)
    asked += static_cast<size_t>(std::max(command.maxprocs, 0));
  found.codes = {{asked, MPI_ERR_SPAWN}};
  try {
    std::vector<process::JobPart> parts;
    uint64_t ranks = 0;
    for (const Command &command : commands)
      ranks += parts.emplace_back(partOf(command, static_cast<int>(parts.size()))).ranks;
    if (ranks == 0)
      throw SpawnError{MPI_ERR_ARG, "no process to start: maxprocs is 0"};
    const process::Job &job = process::addJob(comm.owner(), parts);
    addWorld(job);
    auto pair = makePair(comm.members(), Members::range(job.first, job.count));
    giveParent(job, pair[1]);
    found.shared = std::move(pair[0]);
    found.codes.clear();
    for (size_t i = 0; i < parts.size(); ++i) {
      found.codes.push_back({parts[i].ranks, MPI_SUCCESS});
      found.codes.push_back(
          {static_cast<size_t>(commands[i].maxprocs) - parts[i].ranks, MPI_ERR_SPAWN});
    }
    if (const double seconds = runtime().settings.spawnSeconds; seconds > 0)
      runtime().world.engine.sleep(seconds);
    runtime().fabric.noteProgress();
    process::startJob(job);
  } catch (const SpawnError &error) {
    found.error = error.code;
    found.failure = error.text;
  } catch (const InputError &error) {
    found.error = MPI_ERR_SPAWN;
    found.failure = error.what();
  }
  return found;
}

int spawn(const char *function, const std::vector<Command> &commands, int root, Comm &comm,
          MPI_Comm *intercomm, int *codes) {
  if (comm.isInter())
    return fail(comm.owner(), MPI_ERR_COMM,
                "invalid comm: " + describe(comm) + " is an intercommunicator", &comm);
  std::vector<CodeRun> found;
  const int error =
      connectGroup(comm, root, function, [&] { return start(comm, commands); }, intercomm, &found);
  for (const CodeRun &run : found)
    if (codes)
      codes = std::fill_n(codes, run.count, run.code);
  return error;
}

} // namespace

int Comm_spawn(const char *command, char **argv, int maxprocs, Info *info, int root, Comm &comm,
               MPI_Comm *intercomm, int *array_of_errcodes) {
  return spawn("MPI_Comm_spawn", {{command, argv, maxprocs, info}}, root, comm, intercomm,
               array_of_errcodes);
}

int Comm_spawn_multiple(int count, char **array_of_commands, char ***array_of_argv,
                        const int *array_of_maxprocs, const MPI_Info *array_of_info, int root,
                        Comm &comm, MPI_Comm *intercomm, int *array_of_errcodes) {
  std::vector<Command> commands;
  for (int i = 0; comm.rank() == root && i < count; ++i)
    commands.push_back({array_of_commands[i], array_of_argv ? array_of_argv[i] : nullptr,
                        array_of_maxprocs[i], find<Info>(comm.owner(), array_of_info[i])});
  return spawn("MPI_Comm_spawn_multiple", commands, root, comm, intercomm, array_of_errcodes);
}

int Comm_get_parent(MPI_Comm *parent) {
  const Comm *comm = currentState().parent;
  *parent = comm ? comm->handle : MPI_COMM_NULL;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
