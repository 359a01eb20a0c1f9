// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draw/Drawing.h"

#include "draw/Quantities.h"
#include "support/Check.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gnomon::draw {

using namespace platform;

namespace {

constexpr double Margin = 16;
constexpr size_t MostSamples = 6; ///< of strokes in the legend

/// At most MostSamples bandwidths, from the narrowest to the widest.
std::vector<double> sampleBandwidths(const Platform &platform) {
  std::set<double> all;
  for (const Link &link : platform.links())
    all.insert(link.bandwidth);
  std::vector<double> sorted(all.begin(), all.end());
  if (sorted.size() <= MostSamples)
    return sorted;
  std::vector<double> chosen;
  for (size_t i = 0; i < MostSamples; ++i)
    chosen.push_back(sorted[i * (sorted.size() - 1) / (MostSamples - 1)]);
  return chosen;
}

Figure drawLegend(const Source &source) {
  Figure legend;
  double x = HostWidth / 2;
  auto label = [&](const std::string &text) {
    legend.text(Look::LeftLabel, {x, 18}, text);
    x += textWidth(text) + 26;
  };
  legend.box(Look::Host, {0, 5}, {HostWidth, HostHeight});
  x = HostWidth + 6;
  label("host");
  legend.disc({x + 8, 14}, 8);
  x += 22;
  label("switch or router");
  legend.box(Look::Zone, {x, 5}, {HostWidth, HostHeight});
  x += HostWidth + 6;
  label("zone");
  const double firstRow = x;
  double y = 36;
  x = 0;
  double widest = firstRow;
  for (double bandwidth : sampleBandwidths(source.platform)) {
    const std::string text = formatBandwidth(bandwidth);
    legend.line(Look::Cable, {x, y + 4}, {x + 34, y + 4}, strokeWidth(bandwidth));
    legend.text(Look::LeftLabel, {x + 40, y + 8}, text);
    x += 40 + textWidth(text) + 22;
    widest = std::max(widest, x);
  }
  legend.width = widest;
  legend.height = y + 16;
  return legend;
}

/// A zone as a stack of hosts with its name.
Figure drawBrief(const Source &source, ZoneIndex zone) {
  size_t hosts = 0;
  HostIndex first = NoIndex;
  for (HostIndex host = 0; host < source.platform.hosts().size(); ++host)
    if (source.zones.contains(zone, source.zones.pointOfHost(host))) {
      ++hosts;
      first = std::min(first, host);
    }
  Figure figure;
  figure.width = 120;
  figure.height = 52;
  const Spot middle{60, 18};
  if (hosts == 0)
    figure.disc(middle, 9);
  else if (hosts == 1)
    figure.host(middle, source.platform.hosts()[first].name);
  else
    figure.hosts(middle, {formatCount(hosts) + " hosts"});
  return figure;
}

std::string titleOf(const Source &source, ZoneIndex zone) {
  const Outline::Zone &described = source.outline.zones[zone];
  const auto points = source.zones.points(zone).size();
  auto sizes = [](const std::vector<uint32_t> &numbers) {
    std::string text;
    for (uint32_t number : numbers)
      text += fmt::format("{}{}", text.empty() ? "" : " x ", number);
    return text;
  };
  const std::string name = shortened(described.name, 30) + ": ";
  if (const auto *torus = std::get_if<TorusSpec>(&described.topology))
    return name + "torus of " + sizes(torus->sizes) + " hosts";
  if (const auto *tree = std::get_if<FatTreeSpec>(&described.topology))
    return fmt::format("{}fat tree of {} level{}, {} hosts", name, tree->children.size(),
                       tree->children.size() == 1 ? "" : "s", formatCount(points));
  if (const auto *fly = std::get_if<DragonflySpec>(&described.topology))
    return name + "dragonfly of " + formatCount(fly->groups) + " groups of " +
           formatCount(fly->chassis) + " x " + formatCount(fly->blades) + " routers";
  if (described.routing == "FLAT" && points > 1)
    return name + "cluster of " + formatCount(points - 1) + " hosts"; // and its router
  return name + described.routing;
}

Source sourceOf(const Platform &platform) {
  CHECK(platform.zones() && platform.outline(), "only loaded platforms are drawn");
  Source source{platform, *platform.zones(), *platform.outline(), {}};
  size_t points = 0;
  for (ZoneIndex zone = 0; zone < source.zones.zoneCount(); ++zone)
    points += source.zones.points(zone).size();
  source.hostAt.assign(points, NoIndex);
  for (HostIndex host = 0; host < platform.hosts().size(); ++host)
    source.hostAt[source.zones.pointOfHost(host)] = host;
  return source;
}

} // namespace

std::string Source::figures(LinkIndex index) const {
  return formatBandwidth(link(index).bandwidth) + ", " + formatSeconds(link(index).latencySeconds);
}

std::vector<uint32_t> shown(uint32_t count, uint32_t most) {
  std::vector<uint32_t> numbers;
  if (count <= most) {
    for (uint32_t i = 0; i < count; ++i)
      numbers.push_back(i);
    return numbers;
  }
  for (uint32_t i = 0; i + 2 < most; ++i)
    numbers.push_back(i);
  numbers.push_back(NoIndex);
  numbers.push_back(count - 1);
  return numbers;
}

std::string hostFigures(const Host &host) {
  return (host.cores > 1 ? fmt::format("{} x ", host.cores) : "") + formatFlops(host.speedFlops);
}

std::string namesFromTo(const Source &source, HostIndex first, HostIndex last) {
  auto name = [&](HostIndex host) {
    std::string name = source.platform.hosts()[host].name;
    constexpr size_t Most = 15;
    if (name.size() > Most) // without the domain
      name.resize(std::min(name.size(), name.find('.')));
    return shortened(name, Most);
  };
  return name(first) + " … " + name(last);
}

Figure drawZone(const Source &source, ZoneIndex zone, bool brief) {
  const Routing routing = source.zones.routing(zone);
  if (brief)
    return boxed(drawBrief(source, zone), shortened(source.outline.zones[zone].name, 18));
  Figure inside;
  const TopologySpec &topology = source.outline.zones[zone].topology;
  if (std::holds_alternative<TorusSpec>(topology))
    inside = drawTorus(source, zone);
  else if (std::holds_alternative<FatTreeSpec>(topology))
    inside = drawFatTree(source, zone);
  else if (std::holds_alternative<DragonflySpec>(topology))
    inside = drawDragonfly(source, zone);
  else
    inside = routing == Routing::Star ? drawStar(source, zone) : drawGraph(source, zone);
  return boxed(inside, titleOf(source, zone));
}

std::string draw(const Platform &platform) {
  const Source source = sourceOf(platform);
  Figure picture;
  const std::string title = shortened(source.outline.file, 60) + ": " +
                            formatCount(platform.hosts().size()) + " hosts, " +
                            formatCount(platform.links().size()) + " links";
  picture.text(Look::Title, {Margin, Margin + 10}, title);
  picture.width = Margin + textWidth(title) * 1.25;
  picture.place(drawZone(source, 0, false), {Margin, Margin + 22});
  picture.place(drawLegend(source), {Margin, picture.height + 10});
  picture.width += Margin;
  picture.height += Margin;
  return renderSvg(picture);
}

} // namespace gnomon::draw
