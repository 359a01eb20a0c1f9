// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A torus: one dimension as a ring, two as a grid with its closing cables, three as planes one
/// behind the other. Of more dimensions the first three are drawn.
#include "draw/Drawing.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace gnomon::draw {
namespace {

using namespace platform;

class Torus {
public:
  Torus(const Source &source, ZoneIndex zone);
  Figure draw();

private:
  /// The shown coordinates of dimension \p d; one for those that are not drawn.
  const std::vector<uint32_t> &row(size_t d) const { return rows_[d]; }
  Spot spot(size_t i, size_t j, size_t k) const;
  void drawRing();
  void drawGrid();
  void drawCables(size_t i, size_t j, size_t k, size_t d);
  void drawHost(size_t i, size_t j, size_t k);
  void explain(Spot place);

  const Source &source_;
  ZoneIndex zone_;
  std::vector<uint32_t> sizes_;
  std::vector<uint32_t> rows_[3];
  double stroke_ = 2;
  LinkIndex cable_ = NoIndex;
  Figure figure_;
};

Torus::Torus(const Source &source, ZoneIndex zone) : source_(source), zone_(zone) {
  sizes_ = std::get<TorusSpec>(source.outline.zones[zone].topology).sizes;
  for (size_t d = 0; d < 3; ++d)
    rows_[d] = d < sizes_.size() ? shown(sizes_[d], sizes_.size() == 1   ? 16
                                                    : sizes_.size() == 2 ? 7
                                                                         : 4)
                                 : std::vector<uint32_t>{0};
  auto points = source.zones.points(zone);
  if (points.size() > 1) {
    Route route;
    source.platform.route(source.hostAt[points[0]], source.hostAt[points[1]], route);
    for (LinkIndex link : route.links)
      if (cable_ == NoIndex || source.link(link).latencySeconds > 0) // no limiter
        cable_ = link;
  }
  if (cable_ != NoIndex)
    stroke_ = std::min(strokeWidth(source.link(cable_).bandwidth), sizes_.size() > 2 ? 3.0 : 6.0);
}

Spot Torus::spot(size_t i, size_t j, size_t k) const {
  const auto x = static_cast<double>(i), y = static_cast<double>(j);
  const auto z = static_cast<double>(k), planes = static_cast<double>(row(2).size() - 1);
  // Planes behind stand to the right and higher.
  return {50 + 78 * x + 30 * z, 44 + 58 * y + 24 * (planes - z)};
}

/// The cables of a node in dimension \p d: to the next one, and from the first one round to the
/// last.
void Torus::drawCables(size_t i, size_t j, size_t k, size_t d) {
  const size_t at[] = {i, j, k};
  const std::vector<uint32_t> &row = rows_[d];
  for (size_t e = 0; e < 3; ++e)
    if (e != d && rows_[e][at[e]] == NoIndex) // nothing of that row is drawn
      return;
  if (row.size() < 2)
    return;
  auto other = [&](size_t n) { return spot(d == 0 ? n : i, d == 1 ? n : j, d == 2 ? n : k); };
  const Spot here = spot(i, j, k);
  if (at[d] + 1 < row.size()) {
    const bool gap = row[at[d]] == NoIndex || row[at[d] + 1] == NoIndex;
    figure_.line(gap ? Look::Faint : Look::Cable, here, other(at[d] + 1), stroke_);
  }
  if (at[d] != 0 || sizes_[d] < 3)
    return;
  const Spot last = other(row.size() - 1), step = (other(1) - here) * 0.42;
  if (sizes_.size() == 2) {
    const Spot bend = d == 0 ? Spot{0, -44} : Spot{-56, 0};
    figure_.curve(Look::Cable, here, (here + last) * 0.5 + bend, last, stroke_);
  } else { // ends that meet behind the picture
    figure_.line(Look::Faint, here, here - step, stroke_);
    figure_.line(Look::Faint, last, last + step, stroke_);
  }
}

void Torus::drawHost(size_t i, size_t j, size_t k) {
  if (row(0)[i] == NoIndex || row(1)[j] == NoIndex || row(2)[k] == NoIndex) {
    const bool inRow =
        (row(0)[i] == NoIndex) + (row(1)[j] == NoIndex) + (row(2)[k] == NoIndex) == 1;
    if (inRow)
      figure_.lineText(spot(i, j, k) + Spot{0, 4}, "…");
    return;
  }
  size_t number = row(0)[i], stride = sizes_[0];
  for (size_t d = 1; d < std::min<size_t>(3, sizes_.size()); stride *= sizes_[d], ++d)
    number += stride * (d == 1 ? row(1)[j] : row(2)[k]);
  const PointIndex point = source_.zones.points(zone_)[number];
  figure_.box(Look::Host, spot(i, j, k) - Spot{8, 5}, {16, 10});
  // Names at the corners, below in front and above behind.
  const bool side = i == 0 || i + 1 == row(0).size();
  const std::string name = shortened(source_.zones.name(point), 13);
  if (side && k == 0 && (j == 0 || j + 1 == row(1).size()))
    figure_.lineText(spot(i, j, k) + Spot{0, 17}, name);
  else if (side && j == 0 && k + 1 == row(2).size())
    figure_.lineText(spot(i, j, k) - Spot{0, 9}, name);
}

void Torus::drawGrid() {
  for (size_t k = row(2).size(); k-- > 0;) // from the back
    for (size_t j = 0; j < row(1).size(); ++j)
      for (size_t i = 0; i < row(0).size(); ++i) {
        for (size_t d = 0; d < std::min<size_t>(3, sizes_.size()); ++d)
          drawCables(i, j, k, d);
        drawHost(i, j, k);
      }
  const Spot far = spot(row(0).size() - 1, row(1).size() - 1, 0);
  figure_.width = spot(row(0).size() - 1, 0, row(2).size() - 1).x + 50;
  figure_.height = far.y + 38;
}

void Torus::drawRing() {
  const std::vector<uint32_t> &hosts = row(0);
  const auto count = static_cast<double>(hosts.size());
  const double radius = std::max(50.0, count * 13);
  const Spot middle{radius + 100, radius + 34};
  auto on = [&](size_t i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / count;
    return middle + Spot{std::sin(angle), -std::cos(angle)} * radius;
  };
  for (size_t i = 0; i < hosts.size(); ++i) {
    const size_t next = (i + 1) % hosts.size();
    const bool gap = hosts[i] == NoIndex || hosts[next] == NoIndex;
    if (hosts.size() > 1 && !(hosts.size() == 2 && i == 1))
      figure_.line(gap ? Look::Faint : Look::Cable, on(i), on(next), stroke_);
    if (hosts[i] == NoIndex) {
      figure_.text(Look::Label, on(i) + Spot{0, 4}, "…");
      continue;
    }
    const PointIndex point = source_.zones.points(zone_)[hosts[i]];
    figure_.box(Look::Host, on(i) - Spot{8, 5}, {16, 10});
    const std::string name = shortened(source_.zones.name(point), 13);
    const Spot outwards = (on(i) - middle) * (1 / radius);
    figure_.text(Look::Label,
                 on(i) + Spot{outwards.x * (12 + textWidth(name) / 2), outwards.y * 14 + 4}, name);
  }
  figure_.width = 2 * middle.x;
  figure_.height = 2 * middle.y;
}

void Torus::explain(Spot place) {
  const auto points = source_.zones.points(zone_);
  std::vector<std::string> lines{formatCount(points.size()) + " hosts, " +
                                 hostFigures(source_.platform.hosts()[source_.hostAt[points[0]]])};
  if (cable_ != NoIndex)
    lines.push_back("each cable " + source_.figures(cable_));
  lines.emplace_back(sizes_.size() > 2 ? "every row is closed: dashed ends meet"
                                       : "every row is closed");
  if (sizes_.size() > 3)
    lines.push_back(fmt::format("the first 3 of {} dimensions", sizes_.size()));
  for (const std::string &line : lines) {
    figure_.text(Look::LeftLabel, place, line);
    figure_.width = std::max(figure_.width, place.x + textWidth(line));
    place.y += TextHeight;
  }
  figure_.height = place.y;
}

Figure Torus::draw() {
  sizes_.size() == 1 ? drawRing() : drawGrid();
  explain({0, figure_.height + 10});
  return std::move(figure_);
}

} // namespace

Figure drawTorus(const Source &source, ZoneIndex zone) { return Torus(source, zone).draw(); }

} // namespace gnomon::draw
