// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Peers and coordinates: zones whose latencies are distances.
#include "platform/xml/Reading.h"

namespace gnomon::platform::xml {

namespace {

/// Coordinates, unlike every other number of a platform, may be negative.
double takeCoordinate(const Fields &fields, std::string_view &rest, const std::string &whole) {
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  bool negative = rest.starts_with('-');
  std::string_view digits = rest.substr(negative ? 1 : 0);
  digits = digits.substr(0, digits.find(' '));
  rest.remove_prefix(digits.size() + (negative ? 1 : 0));
  try {
    double value = parseNumber(digits);
    return negative ? -value : value;
  } catch (const NumberError &error) {
    fields.fail("coordinates: " + std::string(error.what()) + " in '" + whole +
                "'; expected x, y and height in milliseconds, such as \"25.5 -9.4 1.4\"");
  }
}

} // namespace

void readCoordinates(Reading &reading, Fields &fields, ZoneIndex zone, PointIndex point) {
  ZoneTree &zones = *reading.draft.zones;
  const bool used = zones.routing(zone) == Routing::Vivaldi;
  const std::string whole = fields.text("coordinates", "");
  if (whole.empty()) {
    if (used)
      fields.fail("'" + std::string(fields.element().name()) +
                  "' needs the attribute 'coordinates' in a zone with routing Vivaldi");
    return;
  }
  std::string_view rest = whole;
  Coordinates place;
  for (double *coordinate : {&place.x, &place.y, &place.height})
    *coordinate = takeCoordinate(fields, rest, whole);
  if (rest.find_first_not_of(' ') != std::string_view::npos)
    fields.fail("coordinates: '" + whole + "' are more than three numbers");
  zones.setCoordinates(point, place);
  if (!used && fields.element().name() == "host")
    reading.document.noteOnce(fields.element(),
                              "coordinates have no effect outside zones with routing Vivaldi");
}

void placeZones(Reading &reading, ZoneIndex zone) {
  ZoneTree &zones = *reading.draft.zones;
  for (PointIndex point : zones.points(zone)) {
    const ZoneIndex inside = zones.zoneAt(point);
    if (inside == NoIndex)
      continue;
    const PointIndex router = reading.symbols.findPoint("router_" + zones.name(point));
    const Coordinates *place = router == NoIndex ? nullptr : zones.coordinates(router);
    if (!place || !zones.contains(inside, router))
      continue;
    zones.setCoordinates(point, *place);
    zones.setDefaultGateway(inside, router);
  }
}

void readPeer(Reading &reading, Element element, ZoneIndex zone) {
  Fields peer(reading.document, element,
              {"id", "speed", "bw_in", "bw_out", "lat", "coordinates", "speed_file",
               "availability_file", "state_file"});
  reading.countHosts(element, 1);
  const std::string name = peer.text("id");
  reading.describe(element, "peer");
  PointIndex host = reading.draft.addHost(zone, {name, peer.speed(), 1});
  reading.symbols.addPoint(element, name, host);
  readCoordinates(reading, peer, zone, host);
  readHostProfiles(reading, peer, host);
  if (peer.has("lat"))
    peer.note(Note::Kind::Ignored, "lat",
              "has no effect: the third coordinate is the latency of a peer's link");
  auto ownLink = [&](const char *attribute, const char *direction) {
    double bandwidth = peer.quantity(attribute, Unit::BytesPerSecond, Least::AboveZero);
    const std::string linkName = "link_" + name + direction;
    LinkIndex link = reading.draft.addLink({linkName, bandwidth, 0, Sharing::Shared});
    reading.symbols.addLink(element, linkName, {link, link, false});
    return link;
  };
  LinkIndex up = ownLink("bw_out", "_UP"), down = ownLink("bw_in", "_DOWN");
  reading.draft.zones->setStar(host, std::span(&up, 1), std::span(&down, 1), {});
}

} // namespace gnomon::platform::xml
