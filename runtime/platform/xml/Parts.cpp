// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Hosts, routers and links.
#include "platform/xml/Reading.h"

namespace gnomon::platform::xml {

namespace {
void readLinkProfiles(Reading &reading, Fields &fields, std::span<const LinkIndex> links) {
  readProfileFile(reading, fields, "bandwidth_file", ProfileKind::Bandwidth, links);
  readProfileFile(reading, fields, "latency_file", ProfileKind::Latency, links);
  readProfileFile(reading, fields, "state_file", ProfileKind::LinkState, links);
}
} // namespace

void readHost(Reading &reading, Element element, ZoneIndex zone) {
  Fields host(reading.document, element,
              {"id", "speed", "core", "pstate", "coordinates", "speed_file", "availability_file",
               "state_file"},
              {"prop", "disk"});
  readProperties(reading, element);
  reading.countHosts(element, 1);
  reading.describe(element, "host");
  const std::string name = host.text("id");
  PointIndex point = reading.draft.addHost(zone, {name, host.speed(), host.cores()});
  reading.symbols.addPoint(element, name, point);
  readCoordinates(reading, host, zone, point);
  readHostProfiles(reading, host, point);
  for (Element child : element.children())
    if (child.name() == "disk")
      readDisk(reading, child, reading.draft.zones->hostAt(point));
}

void readRouter(Reading &reading, Element element, ZoneIndex zone) {
  Fields fields(reading.document, element, {"id", "coordinates"}, {"prop"});
  const std::string name = fields.text("id");
  ZoneTree &zones = *reading.draft.zones;
  PointIndex router = zones.addRouter(zone, name);
  reading.symbols.addPoint(element, name, router);
  if (zones.defaultGateway(zone) == NoIndex)
    zones.setDefaultGateway(zone, router);
  readCoordinates(reading, fields, zone, router);
}

void readLink(Reading &reading, Element element) {
  Fields fields(reading.document, element,
                {"id", "bandwidth", "latency", "sharing_policy", "bandwidth_file", "latency_file",
                 "state_file"},
                {"prop"});
  readProperties(reading, element);
  reading.describe(element, "link");
  const std::string name = fields.text("id");
  Link link;
  const std::string policy = fields.text("sharing_policy", "SHARED");
  const bool twoWays = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
  if (!twoWays) // before the bandwidth: a Wi-Fi link has a list there
    link.sharing = fields.sharing(policy);
  link.bandwidth = fields.quantity("bandwidth", Unit::BytesPerSecond, Least::AboveZero);
  link.latencySeconds = fields.quantity("latency", Unit::Seconds, Least::Zero, 0);
  if (twoWays) {
    link.name = name + "_UP";
    LinkIndex up = reading.draft.addLink(link);
    link.name = name + "_DOWN";
    LinkIndex down = reading.draft.addLink(link);
    reading.symbols.addLink(element, name, {up, down, true});
    reading.symbols.addLink(element, name + "_UP", {up, down, false});
    reading.symbols.addLink(element, name + "_DOWN", {down, up, false});
    readLinkProfiles(reading, fields, std::vector{up, down});
    return;
  }
  link.name = name;
  LinkIndex index = reading.draft.addLink(link);
  reading.symbols.addLink(element, name, {index, index, false});
  readLinkProfiles(reading, fields, std::span(&index, 1));
}

} // namespace gnomon::platform::xml
