// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A platform's topology as an SVG picture: zones as nested boxes, links as wide as their bandwidth
/// asks, and a legend. What would be too much to look at is drawn once with its number ("1,024
/// hosts"), or with its first and last ones and "…" between them.
#pragma once

#include "draw/Figure.h"
#include "platform/Outline.h"
#include "platform/ZoneTree.h"

namespace gnomon::draw {

/// The SVG document, the same bytes for the same platform, which was loaded (Platform::outline).
std::string draw(const platform::Platform &platform);

/// What the figures of zones are made from.
struct Source {
  const platform::Platform &platform;
  const platform::ZoneTree &zones;
  const platform::Outline &outline;
  /// The hosts by their points; NoIndex: no host.
  std::vector<platform::HostIndex> hostAt;

  const platform::Link &link(platform::LinkIndex index) const { return platform.links()[index]; }
  /// "10 Gbit/s, 24 us".
  std::string figures(platform::LinkIndex link) const;
};

/// Each draws the inside of a zone, without its box.
Figure drawStar(const Source &source, platform::ZoneIndex zone);
Figure drawTorus(const Source &source, platform::ZoneIndex zone);
Figure drawFatTree(const Source &source, platform::ZoneIndex zone);
Figure drawDragonfly(const Source &source, platform::ZoneIndex zone);
/// A zone with written routes: its points, and the zones inside it.
Figure drawGraph(const Source &source, platform::ZoneIndex zone);

/// A zone in its box with a title; inside a picture of many zones, \p brief.
Figure drawZone(const Source &source, platform::ZoneIndex zone, bool brief);

/// Which of \p count things are drawn: all, or the first ones, a gap (NoIndex) and the last.
std::vector<uint32_t> shown(uint32_t count, uint32_t most);

/// The host with its cores and speed, as a line of a label: "16 x 10 Gflop/s".
std::string hostFigures(const platform::Host &host);
/// "node-0 … node-63".
std::string namesFromTo(const Source &source, platform::HostIndex first, platform::HostIndex last);

} // namespace gnomon::draw
