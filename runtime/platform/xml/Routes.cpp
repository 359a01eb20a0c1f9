// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Routes between the points of a zone.
#include "platform/xml/Reading.h"
#include "support/YesNo.h"

#include <algorithm>
#include <optional>

namespace gnomon::platform::xml {

namespace {

/// The links of a route there, and of the way back.
struct Ways {
  std::vector<LinkIndex> there, back;
};

Ways readLinks(Reading &reading, const Fields &route) {
  Ways ways;
  for (Element child : route.element().children()) {
    Fields part(reading.document, child, {"id", "direction"});
    const NamedLink &named = reading.symbols.link(part, "id");
    const std::string direction = part.text("direction", "NONE");
    if (direction != "UP" && direction != "DOWN" && direction != "NONE")
      part.fail("direction must be UP, DOWN or NONE, found '" + direction + "'");
    if (named.splitDuplex && direction == "NONE")
      part.fail("'" + part.text("id") + "' is a SPLITDUPLEX link: give its direction, UP or DOWN");
    bool reversed = named.splitDuplex && direction == "DOWN";
    ways.there.push_back(reversed ? named.down : named.up);
    ways.back.push_back(reversed ? named.up : named.down);
  }
  if (ways.there.empty())
    route.fail("'" + std::string(route.element().name()) + "' needs at least one 'link_ctn'");
  std::reverse(ways.back.begin(), ways.back.end());
  return ways;
}

bool isSymmetrical(const Fields &route) {
  const std::string value = route.text("symmetrical", "YES");
  const std::optional<bool> yes = yesOrNo(value, {"YES", "yes"}, {"NO", "no"});
  if (!yes)
    route.fail("symmetrical must be YES or NO, found '" + value + "'");
  return *yes;
}

std::string pairOf(const Fields &route) {
  return "from '" + route.text("src") + "' to '" + route.text("dst") + "'";
}

Fields routeFields(Document &document, Element element) {
  if (element.name() == "bypassRoute")
    return Fields(document, element, {"src", "dst"}, {"link_ctn"});
  if (element.name().starts_with("bypass"))
    return Fields(document, element, {"src", "dst", "gw_src", "gw_dst"}, {"link_ctn"});
  if (element.name() == "route")
    return Fields(document, element, {"src", "dst", "symmetrical"}, {"link_ctn"});
  return Fields(document, element, {"src", "dst", "gw_src", "gw_dst", "symmetrical"}, {"link_ctn"});
}

} // namespace

void readRoute(Reading &reading, Element element, ZoneIndex zone) {
  const bool betweenZones = element.name() != "route";
  Fields fields = routeFields(reading.document, element);
  ZoneTree &zones = *reading.draft.zones;
  const SymbolTable &symbols = reading.symbols;
  PointIndex from = symbols.point(fields, "src"), to = symbols.point(fields, "dst");
  for (PointIndex end : {from, to})
    if (zones.zoneOf(end) != zone)
      fields.fail("'" + zones.name(end) + "' is not directly in this zone");
  PointIndex gatewayFrom = betweenZones ? symbols.gateway(fields, "gw_src", from, zones) : NoIndex;
  PointIndex gatewayTo = betweenZones ? symbols.gateway(fields, "gw_dst", to, zones) : NoIndex;
  const Ways ways = readLinks(reading, fields);
  const bool both = isSymmetrical(fields);
  const std::string pair = pairOf(fields);
  if (!zones.addRoute(zone, from, to, ways.there, gatewayFrom, gatewayTo))
    fields.fail("a second route " + pair);
  if (both && from != to && !zones.addRoute(zone, to, from, ways.back, gatewayTo, gatewayFrom))
    fields.fail("the way back of the route " + pair + " exists already; say symmetrical=\"NO\"");
}

void readBypass(Reading &reading, Element element, ZoneIndex zone) {
  Fields fields = routeFields(reading.document, element);
  ZoneTree &zones = *reading.draft.zones;
  const SymbolTable &symbols = reading.symbols;
  PointIndex from = symbols.point(fields, "src"), to = symbols.point(fields, "dst");
  PointIndex gatewayFrom = NoIndex, gatewayTo = NoIndex;
  if (element.name() == "bypassRoute") {
    for (PointIndex end : {from, to})
      if (zones.zoneAt(end) != NoIndex)
        fields.fail("'" + zones.name(end) + "' is a zone: write a bypassZoneRoute with gateways");
  } else {
    gatewayFrom = symbols.gateway(fields, "gw_src", from, zones);
    gatewayTo = symbols.gateway(fields, "gw_dst", to, zones);
    if (from == to || zones.contains(zones.zoneAt(from), to) ||
        zones.contains(zones.zoneAt(to), from))
      fields.fail("a bypass " + pairOf(fields) + " would begin in the zone where it ends");
  }
  const Ways ways = readLinks(reading, fields);
  if (!zones.contains(zone, from) || zones.commonZone(from, to) != zone ||
      (gatewayFrom == NoIndex && (zones.zoneOf(from) != zone || zones.zoneOf(to) != zone)))
    fields.note("the bypass " + pairOf(fields) +
                " has no effect here: it counts in the zone that " +
                (gatewayFrom == NoIndex ? "holds both directly" : "is the innermost to hold both"));
  else if (!zones.addBypass(zone, from, to, ways.there, gatewayFrom, gatewayTo))
    fields.fail("a second bypass " + pairOf(fields));
}

} // namespace gnomon::platform::xml
