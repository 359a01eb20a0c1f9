// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of reading a platform file, and the readers of its elements. Each reader takes its
/// element and adds what it means to the draft.
#pragma once

#include "platform/Draft.h"
#include "platform/xml/SymbolTable.h"

namespace gnomon::platform::xml {

struct Reading {
  explicit Reading(Document &from) : document(from), symbols(from) {}

  Document &document;
  SymbolTable symbols;
  Draft draft;
  std::vector<ConfigEntry> config;
  uint64_t hostCount = 0;

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
void readRouter(Reading &reading, Element element, ZoneIndex zone);
void readLink(Reading &reading, Element element);
void readCluster(Reading &reading, Element element, ZoneIndex parent);
/// route, zoneRoute.
void readRoute(Reading &reading, Element element, ZoneIndex zone);
/// The `<prop>` inside \p element.
void readProperties(Reading &reading, Element element);

} // namespace gnomon::platform::xml
