// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A dragonfly: groups as boxes on a ring, joined pairwise by blue cables; in a group a row of
/// routers for each chassis, green cables along it, black ones across.
#include "draw/Drawing.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace gnomon::draw {
namespace {

using namespace platform;

constexpr uint32_t MostGroups = 8, MostChassis = 4, MostBlades = 6;
constexpr double RouterPitch = 30;

class Dragonfly {
public:
  Dragonfly(const Source &source, ZoneIndex zone);
  Figure draw();

private:
  Figure drawGroup(uint32_t group) const;
  void drawHosts(Figure &figure, Spot router) const;
  void explain();
  double stroke(uint32_t multiple) const {
    return strokeWidth(hostLink_ == NoIndex ? 1.25e8
                                            : source_.link(hostLink_).bandwidth * multiple);
  }

  const Source &source_;
  ZoneIndex zone_;
  DragonflySpec spec_;
  LinkIndex hostLink_ = NoIndex;
  Figure figure_;
};

Dragonfly::Dragonfly(const Source &source, ZoneIndex zone)
    : source_(source), zone_(zone),
      spec_(std::get<DragonflySpec>(source.outline.zones[zone].topology)) {
  auto points = source.zones.points(zone);
  Route route;
  source.platform.route(source.hostAt[points.front()], source.hostAt[points.back()], route);
  for (LinkIndex link : route.links)
    if (hostLink_ == NoIndex || source.link(link).latencySeconds > 0) {
      hostLink_ = link;
      if (source.link(link).latencySeconds > 0) // the first that is no limiter
        break;
    }
}

/// A host's box or two below its router.
void Dragonfly::drawHosts(Figure &figure, Spot router) const {
  const uint32_t drawn = std::min(spec_.nodes, 2u);
  for (uint32_t n = 0; n < drawn; ++n) {
    const Spot at = router + Spot{(n - (drawn - 1) / 2.0) * 10, 15};
    figure.line(Look::Cable, router, at, std::min(stroke(1), 2.0));
    figure.box(Look::Host, at - Spot{4, 3}, {8, 6});
  }
}

Figure Dragonfly::drawGroup(uint32_t group) const {
  Figure figure;
  const std::vector<uint32_t> rows = shown(spec_.chassis, MostChassis);
  const std::vector<uint32_t> columns = shown(spec_.blades, MostBlades);
  auto spot = [](size_t row, size_t column) {
    return Spot{RouterPitch * (static_cast<double>(column) + 0.5),
                10 + (RouterPitch + 12) * static_cast<double>(row)};
  };
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      const bool drawn = rows[r] != NoIndex && columns[c] != NoIndex;
      if (c > 0)
        figure.line(drawn && columns[c - 1] != NoIndex ? Look::Green : Look::Faint, spot(r, c - 1),
                    spot(r, c), stroke(spec_.greenCables));
      if (r > 0)
        figure.line(drawn && rows[r - 1] != NoIndex ? Look::Cable : Look::Faint, spot(r - 1, c),
                    spot(r, c), stroke(spec_.blackCables));
      if (drawn) {
        figure.disc(spot(r, c), 6);
        drawHosts(figure, spot(r, c));
      } else {
        figure.text(Look::Label, spot(r, c) + Spot{0, 4}, "…");
      }
    }
  figure.width = RouterPitch * static_cast<double>(columns.size());
  figure.height = spot(rows.size() - 1, 0).y + 20;
  return boxed(figure, fmt::format("group {}", group));
}

void Dragonfly::explain() {
  const auto points = source_.zones.points(zone_);
  auto cable = [this](uint32_t multiple) {
    Link link = source_.link(hostLink_);
    return formatBandwidth(link.bandwidth * multiple) + ", " + formatSeconds(link.latencySeconds);
  };
  std::vector<std::string> lines{
      fmt::format("{} hosts, {} a router, {}", formatCount(points.size()), spec_.nodes,
                  hostFigures(source_.platform.hosts()[source_.hostAt[points[0]]]))};
  if (hostLink_ != NoIndex) {
    lines.push_back("a host's link: " + cable(1));
    lines.push_back("green, between all routers of a chassis: " + cable(spec_.greenCables));
    lines.push_back("black, between all chassis of a group: " + cable(spec_.blackCables));
    lines.push_back("blue, between all groups: " + cable(spec_.blueCables));
  }
  double y = figure_.height + 24;
  for (const std::string &line : lines) {
    figure_.text(Look::LeftLabel, {0, y}, line);
    figure_.width = std::max(figure_.width, textWidth(line));
    y += TextHeight;
  }
  figure_.height = y;
}

Figure Dragonfly::draw() {
  const std::vector<uint32_t> groups = shown(spec_.groups, MostGroups);
  const auto count = static_cast<double>(groups.size());
  const Figure sample = drawGroup(0);
  const double size = std::hypot(sample.width, sample.height) + 24;
  double radius =
      groups.size() == 1 ? 0 : std::max(size * 0.6, size / 2 / std::sin(std::numbers::pi / count));
  if (groups.size() > 4) // lines to the next but one go past a group
    radius = std::max(radius, size * 0.5 / (1 - std::cos(2 * std::numbers::pi / count)));
  // A pair stands side by side, and a square on its side.
  const double turn = groups.size() == 2 ? -0.25 : groups.size() == 4 ? -0.125 : 0;
  const double across = groups.size() == 4 ? radius * std::numbers::sqrt2 / 2 : radius;
  const Spot middle{sample.width / 2 + across,
                    sample.height / 2 + (groups.size() == 2 ? 0 : across)};
  auto on = [&](size_t i) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(i) / count + turn);
    return middle + Spot{std::sin(angle), -std::cos(angle)} * radius;
  };
  for (size_t i = 0; i < groups.size(); ++i) {
    for (size_t j = i + 1; j < groups.size(); ++j) {
      const bool gap = groups[i] == NoIndex || groups[j] == NoIndex;
      const Spot box{sample.width, sample.height};
      figure_.line(gap ? Look::Faint : Look::Blue, border(on(i), box, on(j)),
                   border(on(j), box, on(i)), stroke(spec_.blueCables));
    }
    if (groups[i] == NoIndex) {
      figure_.text(Look::Label, on(i) + Spot{0, 4},
                   formatCount(spec_.groups - groups.size() + 1) + " more groups");
      continue;
    }
    const Figure group = drawGroup(groups[i]);
    figure_.place(group, on(i) - group.middle());
  }
  figure_.width = std::max(figure_.width, 2 * middle.x);
  explain();
  return std::move(figure_);
}

} // namespace

Figure drawDragonfly(const Source &source, ZoneIndex zone) {
  return Dragonfly(source, zone).draw();
}

} // namespace gnomon::draw
