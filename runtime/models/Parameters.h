// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every parameter of the models, by key: one table (Parameters.cpp) with the names that SimGrid
/// and SMPI use. Values come from the platform file's <config> and from `--set`; later ones win.
/// docs/models.md lists them.
#pragma once

#include "models/DefaultDisk.h"
#include "models/Factors.h"
#include "models/Slowness.h"
#include "platform/Platform.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::models {

struct Parameters {
  // The network: see FlowModel.h for the equations.
  Factors bandwidthFactor{Factors::Kind::Factor}; ///< of the size with envelope
  Factors latencyFactor{Factors::Kind::Factor};   ///< of the size with envelope
  double weightS = 0;                             ///< bytes; part of a flow's penalty
  double tcpGammaBytes = 4194304;                 ///< largest TCP window; 0: no limit
  bool crossTraffic = true;
  double crossTrafficShare = 0.05; ///< of a flow's rate, on each link of the way back
  double loopbackBandwidth = 1e10; ///< bytes/s; of hosts whose platform gives them no loopback
  double loopbackLatencySeconds = 0;
  double envelopeBytes = 16; ///< moved with each message
  double timingPrecisionSeconds = 1e-9;

  // The protocol, of the user's bytes.
  Factors sendCost{Factors::Kind::Cost};
  Factors nonblockingSendCost{Factors::Kind::Cost};
  Factors receiveCost{Factors::Kind::Cost};
  uint64_t asyncSmallBytes = 0;
  uint64_t detachedBytes = 65536;
  double wtimeSeconds = 1e-8;
  /// Between what Debian 12's MPICH and Open MPI take within a node (docs/performance/messages.md).
  double testSeconds = 25e-9;
  double iprobeSeconds = 25e-9;
  double initSeconds = 0;

  // The models without sharing; the equations stand in delay/*.h. Nothing: as the platform's route.
  struct Affine {
    double latencyFactor = 2.01467; ///< of the route's latency
    double bandwidthFactor = 0.92;  ///< of the route's bandwidth
    std::optional<double> latencySeconds;
    std::optional<double> bandwidth; ///< bytes/s
    std::string fit = "default";     ///< or "best", or a file of times
  } affine;
  struct LogGps {
    std::optional<double> latencySeconds;  ///< L
    double overheadSeconds = 0;            ///< o
    double sendPerByteSeconds = 0;         ///< Os
    double receivePerByteSeconds = 0;      ///< Or
    std::optional<double> shortGapSeconds; ///< g, per byte
    std::optional<double> longGapSeconds;  ///< G, per byte
    uint64_t shortBytes = 0;               ///< s
    uint64_t synchronousBytes = 65536;     ///< S
    bool singlePort = true;

    double sendSeconds(uint64_t bytes) const {
      return overheadSeconds + static_cast<double>(bytes) * sendPerByteSeconds;
    }
    double receiveSeconds(uint64_t bytes) const {
      return overheadSeconds + static_cast<double>(bytes) * receivePerByteSeconds;
    }
  } logGps;
  struct Psins {
    std::optional<double> latencySeconds, localLatencySeconds;
    std::optional<double> bandwidth, localBandwidth; ///< bytes/s
    uint64_t buses = 1;                              ///< 0: no limit, also of the links
    uint64_t inLinks = 1;                            ///< of each node
    uint64_t outLinks = 1;                           ///< of each node
    bool collectivesByFormula = true;                ///< else they are made of messages

    double latency(bool local, double ofRoute) const {
      return (local ? localLatencySeconds : latencySeconds).value_or(ofRoute);
    }
    double bandwidthOf(bool local, double ofRoute) const {
      return (local ? localBandwidth : bandwidth).value_or(ofRoute);
    }
  } psins;
  double constantSeconds = 1;
  struct InfiniBand {
    double betaE = 0.965, betaS = 0.925, gammaS = 1.35;
  } infiniBand;

  /// ports/*.h; Ethernet with frames of 1,500 bytes, and Open MPI 4.1's messages.
  struct Ports {
    double frameBytes = 1448;              ///< of payload
    double overheadBytes = 66;             ///< of each frame: Ethernet, IP, TCP
    double acknowledgementBytes = 66;      ///< for two frames
    double queueBytes = 250e3;             ///< of a port
    double windowBytes = 90e3;             ///< of a connection, at most
    double burstBytes = 0;                 ///< that a port which was idle lets go at once
    double initialWindowBytes = 10 * 1448; ///< of a connection
    double idleSeconds = 0.2;              ///< after which a window is halved
    double corkBytes = 65536;   ///< from here on a message does not wait for those before
    double socketBytes = 930e3; ///< that a sender does not wait for
    double headerBytes = 22;    ///< of a message
    double requestBytes = 40;   ///< before a long message
    double answerBytes = 64;
    double jitterSeconds = 10e-6; ///< mean
    double timeoutSeconds = 0;    ///< 0: nothing is lost
    uint64_t seed = 1;
  } ports;
  /// Of ports: a message within a host, by size.
  Factors portsNode = Factors::parse("0:0.5us:0.2ns", Factors::Kind::Cost);

  // CPU bursts; nothing: as the options of the run say.
  Slowness slowness;                    ///< of busy cores of a host
  double cpuThresholdSeconds = 1e-6;    ///< shorter bursts are not simulated; infinite: none is
  std::optional<double> hostSpeedFlops; ///< nothing: measured
  std::optional<bool> simulateComputation;

  // MPI-IO; the equations stand in DiskModel.h.
  DefaultDisk disk;

  // Of a user's own network model; it reads them itself (user/UserParameters.h).
  std::string userLibrary; ///< the value of --network
  std::vector<platform::ConfigEntry> userSettings;

  std::vector<std::string> notes; ///< keys that are accepted without effect
};

using Setting = platform::ConfigEntry;

/// The keys of a user's network model begin with this.
inline constexpr std::string_view UserKeys = "user/";

/// The values of `network/model` that name the models `constant` and `ib` (Registry.h), as in
/// SimGrid.
inline constexpr std::string_view ConstantModel = "Constant";
inline constexpr std::string_view InfiniBandModel = "IB";

/// Reads all settings; `network/model` counts first, wherever it stands. Throws InputError for an
/// unknown key (with the nearest names), a key of SMPI's that is not supported (by name), and a bad
/// value.
Parameters makeParameters(std::span<const Setting> settings);

/// Whether \p key chooses the algorithm of a collective ("smpi/allreduce"): not a parameter of the
/// models.
bool choosesCollective(std::string_view key);

/// A line of the table, for documentation and tests.
struct ParameterInfo {
  std::string_view key;
  std::string_view alias;
  std::string_view help;
};
std::vector<ParameterInfo> parameterTable();

} // namespace gnomon::models
