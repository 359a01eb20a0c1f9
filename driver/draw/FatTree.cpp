// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A fat tree: a row of nodes for each level, hosts at the bottom, and the cables between those
/// that are drawn (their numbers: platform/topology/FatTree.cpp).
#include "draw/Drawing.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::draw {
namespace {

using namespace platform;

constexpr uint32_t MostNodes = 16; ///< of a level
constexpr double ColumnPitch = 52, RowHeight = 92;

class FatTree {
public:
  FatTree(const Source &source, ZoneIndex zone);
  Figure draw();

private:
  uint32_t stride(size_t level) const;
  uint32_t parent(size_t level, uint32_t node, uint32_t q) const;
  double rowOf(size_t level) const {
    return 20 + RowHeight * static_cast<double>(spec_.children.size() - level);
  }
  Spot spot(size_t level, size_t i) const;
  void drawNodes(size_t level);
  void drawCables(size_t level);
  void explain(size_t level);

  const Source &source_;
  ZoneIndex zone_;
  FatTreeSpec spec_;
  std::vector<uint32_t> counts_;             ///< nodes by level
  std::vector<std::vector<uint32_t>> shown_; ///< by level
  LinkIndex cable_ = NoIndex;
  double width_ = 0; ///< of the rows
  bool stacked_ = false;
  Figure figure_;
};

FatTree::FatTree(const Source &source, ZoneIndex zone)
    : source_(source), zone_(zone),
      spec_(std::get<FatTreeSpec>(source.outline.zones[zone].topology)) {
  counts_.push_back(static_cast<uint32_t>(source.zones.points(zone).size()));
  for (size_t level = 0; level < spec_.children.size(); ++level)
    counts_.push_back(counts_.back() / spec_.children[level] * spec_.parents[level]);
  for (uint32_t count : counts_)
    shown_.push_back(draw::shown(count, MostNodes));
  // Many hosts are drawn as one stack below each switch of theirs.
  stacked_ = counts_[0] > MostNodes && spec_.parents[0] == 1;
  if (stacked_)
    shown_[0] = shown_[1];
  for (const auto &row : shown_)
    width_ = std::max(width_, static_cast<double>(row.size()) * ColumnPitch);
  auto points = source.zones.points(zone);
  Route route;
  source.platform.route(source.hostAt[points.front()], source.hostAt[points.back()], route);
  for (LinkIndex link : route.links)
    if (cable_ == NoIndex || source.link(link).latencySeconds > 0) // no limiter
      cable_ = link;
}

/// What a node's digit `level` counts for.
uint32_t FatTree::stride(size_t level) const {
  uint32_t result = 1;
  for (size_t d = 0; d < level; ++d)
    result *= spec_.parents[d];
  return result;
}

uint32_t FatTree::parent(size_t level, uint32_t node, uint32_t q) const {
  const uint32_t low = stride(level), m = spec_.children[level], w = spec_.parents[level];
  return node % low + q * low + node / (low * m) * (low * w);
}

Spot FatTree::spot(size_t level, size_t i) const {
  const double pitch = width_ / static_cast<double>(shown_[level].size());
  return {pitch * (static_cast<double>(i) + 0.5), rowOf(level)};
}

void FatTree::drawNodes(size_t level) {
  const std::vector<uint32_t> &row = shown_[level];
  for (size_t i = 0; i < row.size(); ++i) {
    const Spot at = spot(level, i);
    if (row[i] == NoIndex) {
      figure_.text(Look::Label, at + Spot{0, 4}, "…");
    } else if (level > 0) {
      figure_.disc(at, 9);
    } else if (stacked_) {
      figure_.hosts(at, {row.size() <= 8 ? formatCount(spec_.children[0]) + " hosts" : ""});
    } else {
      const PointIndex point = source_.zones.points(zone_)[row[i]];
      figure_.box(Look::Host, at - Spot{HostWidth / 2, HostHeight / 2}, {HostWidth, HostHeight});
      if (row.size() <= 8 || i == 0 || i + 1 == row.size())
        figure_.text(Look::Label, at + Spot{0, HostHeight / 2 + 12},
                     shortened(source_.zones.name(point), row.size() <= 8 ? 8 : 13));
    }
  }
}

void FatTree::drawCables(size_t level) {
  // Many lines are thin ones, and parallel cables then one line.
  constexpr size_t MostThick = 64;
  const bool many = shown_[level].size() * spec_.parents[level] > MostThick;
  const double stroke =
      cable_ == NoIndex ? 2
                        : std::min(strokeWidth(source_.link(cable_).bandwidth), many ? 1.2 : 4.0);
  const std::vector<uint32_t> &lower = shown_[level], &upper = shown_[level + 1];
  for (size_t i = 0; i < lower.size(); ++i)
    for (uint32_t q = 0; lower[i] != NoIndex && q < spec_.parents[level]; ++q) {
      const uint32_t child =
          stacked_ && level == 0 ? lower[i] * spec_.children[0] : lower[i]; // the first of a stack
      auto above = std::ranges::find(upper, parent(level, child, q));
      const Spot from = spot(level, i);
      if (above != upper.end()) {
        // Parallel cables side by side.
        const uint32_t cables = many ? 1 : std::min(spec_.cables[level], 4u);
        for (uint32_t j = 0; j < cables; ++j) {
          const Spot aside{(j - (cables - 1) / 2.0) * (stroke + 2), 0};
          figure_.line(Look::Cable, from + aside,
                       spot(level + 1, static_cast<size_t>(above - upper.begin())) + aside, stroke);
        }
      } else if (q < 4) { // to one that is not drawn
        figure_.line(Look::Faint, from, from + Spot{6.0 * q - 9, -RowHeight * 0.35}, 1);
      }
    }
}

void FatTree::explain(size_t level) {
  const double x = width_ + 16;
  const std::string nodes = level == 0 ? "hosts" : counts_[level] == 1 ? "switch" : "switches";
  std::string text = formatCount(counts_[level]) + " " + nodes;
  if (level == 0 && stacked_)
    text += ", " + formatCount(spec_.children[0]) + " a switch";
  if (level == 0)
    text += ", " +
            hostFigures(source_.platform.hosts()[source_.hostAt[source_.zones.points(zone_)[0]]]);
  figure_.text(Look::LeftLabel, {x, rowOf(level) + 4}, text);
  figure_.width = std::max(figure_.width, x + textWidth(text));
  if (level == spec_.children.size())
    return;
  const uint32_t parents = spec_.parents[level], cables = spec_.cables[level];
  text = cables == 1 ? "a cable" : fmt::format("{} cables", cables);
  text += parents == 1 ? " upwards" : " to each of " + formatCount(parents);
  if (cable_ != NoIndex)
    text += cables == 1 && parents == 1 ? ", " + source_.figures(cable_)
                                        : ", each " + source_.figures(cable_);
  figure_.text(Look::LeftLabel, {x, rowOf(level) - RowHeight / 2 + 4}, text);
  figure_.width = std::max(figure_.width, x + textWidth(text));
}

Figure FatTree::draw() {
  for (size_t level = 0; level < shown_.size(); ++level) {
    if (level + 1 < shown_.size())
      drawCables(level);
    drawNodes(level);
    explain(level);
  }
  figure_.height = rowOf(0) + HostHeight + 12;
  return std::move(figure_);
}

} // namespace

Figure drawFatTree(const Source &source, ZoneIndex zone) { return FatTree(source, zone).draw(); }

} // namespace gnomon::draw
