// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/xml/SymbolTable.h"

#include "support/Names.h"

#include <algorithm>

namespace gnomon::platform::xml {

namespace {

template <class Map> std::string suggestion(const std::string &name, const Map &map) {
  constexpr size_t Most = 2000; // enough to help, cheap enough for huge platforms
  std::vector<std::string_view> known;
  for (const auto &[key, value] : map)
    if (known.size() < Most)
      known.push_back(key);
  std::sort(known.begin(), known.end());
  return didYouMean(name, known);
}

} // namespace

void SymbolTable::addLink(Element element, const std::string &name, NamedLink link) {
  if (!links_.try_emplace(name, link).second)
    document_.fail(element, "a second link named '" + name + "'");
}

void SymbolTable::addPoint(Element element, const std::string &name, PointIndex point) {
  if (!points_.try_emplace(name, point).second)
    document_.fail(element, "a second host, router or zone named '" + name + "'");
}

void SymbolTable::addZone(Element element, const std::string &name, PointIndex point,
                          ZoneIndex zone) {
  addPoint(element, name, point);
  zones_[point] = zone;
}

PointIndex SymbolTable::findPoint(const std::string &name) const {
  auto found = points_.find(name);
  return found == points_.end() ? NoIndex : found->second;
}

const NamedLink &SymbolTable::link(const Fields &fields, const char *attribute) const {
  const std::string name = fields.text(attribute);
  auto found = links_.find(name);
  if (found == links_.end())
    fields.fail("unknown link '" + name + "'" + suggestion(name, links_));
  return found->second;
}

PointIndex SymbolTable::point(const Fields &fields, const char *attribute) const {
  const std::string name = fields.text(attribute);
  auto found = points_.find(name);
  if (found == points_.end())
    fields.fail("unknown host, router or zone '" + name + "'" + suggestion(name, points_));
  return found->second;
}

PointIndex SymbolTable::gateway(const Fields &fields, const char *attribute, PointIndex zonePoint,
                                const ZoneTree &zones) const {
  auto zone = zones_.find(zonePoint);
  if (zone == zones_.end())
    fields.fail("'" + zones.name(zonePoint) + "' is not a zone");
  if (!fields.has(attribute)) {
    PointIndex fallback = zones.defaultGateway(zone->second);
    if (fallback == NoIndex)
      fields.fail("'" + std::string(fields.element().name()) + "' needs the attribute '" +
                  attribute + "'");
    return fallback;
  }
  PointIndex result = point(fields, attribute);
  if (!zones.contains(zone->second, result))
    fields.fail(std::string(attribute) + ": '" + fields.text(attribute) + "' is not in '" +
                zones.name(zonePoint) + "'");
  return result;
}

} // namespace gnomon::platform::xml
