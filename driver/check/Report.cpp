// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Report.h"

#include "draw/Quantities.h"
#include "platform/Outline.h"
#include "platform/ZoneTree.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gnomon::check {

using draw::formatBandwidth, draw::formatBytesRate, draw::formatCount, draw::formatFlops,
    draw::formatSeconds, draw::withoutPlace;
namespace {

using Json = nlohmann::ordered_json;
using namespace platform;

std::string counted(size_t count, const char *noun) {
  return formatCount(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string ranged(const Range &range, std::string (*format)(double)) {
  const std::string least = format(range.least), greatest = format(range.greatest);
  return least == greatest ? least : least + " to " + greatest;
}

std::string renderSummary(const Summary &summary) {
  std::string text = fmt::format("  hosts       {}, {}\n", formatCount(summary.hosts),
                                 counted(summary.cores, "core"));
  text += fmt::format("  links       {}{}\n", formatCount(summary.links),
                      summary.fatPipes ? ", " + formatCount(summary.fatPipes) + " of them fat pipes"
                                       : "");
  text += fmt::format("  zones       {}:", formatCount(summary.zones));
  for (const auto &[routing, zones] : summary.routings)
    text += fmt::format(" {} {}", formatCount(zones), routing);
  text += summary.routers ? ", " + counted(summary.routers, "router") + "\n" : "\n";
  text += fmt::format("  routes      {} pairs of hosts {}\n", formatCount(summary.pairs),
                      summary.allPairs ? "walked: all of them"
                                       : "walked: an evenly spaced sample; that every pair has a "
                                         "route was found zone by zone");
  if (!summary.latencySeconds.empty()) {
    text += fmt::format("  diameter    {}\n", counted(summary.diameter, "link"));
    text += fmt::format("  latency     {}\n", ranged(summary.latencySeconds, formatSeconds));
  }
  if (!summary.bandwidth.empty())
    text += fmt::format("  bottleneck  {}\n", ranged(summary.bandwidth, formatBandwidth));
  for (const auto &[key, value] : summary.config)
    text += fmt::format("  sets        {} = {}\n", key, value);
  return text;
}

Json rangeJson(const Range &range) {
  return range.empty() ? Json(nullptr) : Json{{"least", range.least}, {"greatest", range.greatest}};
}

Json summaryJson(const Summary &summary) {
  Json json{{"hosts", summary.hosts},     {"cores", summary.cores},
            {"links", summary.links},     {"fat_pipes", summary.fatPipes},
            {"routers", summary.routers}, {"zones", summary.zones}};
  json["routing"] = Json::object();
  for (const auto &[routing, zones] : summary.routings)
    json["routing"][routing] = zones;
  json["all_pairs"] = summary.allPairs;
  json["pairs"] = summary.pairs;
  json["diameter_links"] = summary.diameter;
  json["latency_seconds"] = rangeJson(summary.latencySeconds);
  json["bottleneck_bytes_per_second"] = rangeJson(summary.bandwidth);
  json["config"] = Json::array();
  for (const auto &[key, value] : summary.config)
    json["config"].push_back({{"key", key}, {"value", value}});
  return json;
}

Json findingJson(const Finding &finding) {
  return {{"id", info(finding.lint).id},
          {"severity", nameOf(info(finding.lint).severity)},
          {"file", finding.file},
          {"line", finding.line > 0 ? Json(finding.line) : Json(nullptr)},
          {"attribute", finding.attribute.empty() ? Json(nullptr) : Json(finding.attribute)},
          {"text", finding.text},
          {"remedy", finding.remedy.empty() ? Json(nullptr) : Json(finding.remedy)}};
}

} // namespace

Summary summarise(const Platform &platform, const Survey &survey) {
  const ZoneTree &zones = *platform.zones();
  Summary summary;
  summary.hosts = platform.hosts().size();
  for (const Host &host : platform.hosts())
    summary.cores += host.cores;
  summary.links = platform.links().size();
  summary.fatPipes =
      static_cast<size_t>(std::ranges::count(platform.links(), Sharing::FatPipe, &Link::sharing));
  summary.zones = zones.zoneCount();
  size_t points = 0;
  for (ZoneIndex zone = 0; zone < zones.zoneCount(); ++zone) {
    points += zones.points(zone).size();
    const std::string &routing = platform.outline()->zones[zone].routing;
    auto known =
        std::ranges::find(summary.routings, routing, &std::pair<std::string, size_t>::first);
    if (known == summary.routings.end())
      summary.routings.emplace_back(routing, 1);
    else
      ++known->second;
  }
  summary.routers = points - summary.hosts - (summary.zones - 1);
  summary.allPairs = survey.allPairs;
  summary.pairs = survey.pairs;
  summary.diameter = survey.diameter;
  summary.latencySeconds = survey.latencySeconds;
  summary.bandwidth = survey.bandwidth;
  for (const ConfigEntry &entry : platform.config())
    summary.config.emplace_back(entry.key, entry.value);
  return summary;
}

std::string renderText(const Checked &checked) {
  std::string text = checked.file + ":";
  size_t counts[3] = {};
  for (const Finding &finding : checked.findings)
    ++counts[static_cast<size_t>(info(finding.lint).severity)];
  if (counts[2] + counts[1] == 0)
    text += " good\n";
  else
    text += fmt::format(" {}{}{}\n", counts[2] ? counted(counts[2], "error") : "",
                        counts[2] && counts[1] ? ", " : "",
                        counts[1] ? counted(counts[1], "warning") : "");
  if (checked.summary)
    text += renderSummary(*checked.summary);
  // A file with one mistake has it on every line: the first ones will do.
  constexpr size_t MostOfAKind = 20;
  std::map<Lint, size_t> printed;
  for (const Finding &finding : checked.findings)
    if (++printed[finding.lint] <= MostOfAKind)
      text += finding.render() + "\n";
  for (const auto &[lint, count] : printed)
    if (count > MostOfAKind)
      text += fmt::format("{}: and {} more [{}]; --json lists all\n", checked.file,
                          formatCount(count - MostOfAKind), info(lint).id);
  return text;
}

std::string renderJson(const std::vector<Checked> &files) {
  Json json = Json::array();
  for (const Checked &checked : files) {
    Json findings = Json::array();
    for (const Finding &finding : checked.findings)
      findings.push_back(findingJson(finding));
    json.push_back({{"file", checked.file},
                    {"summary", checked.summary ? summaryJson(*checked.summary) : Json(nullptr)},
                    {"findings", findings}});
  }
  // Names of a file may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::check
