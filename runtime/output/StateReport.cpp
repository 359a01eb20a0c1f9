// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/StateReport.h"

#include "process/image/Symbolizer.h"
#include "process/ranks/Job.h"
#include "process/ranks/Threads.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace gnomon::output {
namespace {

using process::Rank;
using process::World;

constexpr size_t FewRanks = 16;

struct Group {
  const char *function;
  const void *place;
  std::vector<const Rank *> ranks;
};

/// Unfinished ranks by call and place, in the order of their first ranks.
std::vector<Group> groupRanks(const World &world) {
  std::vector<Group> groups;
  std::map<std::tuple<const char *, const void *>, size_t> known;
  for (const auto &rank : world.ranks) {
    if (rank->finished)
      continue;
    auto [entry, isNew] =
        known.try_emplace({rank->call.function, rank->call.returnAddress}, groups.size());
    if (isNew)
      groups.push_back({rank->call.function, rank->call.returnAddress, {}});
    groups[entry->second].ranks.push_back(rank.get());
  }
  return groups;
}

std::vector<std::string> placesOf(const std::vector<Group> &groups) {
  std::vector<process::CodeAddress> addresses;
  for (const Group &group : groups)
    addresses.push_back({group.place, true});
  return process::describe(addresses);
}

std::string callText(const Group &group, const std::string &place) {
  if (!group.function)
    return "in its own code";
  return std::string(group.function) + " at " + place;
}

std::string waitText(const Rank &rank) {
  std::string text = rank.describeWait ? rank.describeWait(rank, rank.waitsFor) : "";
  // The line names the call already.
  std::string call = rank.call.function ? rank.call.function + std::string(": ") : "";
  if (!call.empty() && text.starts_with(call))
    text.erase(0, call.size());
  return text.empty() ? text : ": " + text;
}

std::string lineOf(const Rank &rank, const std::string &call) {
  std::string text = "  " + process::nameOf(rank);
  if (rank.threads)
    text += fmt::format(", thread {}", process::runningThread(rank));
  text += ": " + call + waitText(rank) + "\n";
  for (const process::ThreadView &thread : process::otherThreads(rank)) {
    text += fmt::format("  {}, thread {}: ", process::nameOf(rank), thread.number);
    if (thread.call.function)
      text += thread.call.function + (" at " + process::describe(thread.call.returnAddress));
    text += (thread.wait.empty() ? "" : ": ") + thread.wait + "\n";
  }
  return text;
}

/// "0-4,7": ranges of rank numbers, cut after a dozen.
std::string rangesOf(const std::vector<const Rank *> &ranks) {
  std::string text;
  int shown = 0;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1]->number == ranks[last]->number + 1)
      ++last;
    if (++shown > 12)
      return text + ",…";
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]->number);
    if (last > i)
      text += fmt::format("-{}", ranks[last]->number);
    i = last + 1;
  }
  return text;
}

std::string groupText(const Group &group, const std::string &call) {
  if (group.ranks.size() <= 2) {
    std::string text;
    for (const Rank *rank : group.ranks)
      text += lineOf(*rank, call);
    return text;
  }
  std::string text =
      fmt::format("  {} ranks ({}): {}\n", group.ranks.size(), rangesOf(group.ranks), call);
  std::string first = waitText(*group.ranks.front());
  std::string last = waitText(*group.ranks.back());
  if (!first.empty())
    text += fmt::format("    rank {}{}\n", group.ranks.front()->number, first);
  if (!last.empty())
    text += fmt::format("    rank {}{}\n", group.ranks.back()->number, last);
  return text;
}

std::string endedText(const World &world) {
  auto ended = std::count_if(world.ranks.begin(), world.ranks.end(),
                             [](auto &rank) { return rank->finished; });
  return ended == 0 ? ""
                    : fmt::format("  {} {} ended\n", ended, ended == 1 ? "rank has" : "ranks have");
}

/// The one rank that \p rank waits for; -1 when there is none or more than one.
int64_t awaitedBy(const Rank &rank) {
  std::vector<uint32_t> awaited;
  if (rank.finished || !rank.listAwaited)
    return -1;
  rank.listAwaited(rank, rank.waitsFor, awaited);
  std::sort(awaited.begin(), awaited.end());
  awaited.erase(std::unique(awaited.begin(), awaited.end()), awaited.end());
  return awaited.size() == 1 ? int64_t{awaited[0]} : -1;
}

std::string cycleText(const std::vector<uint32_t> &cycle) {
  if (cycle.empty())
    return {};
  std::string text = "  cycle: ";
  size_t shown = std::min<size_t>(cycle.size(), 8);
  for (size_t i = 0; i < shown; ++i)
    text += fmt::format("rank {} waits for ", cycle[i]);
  if (shown < cycle.size())
    text += fmt::format("… ({} ranks) … ", cycle.size());
  return text + fmt::format("rank {}\n", cycle[0]);
}

} // namespace

std::vector<uint32_t> findCycle(const World &world) {
  // Each rank has at most one successor: walk with marks, O(ranks).
  std::vector<uint32_t> mark(world.ranks.size(), 0);
  for (uint32_t start = 0; start < world.ranks.size(); ++start) {
    int64_t at = start;
    while (at >= 0 && mark[static_cast<size_t>(at)] == 0) {
      mark[static_cast<size_t>(at)] = start + 1;
      at = awaitedBy(*world.ranks[static_cast<size_t>(at)]);
    }
    if (at < 0 || mark[static_cast<size_t>(at)] != start + 1)
      continue;
    std::vector<uint32_t> cycle;
    int64_t next = at;
    do {
      cycle.push_back(static_cast<uint32_t>(next));
      next = awaitedBy(*world.ranks[static_cast<size_t>(next)]);
    } while (next != at);
    return cycle;
  }
  return {};
}

std::string stateReport(const World &world) {
  std::vector<Group> groups = groupRanks(world);
  std::vector<std::string> places = placesOf(groups);
  size_t waiting = 0;
  for (const Group &group : groups)
    waiting += group.ranks.size();
  std::string text;
  if (waiting > FewRanks) {
    for (size_t i = 0; i < groups.size(); ++i)
      text += groupText(groups[i], callText(groups[i], places[i]));
    return text + endedText(world);
  }
  std::vector<std::pair<uint32_t, std::string>> lines;
  for (size_t i = 0; i < groups.size(); ++i)
    for (const Rank *rank : groups[i].ranks)
      lines.emplace_back(rank->number, lineOf(*rank, callText(groups[i], places[i])));
  std::sort(lines.begin(), lines.end());
  for (const auto &[number, line] : lines)
    text += line;
  return text + endedText(world);
}

std::string deadlockReport(const World &world) {
  auto waiting = std::count_if(world.ranks.begin(), world.ranks.end(),
                               [](auto &rank) { return !rank->finished; });
  const std::string ranks =
      fmt::format("{} of {} ranks wait for ever", waiting, world.ranks.size());
  // Who left in the middle is the cause; no cycle of those that wait is.
  for (const auto &rank : world.ranks)
    if (rank->finished && rank->endedInsideMpi)
      return fmt::format("gnomon: at {:.9g} s: {}, and {} has ended without MPI_Finalize\n{}",
                         world.engine.now().seconds, ranks, process::nameOf(*rank),
                         stateReport(world));
  return fmt::format("gnomon: deadlock at {:.9g} s: {}\n{}{}", world.engine.now().seconds, ranks,
                     stateReport(world), cycleText(findCycle(world)));
}

} // namespace gnomon::output
