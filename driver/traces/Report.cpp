// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Statistics as text and as JSON.
#include "traces/Statistics.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>

namespace gnomon::traces {
namespace {

using Json = nlohmann::ordered_json;

/// The least number of bytes of messages that messagesOf has at \p place.
uint64_t leastOf(size_t place) { return place == 0 ? 0 : uint64_t{1} << (place - 1); }

std::string bytesText(double bytes) {
  constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(Units); ++unit)
    bytes /= 1024;
  return fmt::format("{:.4g} {}", bytes, Units[unit]);
}

std::string spreadText(const char *what, const Spread &spread) {
  return fmt::format("  {:<14} {:.6g} on a rank on average, {:.6g} to {:.6g}, {:.6g} in all\n",
                     what, spread.mean(), spread.least, spread.most, spread.sum);
}

/// The most expensive first; equal ones by name.
std::vector<std::pair<std::string, Statistics::Burst>> ordered(const Statistics &statistics) {
  std::vector<std::pair<std::string, Statistics::Burst>> bursts(statistics.bursts.begin(),
                                                                statistics.bursts.end());
  std::sort(bursts.begin(), bursts.end(), [](const auto &a, const auto &b) {
    return std::tie(b.second.instructions, b.second.seconds, a.first) <
           std::tie(a.second.instructions, a.second.seconds, b.first);
  });
  return bursts;
}

Json spreadJson(const Spread &spread) {
  return {
      {"least", spread.least}, {"mean", spread.mean()}, {"most", spread.most}, {"sum", spread.sum}};
}

} // namespace

std::string statisticsText(const Statistics &statistics, const trace::Source &source,
                           const std::string &path, uint64_t fileBytes) {
  const trace::Facts &facts = source.facts();
  std::string text =
      fmt::format("{}: {} ranks, {} records{}\n", path, facts.ranks, statistics.records,
                  facts.complete ? "" : ", INCOMPLETE: the recording ended early");
  if (!facts.program.empty())
    text += fmt::format("  program        {}\n", facts.program);
  text += fmt::format("  written by     {}\n", facts.origin);
  if (source.communicators().size() > 2)
    text += fmt::format("  communicators  {}, besides MPI_COMM_WORLD and MPI_COMM_SELF\n",
                        source.communicators().size() - 2);
  if (fileBytes > 0)
    text +=
        fmt::format("  file           {}, {:.4g} times less than its values have\n",
                    bytesText(static_cast<double>(fileBytes)),
                    static_cast<double>(statistics.valueBytes) / static_cast<double>(fileBytes));
  text += spreadText("records", statistics.recordsOfRank);
  text += spreadText("bytes sent", statistics.bytesOfRank);
  text += spreadText("instructions", statistics.instructionsOfRank);
  text += spreadText("seconds", statistics.secondsOfRank);
  text += fmt::format("\n{:<32} {:>16} {:>16}\n", "function", "calls", "bytes sent");
  for (const auto &[name, of] : statistics.functions)
    text += fmt::format("{:<32} {:>16} {:>16}\n", name, of.calls, of.bytes);
  text += fmt::format("\nmessages: {}, {}\n", statistics.messages,
                      bytesText(static_cast<double>(statistics.messageBytes)));
  for (size_t i = 0; i < statistics.messagesOf.size(); ++i)
    if (statistics.messagesOf[i] > 0)
      text += fmt::format("  {:>9} and more {:>16}\n", bytesText(static_cast<double>(leastOf(i))),
                          statistics.messagesOf[i]);
  text +=
      fmt::format("\n{:<40} {:>12} {:>14} {:>12}\n", "burst", "times", "instructions", "seconds");
  for (const auto &[name, burst] : ordered(statistics))
    text +=
        fmt::format("{:<40} {:>12} {:>14.6g} {:>12.6g}\n", name.empty() ? "(between bursts)" : name,
                    burst.times, burst.instructions, burst.seconds);
  return text;
}

std::string statisticsJson(const Statistics &statistics, const trace::Source &source,
                           const std::string &path, uint64_t fileBytes) {
  const trace::Facts &facts = source.facts();
  Json functions = Json::array(), sizes = Json::array(), bursts = Json::array();
  for (const auto &[name, of] : statistics.functions)
    functions.push_back({{"name", name}, {"calls", of.calls}, {"bytes_sent", of.bytes}});
  for (size_t i = 0; i < statistics.messagesOf.size(); ++i)
    if (statistics.messagesOf[i] > 0)
      sizes.push_back({{"least_bytes", leastOf(i)}, {"messages", statistics.messagesOf[i]}});
  for (const auto &[name, burst] : ordered(statistics))
    bursts.push_back({{"name", name},
                      {"times", burst.times},
                      {"instructions", burst.instructions},
                      {"seconds", burst.seconds}});
  const Json json = {{"version", 1},
                     {"file", path},
                     {"ranks", facts.ranks},
                     {"records", statistics.records},
                     {"complete", facts.complete},
                     {"program", facts.program},
                     {"origin", facts.origin},
                     {"communicators", source.communicators().size()},
                     {"file_bytes", fileBytes},
                     {"value_bytes", statistics.valueBytes},
                     {"messages", statistics.messages},
                     {"message_bytes", statistics.messageBytes},
                     {"message_sizes", sizes},
                     {"of_rank",
                      {{"records", spreadJson(statistics.recordsOfRank)},
                       {"bytes_sent", spreadJson(statistics.bytesOfRank)},
                       {"instructions", spreadJson(statistics.instructionsOfRank)},
                       {"seconds", spreadJson(statistics.secondsOfRank)}}},
                     {"functions", functions},
                     {"bursts", bursts}};
  // Names of a file may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::traces
