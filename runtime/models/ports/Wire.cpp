// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/ports/Wire.h"

#include "support/Check.h"
#include "support/Prefetch.h"

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
/// A parcel is handed over in so many pieces, if they are a frame at least: parcels that meet in a
/// port take turns there as their frames do. Whole ones let the ranks of NPB BT fall out of step.
constexpr double PiecesPerParcel = 4;
constexpr double LeastBytes = 0.5;
} // namespace

Wire::Wire(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters,
           const Endpoints &endpoints)
    : engine_(engine), platform_(platform), endpoints_(endpoints), figures_(parameters.ports),
      largestPiece_(inFrames(figures_.windowBytes / PiecesPerWindow)),
      outOf_(platform.hosts().size(), None), into_(platform.hosts().size(), None) {
  ports_.reserve(platform.links().size());
  for (const platform::Link &link : platform.links())
    ports_.push_back({.bandwidth = link.bandwidth,
                      .latencySeconds = link.latencySeconds,
                      .isShared = link.sharing == Sharing::Shared});
}

void Wire::expect(HostIndex source, HostIndex destination) const {
  numbers_.fetch(source, destination);
  for (const LinkIndex link :
       {outOf_[endpoints_.host(source)], into_[endpoints_.host(destination)]})
    if (link != None)
      fetchToWrite(&ports_[link]);
}

uint32_t Wire::connection(HostIndex source, HostIndex destination) {
  const auto [number, isNew] = numbers_.find(source, destination, [&](uint32_t index) {
    const Connection &connection = connections_[index];
    return connection.source == source && connection.destination == destination;
  });
  if (isNew)
    connect(source, destination);
  return number;
}

[[gnu::noinline]] void Wire::connect(HostIndex source, HostIndex destination) {
  const HostIndex from = endpoints_.host(source), to = endpoints_.host(destination);
  platform_.route(from, to, route_);
  CHECK(route_.links.size() <= UINT16_MAX, "a route of at most 65535 links");
  Connection &connection = connections_.emplace_back();
  connection.source = source;
  connection.destination = destination;
  connection.firstLink = static_cast<uint32_t>(links_.size());
  connection.linkCount = static_cast<uint16_t>(route_.links.size());
  connection.latencySeconds = route_.latencySeconds;
  for (const LinkIndex link : route_.links) // a profile may have changed some
    connection.latencySeconds +=
        ports_[link].latencySeconds - platform_.links()[link].latencySeconds;
  if (route_.distanceSeconds > 0 || !distances_.empty()) {
    distances_.resize(connections_.size());
    distances_.back() = route_.distanceSeconds;
  }
  connection.window = std::min(figures_.initialWindowBytes, figures_.windowBytes);
  connection.used = engine_.now();
  links_.insert(links_.end(), route_.links.begin(), route_.links.end());
  if (route_.links.empty())
    return;
  if (ports_[route_.links.front()].isShared)
    outOf_[from] = route_.links.front();
  into_[to] = route_.links.back();
}

double Wire::onTheWire(double bytes) const {
  return bytes + std::ceil(bytes / figures_.frameBytes) * figures_.overheadBytes;
}

/// So many bytes or a few more, in whole frames.
double Wire::inFrames(double bytes) const {
  return std::ceil(bytes / figures_.frameBytes) * figures_.frameBytes;
}

/// Halves the window for each time that went by without a byte.
void Wire::decay(Connection &connection) const {
  double idle = engine_.now() - connection.used;
  while (idle >= figures_.idleSeconds && connection.window > figures_.initialWindowBytes) {
    connection.window = std::max(connection.window / 2, figures_.initialWindowBytes);
    idle -= figures_.idleSeconds;
  }
}

void Wire::send(uint32_t index, double bytes, double hesitationSeconds, kernel::Action delivered,
                kernel::Action released) {
  bytes = std::max(bytes, 1.0); // what comes is told by something
  if (!offBecause_.empty() && isCut(connections_[index], bytes))
    return;
  if (const Connection &connection = connections_[index];
      bytes <= figures_.frameBytes && connection.first == None && !isCorked(connection, bytes) &&
      !hasToWait(connection, bytes)) {
    sendFrame(index, bytes, hesitationSeconds, delivered);
    if (released)
      released();
    return;
  }
  const uint32_t parcel = parcels_.take({bytes,
                                         bytes,
                                         std::min(inFrames(bytes / PiecesPerParcel), largestPiece_),
                                         hesitationSeconds,
                                         delivered,
                                         {},
                                         None});
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
    if (connection.first == None || connection.held || connection.corked)
      return;
    const uint32_t number = connection.first;
    Parcel &parcel = parcels_[number];
    if (parcel.left == parcel.undelivered && isCorked(connection, parcel.left))
      return cork(index);
    // Not less than a whole piece while others are under way: they will open the window.
    const double room = connection.window - connection.underWay;
    const double wanted = std::min(parcel.left, parcel.piece);
    if (room < wanted && connection.underWay > 0)
      return;
    const double bytes = std::min(wanted, room);
    if (!hasTurn && hasToWait(connection, bytes)) {
      if (figures_.timeoutSeconds == 0)
        return hold(index, bytes);
      return lose(index);
    }
    connection.lost = 0;
    parcel.left -= bytes;
    connection.underWay += bytes;
    connection.used = engine_.now();
    const bool isLast = parcel.left <= 0;
    if (isLast) {
      connection.first = parcel.next;
      if (parcel.next == None)
        connection.last = None;
    }
    move(pieces_.take({index, number, bytes, isLast, {0, engine_.now(), engine_.now()}}));
  }
}

/// Whether a parcel of \p bytes waits until what its connection has put into the first port has left.
bool Wire::isCorked(const Connection &connection, double bytes) const {
  return connection.leaves > engine_.now() && bytes < figures_.corkBytes;
}

void Wire::cork(uint32_t index) {
  connections_[index].corked = true;
  engine_.at(connections_[index].leaves, kernel::Action::of<&Wire::onLeft>(this, index));
}

void Wire::onLeft(uint64_t index) {
  connections_[index].corked = false;
  pump(static_cast<uint32_t>(index));
}

/// Whether the queue of the first port has no room, or others wait for it.
bool Wire::hasToWait(const Connection &connection, double bytes) const {
  if (connection.linkCount == 0)
    return false;
  const Port &port = ports_[links_[connection.firstLink]];
  if (port.free <= engine_.now())
    return false;
  const double waiting = (port.free - engine_.now()) * port.bandwidth;
  return waiting + bytes > figures_.queueBytes || port.firstHeld != None;
}

/// The connection waits at its first port, behind all others.
void Wire::hold(uint32_t index, double bytes) {
  Connection &connection = connections_[index];
  const LinkIndex link = links_[connection.firstLink];
  Port &port = ports_[link];
  connection.held = true;
  nextHeld_.resize(connections_.size(), None);
  nextHeld_[index] = None;
  (port.firstHeld == None ? port.firstHeld : nextHeld_[port.lastHeld]) = index;
  port.lastHeld = index;
  wakeForRoom(link, bytes);
}

/// Has the first connection that waits at a port look again when there is room for \p bytes.
void Wire::wakeForRoom(LinkIndex link, double bytes) {
  Port &port = ports_[link];
  if (port.waking)
    return;
  port.waking = true;
  const double waiting = std::max((port.free - engine_.now()) * port.bandwidth, 0.0);
  const double room = std::clamp(waiting + bytes - figures_.queueBytes, 0.0, waiting);
  engine_.after(room / port.bandwidth, kernel::Action::of<&Wire::onRoom>(this, link));
}

/// The first connection that waits at a port has its turn.
void Wire::onRoom(uint64_t link) {
  ports_[link].waking = false;
  const uint32_t index = ports_[link].firstHeld;
  ports_[link].firstHeld = nextHeld_[index];
  connections_[index].held = false;
  pump(index, true);
  if (ports_[link].firstHeld != None)
    wakeForRoom(static_cast<LinkIndex>(link), largestPiece_);
}

/// Crosses the links from \p hop on, up to one that has to be waited for at another date: who has
/// waited for a port comes to the next ones later than others that are not here yet.
Wire::Way Wire::cross(Connection &connection, double bytes, Way way) {
  const double size = onTheWire(bytes);
  for (; way.hop < connection.linkCount; ++way.hop) {
    Port &port = ports_[links_[connection.firstLink + way.hop]];
    const double seconds = size / port.bandwidth;
    if (!port.isShared) {
      way.tail = std::max(way.tail, way.head + seconds);
    } else if (way.head - engine_.now() > connection.latencySeconds) {
      return way;
    } else {
      const SimTime begin = std::max(way.head, port.free);
      port.free = std::max(port.free, way.head - figures_.burstBytes / port.bandwidth) + seconds;
      way.tail = std::max({way.tail, port.free, begin});
      way.head = begin;
    }
    if (way.hop == 0 && bytes <= figures_.frameBytes)
      connection.leaves = way.tail;
    way.head = way.head + port.latencySeconds;
    way.tail = way.tail + port.latencySeconds;
  }
  if (!distances_.empty())
    way.tail = way.tail + distances_[static_cast<size_t>(&connection - connections_.data())];
  return way;
}

/// What fits into a frame and finds its connection idle is under no window, and its acknowledgement
/// goes with others: one event in all.
void Wire::sendFrame(uint32_t index, double bytes, double hesitationSeconds,
                     kernel::Action delivered) {
  Connection &connection = connections_[index];
  const Way way = cross(connection, bytes, {0, engine_.now(), engine_.now()});
  if (way.hop == connection.linkCount)
    engine_.at(way.tail + hesitationSeconds, delivered);
  else
    wait(pieces_.take({index,
                       parcels_.take({0, bytes, bytes, hesitationSeconds, delivered, {}, None}),
                       bytes, true, way}));
}

/// A piece looks again when its first byte comes to the next hop.
void Wire::wait(uint32_t piece) {
  engine_.at(pieces_[piece].way.head, kernel::Action::of<&Wire::move>(this, piece));
}

/// A piece has come to its hop.
void Wire::move(uint64_t index) {
  Piece &piece = pieces_[index];
  Connection &connection = connections_[piece.connection];
  piece.way.head = engine_.now();
  piece.way = cross(connection, piece.bytes, piece.way);
  if (piece.way.hop < connection.linkCount)
    return wait(static_cast<uint32_t>(index));
  const double hesitation = piece.isLast ? parcels_[piece.parcel].hesitationSeconds : 0;
  engine_.at(piece.way.tail + hesitation, kernel::Action::of<&Wire::onDelivered>(this, index));
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

/// The queue of the first port is full: what comes is lost, and the window shrinks. The next
/// acknowledgement tells the sender, or, where nothing is under way, its timer, which doubles.
void Wire::lose(uint32_t index) {
  constexpr double Decrease = 0.7; // CUBIC's (RFC 9438)
  Connection &connection = connections_[index];
  connection.window = std::max(connection.window * Decrease, figures_.initialWindowBytes);
  if (connection.underWay > 0)
    return;
  connection.held = true;
  const double seconds = figures_.timeoutSeconds * (1 << connection.lost);
  connection.lost = std::min(static_cast<uint8_t>(connection.lost + 1), MostDoublings);
  engine_.after(seconds, kernel::Action::of<&Wire::onTimeout>(this, index));
}

void Wire::onTimeout(uint64_t index) {
  connections_[index].held = false;
  pump(static_cast<uint32_t>(index));
}

/// The acknowledgement goes back behind what the way back holds. Where nothing waits for it, it is
/// there at once, which saves an event.
void Wire::acknowledge(Connection &connection, uint32_t index, double bytes) {
  double seconds = connection.latencySeconds;
  if (const LinkIndex back = outOf_[endpoints_.host(connection.destination)]; back != None) {
    Port &port = ports_[back];
    if (port.free > engine_.now()) {
      port.free = port.free + std::ceil(bytes / (2 * figures_.frameBytes)) *
                                  figures_.acknowledgementBytes / port.bandwidth;
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
  connection.underWay -= bytes;
  // What rounding leaves is nothing: pump() would wait for it, and no acknowledgement would come.
  if (connection.underWay < LeastBytes)
    connection.underWay = 0;
  connection.window = std::min(connection.window + bytes, figures_.windowBytes);
}

void Wire::onAcknowledged(uint64_t index) {
  const Acknowledgement acknowledgement = acknowledgements_[index];
  acknowledgements_.give(static_cast<uint32_t>(index));
  open(connections_[acknowledgement.connection], acknowledgement.bytes);
  pump(acknowledgement.connection);
}

} // namespace gnomon::models
