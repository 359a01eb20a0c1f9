// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of a platform file: links, and the points between which routes run (hosts, routers,
/// zones).
#pragma once

#include "platform/ZoneTree.h"
#include "platform/xml/Fields.h"

#include <unordered_map>

namespace gnomon::platform::xml {

/// A link as routes name it.
struct NamedLink {
  LinkIndex up;     ///< the link itself; of a SPLITDUPLEX link the direction up
  LinkIndex down;   ///< what the way back crosses instead
  bool splitDuplex; ///< whether the name means both directions
};

class SymbolTable {
public:
  explicit SymbolTable(const Document &document) : document_(document) {}

  /// Each fails, naming \p element, when the name is taken.
  void addLink(Element element, const std::string &name, NamedLink link);
  void addPoint(Element element, const std::string &name, PointIndex point);
  void addZone(Element element, const std::string &name, PointIndex point, ZoneIndex zone);

  /// The host, router or zone \p name; NoIndex when there is none.
  PointIndex findPoint(const std::string &name) const;
  /// What an attribute names; fails when it is unknown.
  const NamedLink &link(const Fields &fields, const char *attribute) const;
  PointIndex point(const Fields &fields, const char *attribute) const;
  /// The gateway of the zone that is \p zonePoint: what \p attribute names, a point inside it, or
  /// the zone's own default.
  PointIndex gateway(const Fields &fields, const char *attribute, PointIndex zonePoint,
                     const ZoneTree &zones) const;

private:
  const Document &document_;
  std::unordered_map<std::string, NamedLink> links_;
  std::unordered_map<std::string, PointIndex> points_;
  std::unordered_map<PointIndex, ZoneIndex> zones_;
};

} // namespace gnomon::platform::xml
