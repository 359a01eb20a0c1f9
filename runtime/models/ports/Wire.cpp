// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/ports/Wire.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gnomon::models {

using platform::HostIndex;
using platform::LinkIndex;
using platform::Sharing;

namespace {
/// A window is handed over in so many pieces, so that the window moves on before it is used up.
constexpr double PiecesPerWindow = 4;
} // namespace

Wire::Wire(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters)
    : engine_(engine), platform_(platform), figures_(parameters.ports),
      largestPiece_(std::max(figures_.frameBytes, figures_.windowBytes / PiecesPerWindow)),
      ports_(platform.links().size()), outOf_(platform.hosts().size(), None) {}

uint32_t Wire::find(HostIndex source, HostIndex destination) {
  const auto [entry, isNew] =
      numbers_.try_emplace(uint64_t{source} << 32 | destination, connections_.size());
  if (!isNew)
    return entry->second;
  platform_.route(source, destination, route_);
  Connection &connection = connections_.emplace_back();
  connection.destination = destination;
  connection.firstLink = static_cast<uint32_t>(links_.size());
  connection.linkCount = static_cast<uint32_t>(route_.links.size());
  connection.latencySeconds = route_.latencySeconds;
  connection.distanceSeconds = route_.distanceSeconds;
  connection.window = std::min(figures_.initialWindowBytes, figures_.windowBytes);
  connection.used = engine_.now();
  links_.insert(links_.end(), route_.links.begin(), route_.links.end());
  if (!route_.links.empty() && platform_.links()[route_.links.front()].sharing == Sharing::Shared)
    outOf_[source] = route_.links.front();
  return entry->second;
}

double Wire::onTheWire(double bytes) const {
  return bytes + std::ceil(bytes / figures_.frameBytes) * figures_.overheadBytes;
}

/// Halves the window for each time that went by without a byte.
void Wire::decay(Connection &connection) const {
  double idle = engine_.now() - connection.used;
  while (idle >= figures_.idleSeconds && connection.window > figures_.initialWindowBytes) {
    connection.window = std::max(connection.window / 2, figures_.initialWindowBytes);
    idle -= figures_.idleSeconds;
  }
}

void Wire::send(HostIndex source, HostIndex destination, double bytes, double hesitationSeconds,
                kernel::Action delivered, kernel::Action released) {
  bytes = std::max(bytes, 1.0); // what comes is told by something
  const uint32_t index = find(source, destination);
  const uint32_t parcel = parcels_.take({bytes, bytes, hesitationSeconds, delivered, {}, None});
  if (released && bytes > figures_.socketBytes)
    parcels_[parcel].released = released;
  Connection &connection = connections_[index];
  if (connection.first == None) {
    connection.first = parcel;
    if (connection.underWay == 0)
      decay(connection);
  } else {
    parcels_[connection.last].next = parcel;
  }
  connection.last = parcel;
  pump(index);
  if (released && bytes <= figures_.socketBytes)
    released();
}

/// Hands over what the window and the first port let; with the turn at the port, one piece before
/// it waits again.
void Wire::pump(uint32_t index, bool hasTurn) {
  for (;; hasTurn = false) {
    Connection &connection = connections_[index];
    if (connection.first == None || connection.held)
      return;
    const uint32_t number = connection.first;
    Parcel &parcel = parcels_[number];
    // Not less than a whole piece while others are under way: they will open the window.
    const double room = connection.window - connection.underWay;
    const double wanted = std::min(parcel.left, largestPiece_);
    if (room < wanted && connection.underWay > 0)
      return;
    const double bytes = std::min(wanted, room);
    if (hold(index, bytes, hasTurn))
      return;
    parcel.left -= bytes;
    connection.underWay += bytes;
    connection.used = engine_.now();
    const bool isLast = parcel.left <= 0;
    if (isLast) {
      connection.first = parcel.next;
      if (parcel.next == None)
        connection.last = None;
    }
    move(pieces_.take({index, number, bytes, 0, isLast, engine_.now()}));
  }
}

/// Whether the queue of the first port has no room, or others wait for it: then the connection
/// waits behind them.
bool Wire::hold(uint32_t index, double bytes, bool hasTurn) {
  Connection &connection = connections_[index];
  if (hasTurn || connection.linkCount == 0)
    return false;
  const LinkIndex link = links_[connection.firstLink];
  Port &port = ports_[link];
  const double waiting = (port.free - engine_.now()) * platform_.links()[link].bandwidth;
  if (waiting <= 0 || (waiting + bytes <= figures_.queueBytes && port.firstHeld == None))
    return false;
  connection.held = true;
  connection.nextHeld = None;
  (port.firstHeld == None ? port.firstHeld : connections_[port.lastHeld].nextHeld) = index;
  port.lastHeld = index;
  wakeForRoom(link, bytes);
  return true;
}

/// Has the first connection that waits at a port look again when there is room for \p bytes.
void Wire::wakeForRoom(LinkIndex link, double bytes) {
  Port &port = ports_[link];
  if (port.waking)
    return;
  port.waking = true;
  const double bandwidth = platform_.links()[link].bandwidth;
  const double waiting = std::max((port.free - engine_.now()) * bandwidth, 0.0);
  const double room = std::clamp(waiting + bytes - figures_.queueBytes, 0.0, waiting);
  engine_.after(room / bandwidth, kernel::Action::of<&Wire::onRoom>(this, link));
}

/// The first connection that waits at a port has its turn.
void Wire::onRoom(uint64_t link) {
  ports_[link].waking = false;
  const uint32_t index = ports_[link].firstHeld;
  ports_[link].firstHeld = connections_[index].nextHeld;
  connections_[index].held = false;
  pump(index, true);
  if (ports_[link].firstHeld != None)
    wakeForRoom(static_cast<LinkIndex>(link), largestPiece_);
}

/// The first byte of a piece has come to its hop, its last one comes at `tail`.
void Wire::move(uint64_t index) {
  Piece &piece = pieces_[index];
  const Connection &connection = connections_[piece.connection];
  SimTime head = engine_.now();
  SimTime tail = piece.tail;
  for (; piece.hop < connection.linkCount; ++piece.hop) {
    const LinkIndex number = links_[connection.firstLink + piece.hop];
    const platform::Link &link = platform_.links()[number];
    // Who has waited for a port comes to the next ones later than others that are not here yet.
    if (link.sharing == Sharing::Shared && head - engine_.now() > connection.latencySeconds) {
      piece.tail = tail;
      engine_.at(head, kernel::Action::of<&Wire::move>(this, index));
      return;
    }
    const double seconds = onTheWire(piece.bytes) / link.bandwidth;
    if (link.sharing == Sharing::FatPipe) {
      tail = std::max(tail, head + seconds);
    } else {
      SimTime &free = ports_[number].free;
      const SimTime begin = std::max(head, free);
      free = std::max(free, head - figures_.burstBytes / link.bandwidth) + seconds;
      tail = std::max({tail, free, begin});
      head = begin;
    }
    head = head + link.latencySeconds;
    tail = tail + link.latencySeconds;
  }
  if (piece.isLast)
    tail = tail + parcels_[piece.parcel].hesitationSeconds;
  engine_.at(tail + connection.distanceSeconds,
             kernel::Action::of<&Wire::onDelivered>(this, index));
}

void Wire::onDelivered(uint64_t index) {
  const Piece piece = pieces_[index];
  pieces_.give(static_cast<uint32_t>(index));
  Connection &connection = connections_[piece.connection];
  connection.used = engine_.now();
  acknowledge(connection, piece.connection, piece.bytes);
  Parcel &parcel = parcels_[piece.parcel];
  parcel.undelivered -= piece.bytes;
  if (piece.isLast) {
    const kernel::Action delivered = parcel.delivered;
    parcels_.give(piece.parcel);
    delivered();
  } else if (parcel.released && parcel.undelivered <= figures_.socketBytes) {
    std::exchange(parcel.released, {})();
  }
}

/// The acknowledgement goes back behind what the way back holds. Where nothing waits for it, it is
/// there at once, which saves an event.
void Wire::acknowledge(Connection &connection, uint32_t index, double bytes) {
  double seconds = connection.latencySeconds;
  if (const LinkIndex back = outOf_[connection.destination]; back != None) {
    Port &port = ports_[back];
    if (port.free > engine_.now()) {
      port.free = port.free + std::ceil(bytes / (2 * figures_.frameBytes)) *
                                  figures_.acknowledgementBytes / platform_.links()[back].bandwidth;
      seconds += port.free - engine_.now();
    }
  }
  if (connection.first == None)
    open(connection, bytes);
  else
    engine_.after(seconds, kernel::Action::of<&Wire::onAcknowledged>(
                               this, acknowledgements_.take({index, bytes})));
}

void Wire::open(Connection &connection, double bytes) {
  connection.underWay = std::max(connection.underWay - bytes, 0.0);
  connection.window = std::min(connection.window + bytes, figures_.windowBytes);
}

void Wire::onAcknowledged(uint64_t index) {
  const Acknowledgement acknowledgement = acknowledgements_[index];
  acknowledgements_.give(static_cast<uint32_t>(index));
  open(connections_[acknowledgement.connection], acknowledgement.bytes);
  pump(acknowledgement.connection);
}

} // namespace gnomon::models
