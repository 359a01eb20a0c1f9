// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Zones, and those made of hosts with a way each to and from the centre.
#include "platform/xml/Reading.h"

namespace gnomon::platform::xml {

namespace {

constexpr int MaxDepth = 64;

Routing routingOf(const Fields &zone) {
  const std::string kind = zone.text("routing");
  if (kind == "Full")
    return Routing::Full;
  if (kind == "Floyd" || kind == "Dijkstra" || kind == "DijkstraCache")
    return Routing::ShortestPath;
  if (kind == "Cluster")
    return Routing::Star;
  zone.fail("routing '" + kind +
            "' is not supported; there are Full, Floyd, Dijkstra, DijkstraCache and Cluster");
}

/// What a zone of this routing may hold.
Fields zoneFields(Document &document, Element element) {
  const char *routing = element.attribute("routing");
  if (routing && std::string_view(routing) == "Cluster")
    return Fields(document, element, {"id", "routing"},
                  {"host", "router", "link", "host_link", "backbone", "cabinet", "prop"});
  return Fields(
      document, element, {"id", "routing"},
      {"host", "router", "link", "zone", "AS", "cluster", "route", "zoneRoute", "ASroute", "prop"});
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
    const std::string name = prefix + std::to_string(number) + suffix;
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
    reading.document.fail(element,
                          "zones are nested more than " + std::to_string(MaxDepth) + " deep");
  Fields fields = zoneFields(reading.document, element);
  const std::string name = fields.text("id");
  Routing routing = routingOf(fields);
  ZoneTree &zones = *reading.draft.zones;
  reading.describe(element, "zone");
  ZoneIndex zone = reading.draft.addZone(parent, name, routing, fields.text("routing"));
  if (parent != NoIndex)
    reading.symbols.addZone(element, name, zones.pointOf(zone), zone);
  readPoints(reading, element, zone, depth);
  if (routing == Routing::Star)
    return readStar(reading, element, zone);
  for (Element child : element.children())
    if (child.name() == "route" || child.name() == "zoneRoute" || child.name() == "ASroute")
      readRoute(reading, child, zone);
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
