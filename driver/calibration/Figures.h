// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the samples say of a machine, in terms of no model: lines through times, rates, limits of
/// the protocol; and in words, what they do not support. docs/calibration.md has the equations.
///
///   ping-pong        t(b), half a round trip between hosts: segments a + b / B
///   os, ois, or      CPU time of sends and receives: the same; only sizes where the call does not
///                    wait for the network (less than half of t)
///   network(b)       t(b) - os(b) - or(b) up to the eager limit, t(b) above: what a message takes
///                    without its ends
///   latency          half the startup of the first segment of network(b): a route has two links
///   bandwidth        the rate of streams at their greatest sizes; without streams, the ping-pong's
///   eager limit      the greatest size that MPI_Send sends off without a receiver
///   moved ahead      the greatest size of which an MPI_Recv that finds its message there takes
///                    less than half of t(b): the message had moved already
///   duplex slowness  time of the last byte in exchanges of 3 ranks or more, against one way
#pragma once

#include "measurements/Samples.h"
#include "segments/Segments.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::calibration {

using segments::Choice, segments::Datum, segments::LogError, segments::Method;
using segments::Segment, segments::Segmentation;

/// Of SMPI's protocol, where nothing was measured.
inline constexpr uint64_t DefaultEagerBytes = 65535;

/// A curve through the points of a series.
struct Fit {
  measurements::SeriesKey key;
  std::string file;
  std::vector<Datum> data, left; ///< what was fitted, and outliers
  size_t samples = 0;
  Segmentation pieces;
  LogError error;
  /// What the other method makes of the same data.
  Segmentation otherPieces;
  LogError otherError;
};

struct Figures {
  Fit pingPong;
  Segmentation network;
  std::optional<Fit> sendCost, nonblockingSendCost, receiveCost; ///< os, ois, or
  std::optional<Fit> stream;
  std::optional<Fit> local; ///< ping-pong within a host

  double latencySeconds = 0; ///< of a link
  double bandwidth = 0;      ///< of a link, bytes/s
  measurements::Experiment bandwidthFrom = measurements::Experiment::PingPong;
  std::optional<uint64_t> eagerBytes;      ///< greatest size that is sent without a receiver
  std::optional<uint64_t> movedAheadBytes; ///< greatest size that moves without a receiver
  std::optional<double> duplexSlowness;    ///< 1: full duplex, 2: half
  double duplexPerByteSeconds = 0;         ///< what it is from: of exchanges

  /// What the data do not support, and what was assumed instead: a sentence each.
  std::vector<std::string> remarks;
};

/// Throws InputError where there is no ping-pong between hosts, or a figure is absurd (times that
/// fall with the size, a latency of seconds, a bandwidth beyond that of memory).
/// \p choice: its thresholds are set here.
Figures figuresOf(const measurements::Measurements &measured, const Choice &choice);

/// What an end costs, in seconds; 0 where it was not measured.
double costOf(const std::optional<Fit> &cost, double bytes);

} // namespace gnomon::calibration
