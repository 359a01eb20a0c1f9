// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of reading a platform file, and the readers of its elements. Each reader takes its
/// element and adds what it means to the draft.
#pragma once

#include "platform/Draft.h"
#include "platform/xml/SymbolTable.h"

#include <unordered_set>

namespace gnomon::platform::xml {

struct Reading {
  explicit Reading(Document &from) : document(from), symbols(from) {}

  Document &document;
  SymbolTable symbols;
  Draft draft;
  std::vector<ConfigEntry> config;
  uint64_t hostCount = 0;
  std::unordered_map<std::string, uint32_t> traces; ///< profiles by name
  std::unordered_set<uint64_t> profiled;            ///< targets and kinds that have one
  bool namesMatter = false; ///< also those of a cluster that is the whole platform: of traces
  std::vector<Element> connections; ///< trace_connect; they may name what comes later

  /// What is added to the draft from here on stands in \p element, whose kind is a literal.
  void describe(Element element, const char *kind) {
    draft.origin = {document.line(element), kind};
  }
  /// Counts hosts before they are made, against the limit.
  void countHosts(Element element, uint64_t more);
};

/// Reads a zone and all inside it; \p depth is 1 for the outermost.
void readZone(Reading &reading, Element element, ZoneIndex parent, int depth);
/// The backbone, cabinets and host_links that make a zone with routing Cluster.
void readStar(Reading &reading, Element element, ZoneIndex zone);
void readHost(Reading &reading, Element element, ZoneIndex zone);
/// A disk of \p host.
void readDisk(Reading &reading, Element element, HostIndex host);
void readRouter(Reading &reading, Element element, ZoneIndex zone);
void readLink(Reading &reading, Element element);
void readCluster(Reading &reading, Element element, ZoneIndex parent);
/// A host with links of its own in a zone with routing Vivaldi.
void readPeer(Reading &reading, Element element, ZoneIndex zone);
/// The attribute "coordinates" of the point \p point in \p zone: needed by hosts and routers in
/// zones with routing Vivaldi.
void readCoordinates(Reading &reading, Fields &fields, ZoneIndex zone, PointIndex point);
/// The zones inside a zone with routing Vivaldi stand where their routers "router_" + id stand.
void placeZones(Reading &reading, ZoneIndex zone);
/// route, zoneRoute.
void readRoute(Reading &reading, Element element, ZoneIndex zone);
/// bypassRoute, bypassZoneRoute.
void readBypass(Reading &reading, Element element, ZoneIndex zone);
/// A file that the platform file names: beside it, or else from the working directory, as SimGrid
/// looks for it.
std::string resolveFile(const Fields &fields, const Document &document, const char *attribute,
                        const std::string &name);
void readTrace(Reading &reading, Element element);
/// All trace_connect, once everything else is read.
void connectTraces(Reading &reading);
/// A profile in a file that an attribute names, for links or hosts.
void readProfileFile(Reading &reading, Fields &fields, const char *attribute, ProfileKind kind,
                     std::span<const uint32_t> targets);
/// speed_file, availability_file and state_file of a host.
void readHostProfiles(Reading &reading, Fields &fields, PointIndex point);
/// The `<prop>` inside \p element.
void readProperties(Reading &reading, Element element);

} // namespace gnomon::platform::xml
