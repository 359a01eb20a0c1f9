// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Lint.h"

#include "draw/Quantities.h"
#include "models/Parameters.h"
#include "models/RunSettings.h"
#include "platform/Outline.h"
#include "platform/ZoneTree.h"
#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace gnomon::check {

using draw::formatBandwidth, draw::formatBytesRate, draw::formatCount, draw::formatFlops,
    draw::formatSeconds, draw::withoutPlace;
namespace {

using namespace platform;

constexpr double MostBandwidth = 1e13 / 8, LeastBandwidth = 1e3 / 8; // bytes/s
constexpr double MostFlops = 1e15, LeastFlops = 1e6;

/// Rates of networks that are sold, bit/s.
constexpr double UsualRates[] = {1e9, 10e9, 100e9};
/// Those whose number, taken as bytes/s, is no usual rate in bits; 25, 50, 100 GB/s are.
constexpr double RatesAsBytes[] = {10e9, 40e9, 56e9, 200e9};

class Linter {
public:
  Linter(const Platform &platform, const Survey &survey, const Algorithms &algorithms)
      : platform_(platform), outline_(*platform.outline()), survey_(survey),
        algorithms_(algorithms) {}
  Findings run();

private:
  void links();
  void link(LinkIndex index);
  void hosts();
  void routes();
  void config();
  void setting(const ConfigEntry &entry);
  void tryOut(const ConfigEntry &entry, std::vector<std::string> &notes) const;
  void notes();

  std::string attribute(LinkIndex index, const char *ofLink) const;
  void add(Lint lint, Origin origin, std::string attribute, std::string text, std::string remedy) {
    findings_.push_back({lint, outline_.file, origin.line, std::move(attribute), std::move(text),
                         std::move(remedy)});
  }
  /// Like add; later calls with the same lint, origin and attribute only count.
  void addOnce(Lint lint, Origin origin, const std::string &attribute, const std::string &text,
               const std::string &remedy);
  std::string names(const Pairs &pairs, const char *arrow) const;
  Origin routeOrigin(const Pairs &pairs) const;

  const Platform &platform_;
  const Outline &outline_;
  const Survey &survey_;
  const Algorithms &algorithms_;
  Findings findings_;
  std::map<std::tuple<Lint, int, std::string>, std::pair<size_t, uint64_t>> counted_;
};

void Linter::addOnce(Lint lint, Origin origin, const std::string &attribute,
                     const std::string &text, const std::string &remedy) {
  // Elements on one line, and those of no line, are told apart by what is said of them.
  auto [found, isNew] = counted_.try_emplace({lint, origin.line, attribute}, findings_.size(), 0);
  ++found->second.second;
  if (isNew)
    add(lint, origin, attribute, text, remedy);
}

/// What the user wrote the value into.
std::string Linter::attribute(LinkIndex index, const char *ofLink) const {
  const std::string_view element = outline_.links.of(index).element, quantity = ofLink;
  const std::string name = platform_.links()[index].name;
  const std::string brief = quantity == "bandwidth" ? "bw" : "lat";
  if (element == "cluster") {
    if (name.ends_with("_limiter"))
      return "limiter_link";
    if (name.ends_with("_loopback"))
      return "loopback_" + brief;
    return (name.ends_with("_backbone") ? "bb_" : "") + brief;
  }
  if (element == "peer" && quantity == "bandwidth")
    return name.ends_with("_UP") ? "bw_out" : "bw_in";
  return element == "link" || element == "backbone" ? ofLink : brief;
}

void Linter::link(LinkIndex index) {
  const Link &link = platform_.links()[index];
  const Origin origin = outline_.links.of(index);
  const std::string bandwidth = attribute(index, "bandwidth"),
                    latency = attribute(index, "latency");
  const std::string name = "link '" + link.name.str() + "'";
  const Survey::Use use = survey_.uses[index];
  const bool loopback = use.loopback && !use.betweenHosts;
  if (link.bandwidth > MostBandwidth || link.bandwidth < LeastBandwidth)
    addOnce(Lint::Bandwidth, origin, bandwidth, name + " has " + formatBandwidth(link.bandwidth),
            "check number and unit: Gbps are bits, GBps bytes");
  else if (!loopback && std::ranges::count(RatesAsBytes, link.bandwidth) > 0)
    addOnce(Lint::BitsOrBytes, origin, bandwidth,
            name + " has " + formatBytesRate(link.bandwidth) + ", 8 times a usual rate in bits",
            "if it is a network of " + formatBandwidth(link.bandwidth / 8) + ", write bps");
  else if (!loopback && std::ranges::count(UsualRates, link.bandwidth * 64) > 0)
    addOnce(Lint::BitsOrBytes, origin, bandwidth,
            name + " has " + formatBandwidth(link.bandwidth) + ", an eighth of a usual rate",
            "if it is a network of " + formatBandwidth(link.bandwidth * 8) + ", write Bps");
  if (link.latencySeconds > MostLatencySeconds)
    addOnce(Lint::Latency, origin, latency, name + " takes " + formatSeconds(link.latencySeconds),
            "check number and unit");
  if (link.latencySeconds == 0 && use.betweenHosts && latency != "limiter_link" &&
      std::string_view(origin.element) != "peer") // whose latency is a coordinate
    addOnce(Lint::ZeroLatencyLink, origin, latency, name + " takes no time", "");
  if (!use.betweenHosts && !use.loopback) {
    const bool cable = std::string_view(origin.element) == "cluster";
    addOnce(cable ? Lint::IdleCables : Lint::UnusedLink, origin, "",
            name + (cable              ? " is never crossed by the topology's routes"
                    : survey_.allPairs ? " is crossed by no route between hosts"
                                       : " is named by no route"),
            cable ? "" : "remove it, or put it into a route");
  }
}

void Linter::links() {
  for (LinkIndex index = 0; index < platform_.links().size(); ++index)
    link(index);
}

void Linter::hosts() {
  for (HostIndex index = 0; index < platform_.hosts().size(); ++index) {
    const Host &host = platform_.hosts()[index];
    if (host.speedFlops > MostFlops || host.speedFlops < LeastFlops)
      addOnce(Lint::Speed, outline_.hosts.of(index), "speed",
              "a core of host '" + host.name.str() + "' does " + formatFlops(host.speedFlops),
              "give the speed of one core, and the number of cores in 'core'");
  }
  for (HostIndex host : survey_.isolated)
    addOnce(Lint::Isolated, outline_.hosts.of(host), "",
            "host '" + platform_.hosts()[host].name.str() + "' reaches no other host",
            "give it a route");
}

std::string Linter::names(const Pairs &pairs, const char *arrow) const {
  return "'" + platform_.hosts()[pairs.from].name.str() + "'" + arrow + "'" +
         platform_.hosts()[pairs.to].name.str() + "'";
}

/// The line of the zone that holds both.
Origin Linter::routeOrigin(const Pairs &pairs) const {
  const ZoneTree &zones = *platform_.zones();
  ZoneIndex zone = zones.zoneOf(zones.pointOfHost(pairs.from));
  while (!zones.contains(zone, zones.pointOfHost(pairs.to)))
    zone = zones.parentOf(zone);
  return {outline_.zones[zone].line, "zone"};
}

void Linter::routes() {
  auto ofPairs = [this](uint64_t count) {
    return survey_.allPairs ? (count > 1 ? fmt::format(" (and {} more pairs)", count - 1) : "")
                            : " (of a sample)";
  };
  auto figures = [this](HostIndex from, HostIndex to) {
    Route route;
    platform_.route(from, to, route);
    double bandwidth = __builtin_huge_val();
    for (LinkIndex link : route.links)
      bandwidth = std::min(bandwidth, platform_.links()[link].bandwidth);
    return formatSeconds(route.latencySeconds) + " and " + formatBandwidth(bandwidth);
  };
  if (const Pairs &pairs = survey_.unreachable; pairs.count > 0)
    add(Lint::Unreachable, routeOrigin(pairs), "",
        "no route from " + names(pairs, " to ") + ofPairs(pairs.count),
        "write a route, or use routing=\"Floyd\" to join routes");
  else if (!survey_.missing.empty())
    add(Lint::Unreachable, {}, "", withoutPlace(survey_.missing, outline_.file, 0),
        "write a route, or use routing=\"Floyd\" to join routes");
  auto differ = [&](Lint lint, const Pairs &pairs, const char *remedy) {
    if (pairs.count > 0)
      add(lint, routeOrigin(pairs), "",
          "from " + names(pairs, " to ") + " it is " + figures(pairs.from, pairs.to) +
              ", and back " + figures(pairs.to, pairs.from) + ofPairs(pairs.count),
          remedy);
  };
  differ(Lint::Asymmetric, survey_.latencyDiffers,
         "if it is not meant, write one route with symmetrical=\"YES\"");
  differ(Lint::AsymmetricBandwidth, survey_.bandwidthDiffers, "");
  differ(Lint::AsymmetricTopology, survey_.topologyDiffers, "");
  if (const Pairs &pairs = survey_.slow; pairs.count > 0)
    add(Lint::Latency, routeOrigin(pairs), "",
        "from " + names(pairs, " to ") + " a message takes " +
            figures(pairs.from, pairs.to).substr(0, figures(pairs.from, pairs.to).find(" and")) +
            ofPairs(pairs.count),
        "check the latencies of its links, or the coordinates");
  if (const Pairs &pairs = survey_.noLatency; pairs.count > 0)
    add(Lint::ZeroLatency, routeOrigin(pairs), "",
        "a message from " + names(pairs, " to ") + " takes no latency" + ofPairs(pairs.count),
        "give a link of the route a latency");
}

/// What a run would say of the setting, which is for launch or else for the models; notes are left
/// in \p notes.
void Linter::tryOut(const ConfigEntry &entry, std::vector<std::string> &notes) const {
  models::RunSettings ofRun;
  if (models::take(entry, ofRun))
    return;
  if (models::choosesCollective(entry.key) &&
      algorithms_.check(entry.key.substr(entry.key.find('/') + 1), entry.value))
    return;
  notes = models::makeParameters(std::span(&entry, 1)).notes;
}

void Linter::setting(const ConfigEntry &entry) {
  std::vector<std::string> notes;
  try {
    tryOut(entry, notes);
  } catch (const InputError &error) {
    add(Lint::BadConfig, {entry.line, "prop"}, "value",
        withoutPlace(error.what(), entry.file, entry.line), "");
  }
  for (const std::string &note : notes)
    add(Lint::Ignored, {entry.line, "prop"}, entry.key, note, "remove it");
}

void Linter::config() {
  std::map<std::string_view, int> lines;
  for (const ConfigEntry &entry : platform_.config()) {
    setting(entry);
    auto [before, isFirst] = lines.try_emplace(entry.key, entry.line);
    if (!isFirst)
      add(Lint::ConfigTwice, {entry.line, "prop"}, "id",
          fmt::format("'{}' is set on line {} already", entry.key, before->second),
          "remove one of them");
  }
}

void Linter::notes() {
  for (const Note &note : platform_.notes()) {
    const Lint lint = note.kind == Note::Kind::NoUnit       ? Lint::NoUnit
                      : note.kind == Note::Kind::Properties ? Lint::Properties
                                                            : Lint::Ignored;
    add(lint, {note.line, ""}, note.attribute, note.text, "");
  }
}

Findings Linter::run() {
  notes();
  config();
  links();
  hosts();
  routes();
  for (const auto &[key, place] : counted_)
    if (auto [index, count] = place; count > 1)
      findings_[index].text += fmt::format(" (and {} more)", count - 1);
  std::sort(findings_.begin(), findings_.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.line, a.lint, a.attribute, a.text) <
           std::tie(b.line, b.lint, b.attribute, b.text);
  });
  return std::move(findings_);
}

} // namespace

Findings lint(const Platform &platform, const Survey &survey, const Algorithms &algorithms) {
  return Linter(platform, survey, algorithms).run();
}

} // namespace gnomon::check
