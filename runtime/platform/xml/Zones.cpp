// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Zones, and those made of hosts with a way each to and from the centre.
#include "platform/xml/Reading.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::platform::xml {

namespace {

constexpr int MaxDepth = 64;

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

Routing routingOf(Document &document, Element zone) {
  const char *found = zone.attribute("routing");
  const std::string kind = found ? found : "";
  struct Entry {
    std::string_view name;
    Routing routing;
  };
  static constexpr Entry Table[] = {
      {"Full", Routing::Full},
      {"Floyd", Routing::ShortestPath},
      {"Dijkstra", Routing::ShortestPath},
      {"DijkstraCache", Routing::ShortestPath},
      {"Cluster", Routing::Star},
      {"Vivaldi", Routing::Vivaldi},
      {"None", Routing::None},
  };
  for (const Entry &entry : Table)
    if (equalsIgnoringCase(kind, entry.name))
      return entry.routing;
  if (kind.empty())
    document.fail(zone, "'" + std::string(zone.name()) + "' needs the attribute 'routing'");
  if (equalsIgnoringCase(kind, "Wifi"))
    document.fail(zone, "routing: 'Wifi' is not supported: there is no model of wireless "
                        "networks; describe the stations as a zone with routing Full or Cluster, "
                        "with links of the rates that they get");
  document.fail(zone, "routing: '" + kind +
                          "' is not supported; there are Full, Floyd, Dijkstra, DijkstraCache, "
                          "Cluster, Vivaldi and None");
}

/// What a zone of this routing may hold.
Fields zoneFields(Document &document, Element element, Routing routing) {
  switch (routing) {
  case Routing::Star:
    return Fields(document, element, {"id", "routing"},
                  {"host", "router", "link", "host_link", "backbone", "cabinet", "bypassRoute",
                   "prop", "trace", "trace_connect"});
  case Routing::Vivaldi:
    return Fields(document, element, {"id", "routing"},
                  {"host", "router", "link", "peer", "zone", "AS", "cluster", "bypassRoute",
                   "bypassZoneRoute", "bypassASroute", "prop", "trace", "trace_connect"});
  case Routing::None:
    return Fields(document, element, {"id", "routing"},
                  {"host", "router", "link", "zone", "AS", "cluster", "bypassRoute",
                   "bypassZoneRoute", "bypassASroute", "prop", "trace", "trace_connect"});
  default:
    return Fields(document, element, {"id", "routing"},
                  {"host", "router", "link", "zone", "AS", "cluster", "route", "zoneRoute",
                   "ASroute", "bypassRoute", "bypassZoneRoute", "bypassASroute", "prop", "trace",
                   "trace_connect"});
  }
}

/// Hosts, routers, links and zones inside a zone: what routes can name.
void readPoints(Reading &reading, Element element, ZoneIndex zone, int depth) {
  readProperties(reading, element);
  for (Element child : element.children()) {
    std::string_view name = child.name();
    if (name == "host")
      readHost(reading, child, zone);
    else if (name == "router")
      readRouter(reading, child, zone);
    else if (name == "link")
      readLink(reading, child);
    else if (name == "trace")
      readTrace(reading, child);
    else if (name == "trace_connect")
      reading.connections.push_back(child);
    else if (name == "peer")
      readPeer(reading, child, zone);
    else if (name == "cluster")
      readCluster(reading, child, zone);
    else if (name == "zone" || name == "AS")
      readZone(reading, child, zone, depth + 1);
  }
}

LinkIndex readBackbone(Reading &reading, Element element) {
  LinkIndex backbone = NoIndex;
  for (Element child : element.children()) {
    if (child.name() != "backbone")
      continue;
    Fields fields(reading.document, child, {"id", "bandwidth", "latency"});
    if (backbone != NoIndex)
      fields.fail("a zone has one backbone");
    reading.describe(child, "backbone");
    const std::string name = fields.text("id");
    double bandwidth = fields.quantity("bandwidth", Unit::BytesPerSecond, Least::AboveZero);
    double latency = fields.quantity("latency", Unit::Seconds, Least::Zero, 0);
    backbone = reading.draft.addLink({name, bandwidth, latency, Sharing::Shared});
    reading.symbols.addLink(child, name, {backbone, backbone, false});
  }
  return backbone;
}

/// A host's way to the centre and from it, over the backbone if there is one.
void joinToCentre(Reading &reading, PointIndex host, LinkIndex upLink, LinkIndex downLink,
                  LinkIndex backbone) {
  std::vector<LinkIndex> up{upLink}, down{downLink};
  if (backbone != NoIndex) {
    up.push_back(backbone);
    down.insert(down.begin(), backbone);
  }
  reading.draft.zones->setStar(host, up, down, {});
}

void readCabinet(Reading &reading, Element element, ZoneIndex zone, LinkIndex backbone) {
  Fields cabinet(reading.document, element,
                 {"id", "prefix", "suffix", "radical", "speed", "bw", "lat"});
  const std::string prefix = cabinet.text("prefix", ""), suffix = cabinet.text("suffix", "");
  const double speedFlops = cabinet.speed();
  const double bandwidth = cabinet.quantity("bw", Unit::BytesPerSecond, Least::AboveZero);
  const double latency = cabinet.quantity("lat", Unit::Seconds, Least::Zero);
  const std::vector<uint64_t> numbers = cabinet.radical();
  reading.countHosts(element, numbers.size());
  reading.describe(element, "cabinet");
  for (uint64_t number : numbers) {
    const std::string name = fmt::format("{}{}{}", prefix, number, suffix);
    PointIndex host = reading.draft.addHost(zone, {name, speedFlops, 1});
    reading.symbols.addPoint(element, name, host);
    auto ownLink = [&](const char *direction) {
      const std::string linkName = "link_" + name + direction;
      LinkIndex index = reading.draft.addLink({linkName, bandwidth, latency, Sharing::Shared});
      reading.symbols.addLink(element, linkName, {index, index, false});
      return index;
    };
    LinkIndex up = ownLink("_UP");
    LinkIndex down = ownLink("_DOWN");
    joinToCentre(reading, host, up, down, backbone);
  }
}

void readHostLink(Reading &reading, Element element, ZoneIndex zone, LinkIndex backbone) {
  Fields fields(reading.document, element, {"id", "up", "down"});
  PointIndex host = reading.symbols.point(fields, "id");
  if (reading.draft.zones->zoneOf(host) != zone)
    fields.fail("'" + fields.text("id") + "' is not in this zone");
  const NamedLink &down = reading.symbols.link(fields, "down");
  joinToCentre(reading, host, reading.symbols.link(fields, "up").up,
               down.splitDuplex ? down.down : down.up, backbone);
}

} // namespace

void readZone(Reading &reading, Element element, ZoneIndex parent, int depth) {
  if (depth > MaxDepth)
    reading.document.fail(element, fmt::format("zones are nested more than {} deep", MaxDepth));
  const Routing routing = routingOf(reading.document, element);
  Fields fields = zoneFields(reading.document, element, routing);
  const std::string name = fields.text("id");
  ZoneTree &zones = *reading.draft.zones;
  reading.describe(element, "zone");
  ZoneIndex zone = reading.draft.addZone(parent, name, routing, fields.text("routing"));
  if (parent != NoIndex)
    reading.symbols.addZone(element, name, zones.pointOf(zone), zone);
  readPoints(reading, element, zone, depth);
  if (routing == Routing::Star)
    readStar(reading, element, zone);
  if (routing == Routing::Vivaldi)
    placeZones(reading, zone);
  for (Element child : element.children()) {
    std::string_view kind = child.name();
    if (kind == "route" || kind == "zoneRoute" || kind == "ASroute")
      readRoute(reading, child, zone);
    else if (kind.starts_with("bypass"))
      readBypass(reading, child, zone);
  }
}

void readStar(Reading &reading, Element element, ZoneIndex zone) {
  LinkIndex backbone = readBackbone(reading, element);
  for (Element child : element.children())
    if (child.name() == "cabinet")
      readCabinet(reading, child, zone, backbone);
  for (Element child : element.children())
    if (child.name() == "host_link")
      readHostLink(reading, child, zone, backbone);
}

} // namespace gnomon::platform::xml
