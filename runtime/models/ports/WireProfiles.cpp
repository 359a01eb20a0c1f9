// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What profiles of links do to connections and ports. Only platforms that have profiles come here.
#include "models/ports/Wire.h"
#include "support/Check.h"

#include <algorithm>

namespace gnomon::models {

using platform::LinkIndex;

bool Wire::crosses(const Connection &connection, LinkIndex link) const {
  const auto first = links_.begin() + connection.firstLink;
  return std::find(first, first + connection.linkCount, link) != first + connection.linkCount;
}

void Wire::setBandwidth(LinkIndex link, double bytesPerSecond) {
  Port &port = ports_[link];
  if (port.free > engine_.now())
    port.free = engine_.now() + (port.free - engine_.now()) * port.bandwidth / bytesPerSecond;
  port.bandwidth = bytesPerSecond;
}

void Wire::setLatency(LinkIndex link, double seconds) {
  const double grown = seconds - ports_[link].latencySeconds;
  ports_[link].latencySeconds = seconds;
  for (Connection &connection : connections_)
    if (crosses(connection, link))
      connection.latencySeconds += grown;
}

void Wire::setOff(LinkIndex link, const std::string &cause) {
  offBecause_.resize(ports_.size());
  offBecause_[link] = cause;
  if (cause.empty())
    return;
  for (const Connection &connection : connections_)
    if ((connection.first != None || connection.underWay > 0) && crosses(connection, link))
      return fail(link, connection, connection.underWay);
}

/// Whether what would be sent meets a link that is off; tells so.
bool Wire::isCut(const Connection &connection, double bytes) const {
  for (uint32_t hop = 0; hop < connection.linkCount; ++hop)
    if (const LinkIndex link = links_[connection.firstLink + hop]; !offBecause_[link].empty()) {
      fail(link, connection, bytes);
      return true;
    }
  return false;
}

void Wire::fail(LinkIndex link, const Connection &connection, double bytes) const {
  CHECK(failed_, "someone to tell that a link is off");
  failed_({Failure::What::Link, platform_.links()[link].name, offBecause_[link], engine_.now(),
           endpoints_.host(connection.source), endpoints_.host(connection.destination),
           static_cast<uint64_t>(bytes)});
}

} // namespace gnomon::models
