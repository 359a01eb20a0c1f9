// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What TCP makes of a platform: bytes move in order on connections, connections meet in ports, and
/// ports serve first come, first served.
///
/// A *connection* joins two hosts in one direction. Parcels on it are handed over one after the
/// other. Of a parcel, so much is under way at a time as the connection's window lets; it is cut
/// into *pieces* for that. A *port* is a shared link of the platform, a queue with one server: a
/// piece of c bytes whose first byte comes at t finds the port free at f and occupies it for
///
///     w(c) / B         w(c) = c + ceil(c / frame) overhead
///
/// from max(t, f) on. Its first byte goes on then, its last byte leaves when the port is through
/// with it, and not before it came: pieces cut through. A link that is a fat pipe is crossed
/// without waiting. With `ports/burst` a port is a token bucket: what is idle saves up to so many
/// bytes, which go at once.
///
/// *Window*: the first `ports/initial-window` bytes of a connection go at once; each byte that is
/// acknowledged lets two more go, up to `ports/window`. For each `ports/idle` seconds without a
/// byte the window is halved, down to the initial one (RFC 5681; the decay is Linux's).
///
/// *Queue*: a connection hands nothing to its first port while that would make more than
/// `ports/queue` bytes wait there: it has its turn when there is room. With `ports/timeout` it does
/// not wait: what finds the queue full is lost. The sender learns it from the next acknowledgement
/// of the connection, or, when nothing of it is under way, from its timer.
///
/// *Corks*: a parcel of fewer than `ports/cork` bytes waits while one that fits into a frame is before
/// it on its connection and in the first port, and comes there behind what others have put there
/// meanwhile. Linux holds small writes back so, until something of the socket has left (long ones
/// leave in parts, so that behind them nothing waits): tcp_autocorking, which TCP_NODELAY does not
/// switch off (net/ipv4/tcp.c, tcp_should_autocork).
///
/// *Acknowledgements* return a latency after a piece arrived, behind what waits on the way back,
/// and make a busy way back busy for `ports/acknowledgement` bytes per two frames longer.
///
/// *Profiles* of links change a port from their date on. What has been let into a port keeps the
/// times that it was given there; what a port has still to serve it serves at the new rate.
///
/// Sources: docs/adr/0026, with the captures; the shape of the queueing (waiting first come first
/// served, cut-through) is that of store-and-forward switches with short frames.
#pragma once

#include "kernel/Engine.h"
#include "models/Failure.h"
#include "models/Parameters.h"
#include "models/ports/Endpoints.h"
#include "models/ports/PairIndex.h"
#include "models/ports/Slots.h"
#include "platform/Platform.h"

#include <string>
#include <vector>

namespace gnomon::models {

class Wire {
public:
  Wire(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters,
       const Endpoints &endpoints);

  /// Asks the processor for what a message from \p source to \p destination will touch.
  void expect(platform::HostIndex source, platform::HostIndex destination) const;
  /// The connection between two endpoints, on its way from memory when this returns.
  uint32_t connection(platform::HostIndex source, platform::HostIndex destination);
  /// Puts \p bytes, with headers, on a connection, behind what is on it. \p delivered runs
  /// \p hesitationSeconds after the last one came. \p released, which may be nothing, runs before, as
  /// soon as no more than `ports/socket` of the bytes are not there yet: inside this call when they
  /// are not more.
  void send(uint32_t connection, double bytes, double hesitationSeconds, kernel::Action delivered,
            kernel::Action released = {});

  void onFailure(FailureHandler handler) { failed_ = handler; }
  void setBandwidth(platform::LinkIndex link, double bytesPerSecond);
  void setLatency(platform::LinkIndex link, double seconds);
  /// From now on what needs \p link fails, because of \p cause (file and line of a profile); empty:
  /// it is on again.
  void setOff(platform::LinkIndex link, const std::string &cause);

private:
  static constexpr uint32_t None = UINT32_MAX;
  /// A link: a server, or a fat pipe that nobody waits for.
  struct alignas(64) Port {
    SimTime free{-__builtin_huge_val()}; ///< when it is through with all that has come
    double bandwidth = 0;                ///< bytes/s
    double latencySeconds = 0;
    uint32_t firstHeld = None; ///< connections that wait for room, in order of coming
    uint32_t lastHeld = None;
    bool waking = false;
    bool isShared = true;
  };
  /// A cache line: there are many, and a message touches one of them.
  struct alignas(64) Connection {
    platform::HostIndex source = 0, destination = 0; ///< endpoints
    uint32_t firstLink = 0;                          ///< of its route, in links_
    uint16_t linkCount = 0;
    uint8_t lost = 0;        ///< times in a row that its timer ran, MostDoublings at most
    bool held : 1 = false;   ///< by its first port
    bool corked : 1 = false; ///< until something has left its first port
    uint32_t first = None, last = None; ///< parcels with bytes to hand over
    double latencySeconds = 0;
    double window = 0, underWay = 0; ///< bytes
    SimTime used;                    ///< last
    SimTime leaves;                  ///< its first port: the last that fits into a frame
  };
  static_assert(sizeof(Connection) == 64);
  static constexpr uint8_t MostDoublings = 6;
  struct Parcel {
    double left = 0; ///< to hand over
    double undelivered = 0;
    double piece = 0; ///< bytes of a piece, at most
    double hesitationSeconds = 0;
    kernel::Action delivered, released;
    uint32_t next = None; ///< on the connection
  };
  /// How far the first and the last byte of something are on a route.
  struct Way {
    uint32_t hop = 0; ///< index into the route
    SimTime head, tail;
  };
  struct Piece {
    uint32_t connection = 0, parcel = 0;
    double bytes = 0;
    bool isLast = false; ///< of its parcel
    Way way;
  };
  struct Acknowledgement {
    uint32_t connection = 0;
    double bytes = 0;
  };

  void connect(platform::HostIndex source, platform::HostIndex destination);
  bool crosses(const Connection &connection, platform::LinkIndex link) const;
  bool isCut(const Connection &connection, double bytes) const;
  void fail(platform::LinkIndex link, const Connection &connection, double bytes) const;
  double onTheWire(double bytes) const;
  double inFrames(double bytes) const;
  void decay(Connection &connection) const;
  void pump(uint32_t index, bool hasTurn = false);
  bool isCorked(const Connection &connection, double bytes) const;
  void cork(uint32_t index);
  void onLeft(uint64_t connection);
  bool hasToWait(const Connection &connection, double bytes) const;
  void hold(uint32_t index, double bytes);
  void wakeForRoom(platform::LinkIndex link, double bytes);
  void onRoom(uint64_t port);
  void onAcknowledged(uint64_t acknowledgement);
  Way cross(Connection &connection, double bytes, Way way);
  void sendFrame(uint32_t connection, double bytes, double hesitationSeconds,
                 kernel::Action delivered);
  void wait(uint32_t piece);
  void move(uint64_t piece);
  void lose(uint32_t connection);
  void onTimeout(uint64_t connection);
  void onDelivered(uint64_t piece);
  void acknowledge(Connection &connection, uint32_t index, double bytes);
  void open(Connection &connection, double bytes);

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  const Endpoints &endpoints_;
  Parameters::Ports figures_;
  double largestPiece_;
  std::vector<Port> ports_; ///< by link
  PairIndex numbers_;       ///< of connections
  std::vector<Connection> connections_;
  std::vector<platform::LinkIndex> links_; ///< of the connections' routes
  std::vector<double> distances_;  ///< by connection: seconds that no link has; empty: all are 0
  std::vector<uint32_t> nextHeld_; ///< by connection that is held by a port: the one behind it
  std::vector<platform::LinkIndex> outOf_; ///< by host, once it has sent: the port of its own
  std::vector<platform::LinkIndex> into_;  ///< the same, once it has been sent to
  platform::Route route_;
  std::vector<std::string> offBecause_; ///< by link, once one was off
  FailureHandler failed_ = nullptr;
  Slots<Parcel> parcels_;
  Slots<Piece> pieces_;
  Slots<Acknowledgement> acknowledgements_;
};

} // namespace gnomon::models
