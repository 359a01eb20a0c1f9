// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks come to be: the first job before the run, the others in the middle of it. A rank of either
/// kind begins with what the process began with: the initial values of its program's globals,
/// libc's state, the streams, the environment.
#include "process/ranks/Job.h"

#include "process/image/Modules.h"
#include "process/image/Programs.h"
#include "process/ranks/Jobs.h"
#include "process/ranks/Memory.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Streams.h"
#include "process/ranks/SwitchHook.h"
#include "support/Check.h"
#include "support/Error.h"

#include <cstring>
#include <fmt/format.h>
#include <immintrin.h>
#include <new>
#include <numeric>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

/// A copy of \p count arguments at the upper end of the rank's stack, where a process has its own.
char **copyArguments(kernel::Fiber &fiber, int count, const auto &textOf) {
  const auto words = static_cast<size_t>(count);
  size_t bytes = (words + 1) * sizeof(char *);
  for (size_t i = 0; i < words; ++i)
    bytes += std::strlen(textOf(i)) + 1;
  auto **const vector = static_cast<char **>(fiber.setAside(bytes));
  char *text = reinterpret_cast<char *>(vector + words + 1);
  for (size_t i = 0; i < words; ++i) {
    vector[i] = std::strcpy(text, textOf(i));
    text += std::strlen(text) + 1;
  }
  vector[words] = nullptr;
  return vector;
}

/// The arguments of a rank that is about to start.
char **newArguments(const Simulation &simulation, const Rank &rank) {
  const Settings &all = simulation.settings;
  const std::vector<std::string> &own = rank.app->arguments;
  if (!own.empty())
    return copyArguments(*rank.fiber, static_cast<int>(own.size()),
                         [&](size_t i) { return own[i].c_str(); });
  if (simulation.world.ranks.size() == 1)
    return all.argv;
  return copyArguments(*rank.fiber, all.argc, [&](size_t i) { return all.argv[i]; });
}

/// A rank of the next number.
void addRank(Simulation &simulation, const App &app, const Job &job, platform::HostIndex host) {
  kernel::InPlace<Rank> rank = Rank::make(simulation.world.engine);
  rank->number = static_cast<uint32_t>(simulation.world.ranks.size());
  rank->host = host;
  rank->app = &app;
  rank->job = &job;
  rank->burst.start();
  rank->swapped = simulation.initial;
  rank->swapped.errnoValue = 0;
  rank->libc = rank->fiber->keep<LibcState>();
  simulation.world.ranks.push_back(std::move(rank));
}

void becomeSeveral(Simulation &simulation) {
  raiseFileLimit();
  swapForSeveral(simulation);
}

/// Whether this machine can hold \p more ranks.
void checkRoom(const Simulation &simulation, uint64_t more) {
  const uint64_t all = simulation.world.ranks.size() + more;
  const uint64_t bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (all > bytes / (LeastStackBytes + LeastStateBytes))
    throw InputError("", 0,
                     fmt::format("{} more ranks do not fit into this machine's memory", more));
}

/// The host of rank \p number, the \p n-th of its part.
platform::HostIndex hostFor(const Simulation &simulation, const JobPart &part, uint32_t number,
                            uint32_t n) {
  if (!part.hosts.empty())
    return part.hosts[n % part.hosts.size()];
  const auto &slots = simulation.settings.slots;
  return slots.empty() ? simulation.world.ranks[0]->host : slots[number % slots.size()];
}

/// The new ranks can talk to each other and to \p parent.
void checkReachable(const Simulation &simulation, const Rank &parent,
                    const std::vector<JobPart> &parts, uint32_t number) {
  std::set<platform::HostIndex> hosts{parent.host};
  for (const JobPart &part : parts)
    for (uint32_t n = 0; n < part.ranks; ++n)
      hosts.insert(hostFor(simulation, part, number++, n));
  simulation.world.platform.checkReachable(std::vector(hosts.begin(), hosts.end()));
}

const App &newApp(Simulation &simulation, const JobPart &part, uint32_t program) {
  return simulation.apps.emplace_back(App{program, part.app, part.arguments, part.arguments.at(0)});
}

} // namespace

bool runsModule(const gnomon_module &module, uint32_t rank) {
  return belongsTo(module, simulation()->world.ranks[rank]->app->program);
}

std::string nameOf(const Rank &rank) {
  std::string text = "rank " + std::to_string(rank.number);
  if (!rank.job || rank.job->number == 0)
    return text;
  return text + " (rank " + std::to_string(rank.number - rank.job->first) + " of spawned world " +
         std::to_string(rank.job->number) + ", " + rank.app->name + ")";
}

/// Ranks may open many files and directories, each as many as a process of its own could.
void raiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

Arguments argumentsOf(const Rank &rank) {
  const std::vector<std::string> &own = rank.app->arguments;
  return {own.empty() ? simulation()->settings.argc : static_cast<int>(own.size()),
          rank.libc->arguments};
}

/// What a rank's fiber runs. An exception that leaves main finds the end of the stack and so calls
/// std::terminate where it was thrown; a noexcept here would unwind the stack first, and the report
/// could not say where that was.
static void rankEntry(void *argument) {
  Rank &rank = *static_cast<Rank *>(argument);
  _mm_setcsr(DefaultFloatControl);
  leaveRuntime(rank); // which runs the constructors
  const Arguments arguments = argumentsOf(rank);
  int code = programModule(rank.app->program)->main(arguments.count, arguments.vector, environ);
  exitRank(code, true);
}

void start(Simulation &simulation, Rank &rank) {
  rank.libc->arguments = newArguments(simulation, rank);
  simulation.world.engine.start(*rank.fiber, rankEntry, &rank);
}

void makeFirstJob(Simulation &simulation) {
  const Settings &settings = simulation.settings;
  const auto ranks = static_cast<uint32_t>(settings.hosts.size());
  const Job &job = simulation.jobs.emplace_back(Job{0, 0, ranks});
  uint32_t others = 0;
  for (const JobPart &part : settings.companions)
    others += part.ranks;
  const App *app = &simulation.apps.emplace_back(App{});
  if (settings.argc > 0)
    simulation.apps.front().name = settings.argv[0];
  while (simulation.world.ranks.size() < ranks - others)
    addRank(simulation, *app, job, settings.hosts[simulation.world.ranks.size()]);
  for (const JobPart &part : settings.companions) {
    app = &newApp(simulation, part, loadProgram(part.program));
    for (uint32_t n = 0; n < part.ranks; ++n)
      addRank(simulation, *app, job, settings.hosts[simulation.world.ranks.size()]);
  }
  if (ranks > 1)
    becomeSeveral(simulation);
  simulation.images.build(modules(), ranks, runsModule);
}

const Job &addJob(const Rank &parent, const std::vector<JobPart> &parts) {
  Simulation &simulation = *process::simulation();
  auto &ranks = simulation.world.ranks;
  const auto first = static_cast<uint32_t>(ranks.size());
  uint32_t count = 0;
  std::vector<uint32_t> programs;
  std::vector<int> directories;
  // All that can fail comes before the first change.
  checkRoom(simulation, std::accumulate(parts.begin(), parts.end(), uint64_t{0},
                                        [](uint64_t sum, auto &part) { return sum + part.ranks; }));
  for (const JobPart &part : parts) {
    directories.push_back(part.directory.empty() ? parent.swapped.directory
                                                 : openDirectory(part.directory));
    programs.push_back(loadProgram(part.program));
    count += part.ranks;
  }
  checkReachable(simulation, parent, parts, first);
  try {
    simulation.images.reserve(first, count);
  } catch (const std::bad_alloc &) {
    throw InputError("", 0,
                     fmt::format("no address space for the globals of {} more ranks", count));
  }
  if (first == 1)
    becomeSeveral(simulation);
  const auto number = static_cast<uint32_t>(simulation.jobs.size());
  const Job &job = simulation.jobs.emplace_back(Job{number, first, count});
  for (size_t i = 0; i < parts.size(); ++i) {
    const App &app = newApp(simulation, parts[i], programs[i]);
    for (uint32_t n = 0; n < parts[i].ranks; ++n) {
      const auto next = static_cast<uint32_t>(ranks.size());
      addRank(simulation, app, job, hostFor(simulation, parts[i], next, n));
      ranks.back()->swapped.directory = directories[i];
      giveStreams(*ranks.back());
    }
  }
  simulation.images.fill(first, count, runsModule);
  if (simulation.skipping)
    simulation.skipping->ranksAdded();
  return job;
}

void startJob(const Job &job) {
  for (uint32_t n = job.first; n < job.first + job.count; ++n)
    start(*simulation(), *simulation()->world.ranks[n]);
}

} // namespace gnomon::process
