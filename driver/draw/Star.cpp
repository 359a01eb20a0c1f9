// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Hosts around a centre: the centre above, as a bar when there is a backbone and as a switch when
/// there is none; below it the hosts, or one for each group of equal hosts.
#include "draw/Drawing.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <tuple>

namespace gnomon::draw {
namespace {

using namespace platform;

constexpr size_t MostHosts = 8;    ///< that are drawn one by one
constexpr size_t MostGroups = 12;  ///< groups of equal hosts; more are one
constexpr double HostPitch = 104;  ///< from one host to the next
constexpr double GroupPitch = 190; ///< from one group to the next

/// Hosts that look the same.
struct Group {
  std::vector<HostIndex> hosts;
  LinkIndex own = NoIndex, limiter = NoIndex;
};

class Star {
public:
  Star(const Source &source, ZoneIndex zone) : source_(source), zone_(zone) {}
  Figure draw();

private:
  void findBackbone();
  void findGroups();
  Group describe(PointIndex point) const;
  bool equal(const Group &a, const Group &b) const;
  void drawCentre();
  void drawGroup(const Group &group, Spot middle);
  double centreWidth() const { return std::max(60.0, figure_.width * 0.8); }

  const Source &source_;
  ZoneIndex zone_;
  LinkIndex backbone_ = NoIndex;
  std::vector<Group> groups_;
  Figure figure_;
};

/// The link that all hosts' ways to the centre share, if there are several hosts.
void Star::findBackbone() {
  size_t hosts = 0;
  std::span<const LinkIndex> first;
  for (PointIndex point : source_.zones.points(zone_)) {
    auto up = source_.zones.star(point).up;
    if (source_.hostAt[point] == NoIndex)
      continue;
    if (++hosts == 1)
      first = up;
    else if (hosts == 2)
      for (LinkIndex link : first)
        if (std::ranges::count(up, link) > 0)
          backbone_ = link;
  }
  // One host shares nothing: what ends in _backbone was meant as one.
  if (hosts == 1)
    for (LinkIndex link : first)
      if (source_.link(link).name.str().ends_with("_backbone"))
        backbone_ = link;
}

Group Star::describe(PointIndex point) const {
  Group group;
  group.hosts.push_back(source_.hostAt[point]);
  for (LinkIndex link : source_.zones.star(point).up) {
    if (link == backbone_)
      continue;
    // A limiter has no latency; it stands beside the link.
    const bool limits = source_.link(link).latencySeconds == 0 && group.limiter == NoIndex &&
                        source_.zones.star(point).up.size() > (backbone_ == NoIndex ? 1u : 2u);
    (limits ? group.limiter : group.own) = link;
  }
  return group;
}

bool Star::equal(const Group &a, const Group &b) const {
  auto look = [this](const Group &group) {
    const Host &host = source_.platform.hosts()[group.hosts.front()];
    auto bandwidth = [this](LinkIndex link) {
      return link == NoIndex ? 0 : source_.link(link).bandwidth;
    };
    double latency = group.own == NoIndex ? 0 : source_.link(group.own).latencySeconds;
    return std::tuple(host.speedFlops, host.cores, bandwidth(group.own), latency,
                      bandwidth(group.limiter));
  };
  return look(a) == look(b);
}

void Star::findGroups() {
  std::vector<Group> single;
  for (PointIndex point : source_.zones.points(zone_))
    if (source_.hostAt[point] != NoIndex)
      single.push_back(describe(point));
  if (single.size() <= MostHosts) {
    groups_ = std::move(single);
    return;
  }
  for (const Group &host : single) {
    auto same = std::ranges::find_if(groups_, [&](const Group &g) { return equal(g, host); });
    if (same == groups_.end() && groups_.size() == MostGroups)
      same = groups_.end() - 1; // the rest
    if (same == groups_.end())
      groups_.push_back(host);
    else
      same->hosts.push_back(host.hosts.front());
  }
}

void Star::drawCentre() {
  const Spot middle{figure_.width / 2, 26};
  if (backbone_ != NoIndex) {
    const double half = centreWidth() / 2;
    figure_.line(Look::Cable, middle - Spot{half, 0}, middle + Spot{half, 0},
                 strokeWidth(source_.link(backbone_).bandwidth) + 2);
    figure_.text(Look::Label, middle - Spot{0, 10},
                 "backbone " + source_.figures(backbone_) +
                     (source_.link(backbone_).sharing == Sharing::FatPipe ? ", fat pipe" : ""));
  } else {
    figure_.disc(middle, 9);
  }
}

void Star::drawGroup(const Group &group, Spot middle) {
  const Spot centre{figure_.width / 2, 26};
  const Spot above = middle - Spot{0, HostHeight / 2};
  Spot at = centre;
  if (backbone_ != NoIndex)
    at.x = std::clamp(middle.x, centre.x - centreWidth() / 2, centre.x + centreWidth() / 2);
  const bool drawnOnce = group.hosts.size() > 1;
  if (group.own != NoIndex) {
    figure_.line(Look::Cable, at, above, strokeWidth(source_.link(group.own).bandwidth));
    if (drawnOnce || groups_.size() <= 2 || group.hosts == groups_.front().hosts) {
      const Spot half = (at + above) * 0.5;
      figure_.lineText(half + Spot{0, 2}, source_.figures(group.own) + (drawnOnce ? " each" : ""));
      if (group.limiter != NoIndex)
        figure_.lineText(half + Spot{0, 2 + TextHeight},
                         "at most " + formatBandwidth(source_.link(group.limiter).bandwidth) +
                             " both ways");
    }
  }
  const HostIndex first = group.hosts.front();
  const Host &host = source_.platform.hosts()[first];
  if (drawnOnce)
    figure_.hosts(middle, {formatCount(group.hosts.size()) + " hosts, " + hostFigures(host),
                           namesFromTo(source_, first, group.hosts.back())});
  else
    figure_.host(middle, host.name);
}

Figure Star::draw() {
  findBackbone();
  findGroups();
  const bool grouped = std::ranges::any_of(groups_, [](auto &g) { return g.hosts.size() > 1; });
  const double pitch = grouped ? GroupPitch : HostPitch;
  const auto count = static_cast<double>(std::max<size_t>(groups_.size(), 1));
  figure_.width = std::max(count * pitch, backbone_ == NoIndex ? 150.0 : 220.0);
  figure_.height = 130 + HostHeight + 2 * TextHeight;
  double x = (figure_.width - count * pitch) / 2 + pitch / 2;
  for (const Group &group : groups_) {
    drawGroup(group, {x, 126});
    x += pitch;
  }
  drawCentre();
  return std::move(figure_);
}

} // namespace

Figure drawStar(const Source &source, ZoneIndex zone) { return Star(source, zone).draw(); }

} // namespace gnomon::draw
