// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The simulated machine: hosts, links and the routes between hosts. Immutable after loading; it
/// knows nothing of time, events or MPI.
#pragma once

#include "platform/Name.h"
#include "platform/Profile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::platform {

using HostIndex = uint32_t;
using LinkIndex = uint32_t;

enum class Sharing : uint8_t {
  Shared,  ///< flows share the bandwidth
  FatPipe, ///< each flow gets up to the bandwidth
};

struct Host {
  Name name;
  double speedFlops = 0; ///< of one core, flop/s
  uint32_t cores = 1;
};

struct Link {
  Name name;
  double bandwidth = 0;      ///< bytes/s
  double latencySeconds = 0; ///< one way
  Sharing sharing = Sharing::Shared;
};

/// A disk of a host, for MPI-IO. Kept as the file gives it; nothing here reads or writes files.
struct Disk {
  std::string name;          ///< of one host's disks
  HostIndex host = 0;        ///< that it is in
  double readBandwidth = 0;  ///< bytes/s, shared by all reads
  double writeBandwidth = 0; ///< bytes/s, shared by all writes
  std::string mountPoint;    ///< property "mount"; "/" when there is none
  double sizeBytes = 0;      ///< property "size"; 0: not given
  double latencySeconds = 0; ///< property "access_latency": what each request costs
  std::string contentFile;   ///< property "content": a file with lines "path bytes"; empty: none
};

/// The links that a message crosses, in order, and their latencies' sum.
struct Route {
  std::vector<LinkIndex> links;
  double latencySeconds = 0;  ///< as the file gives them, with the distance
  double distanceSeconds = 0; ///< the part of it that no link has (Vivaldi coordinates)
};

/// A parameter of the models set in the platform file.
struct ConfigEntry {
  std::string key;
  std::string value;
  std::string file;
  int line = 0;
};

/// What the user should know about the input though it was accepted.
struct Note {
  enum class Kind : uint8_t {
    NoUnit,     ///< a number without a unit
    Strange,    ///< a value that can hardly be meant
    Ignored,    ///< something has no effect
    Properties, ///< <prop> has no effect
  };
  Kind kind = Kind::Ignored;
  std::string file;
  int line = 0;          ///< 0: the input has no lines
  std::string attribute; ///< empty: not about one
  std::string text;

  /// "file:line: attribute: text".
  std::string render() const;
  explicit operator std::string() const { return render(); }
};

class ZoneTree;
struct Outline;

/// How routes are found.
class RouteSource {
public:
  virtual ~RouteSource() = default;
  /// Appends to \p route. Throws InputError when there is none.
  virtual void route(HostIndex source, HostIndex destination, Route &route) const = 0;
  /// Throws InputError naming two of \p hosts between which there is no route.
  virtual void checkReachable(std::span<const HostIndex> /*hosts*/) const {}
  /// The zones that this source is, if it is made of zones.
  virtual const ZoneTree *zones() const { return nullptr; }
};

class Platform {
public:
  Platform(std::vector<Host> hosts, std::vector<Link> links, std::unique_ptr<RouteSource> routes);
  ~Platform();
  Platform(Platform &&) noexcept;

  // What views a vector or replaces one is defined in Platform.cpp: most sources of the runtime include this file, and
  // the conversion to a span costs the compiler 0.1 s for each type.
  std::span<const Host> hosts() const;
  std::span<const Link> links() const;
  std::optional<HostIndex> findHost(std::string_view name) const;

  /// Writes the route from \p source to \p destination into \p route (cleared first). From a host
  /// to itself the route may be empty: then the network model's own loopback is meant. Throws
  /// InputError when there is no route; the ranks' hosts are checked when ranks are placed
  /// (HostFile.h).
  void route(HostIndex source, HostIndex destination, Route &route) const;
  /// Throws InputError naming two of \p hosts between which there is no route.
  void checkReachable(std::span<const HostIndex> hosts) const { routes_->checkReachable(hosts); }

  /// Model keys set in the platform file (`<config>`), in order: ("network/TCP-gamma", "0").
  const std::vector<ConfigEntry> &config() const { return config_; }
  void setConfig(std::vector<ConfigEntry> config);

  /// In the order of the file: those of one host follow each other.
  std::span<const Disk> disks() const;
  void setDisks(std::vector<Disk> disks);

  /// What changes while time passes.
  std::span<const Profile> profiles() const;
  std::span<const ProfileUse> profileUses() const;
  void setProfiles(std::vector<Profile> profiles, std::vector<ProfileUse> uses);

  const std::vector<Note> &notes() const { return notes_; }
  void setNotes(std::vector<Note> notes);

  /// For lints and drawings; null when the platform was not loaded but put together by hand.
  const ZoneTree *zones() const { return routes_->zones(); }
  const Outline *outline() const { return outline_.get(); }
  void setOutline(std::unique_ptr<const Outline> outline);

private:
  std::vector<Host> hosts_;
  std::vector<Link> links_;
  std::unique_ptr<RouteSource> routes_;
  std::vector<ConfigEntry> config_;
  std::vector<Disk> disks_;
  std::vector<Profile> profiles_;
  std::vector<ProfileUse> profileUses_;
  std::vector<Note> notes_;
  std::unique_ptr<const Outline> outline_;
  mutable std::vector<HostIndex> hostsByName_; ///< sorted by name; made by the first findHost
};

/// Reads \p text as a file name or as a one-line built-in (`cluster:n=64,bw=10Gbps,lat=2us`).
/// Throws InputError with file, line and attribute.
Platform load(const std::string &text);

/// The machine that a user gets who names none: a flat, non-blocking cluster; figures in
/// docs/models.md.
/// \p speedFlops: of a core; launch passes the speed of the machine it runs on, so that measured
/// bursts count one to one.
Platform defaultPlatform(uint32_t hostCount, double speedFlops = 1e10);

} // namespace gnomon::platform
