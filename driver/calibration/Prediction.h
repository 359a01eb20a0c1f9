// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each experiment takes on the machine that is written, by closed forms of the model, and how
/// far that is from what was measured. The figures are read back from the texts of the file, so that
/// rounding and notation are judged, too.
///
/// For b bytes between hosts; L, B of a link; n ranks; f_lat = f_bw = 1 and no envelope without
/// factors; W messages of a window; D = what both directions at once cost, max(1.05, 2.1 B / limiter)
/// for `smpi` and 1 otherwise:
///     wire = (b + 16) / (f_bw B)      T = f_lat 2 L + wire
///     pingpong              os + T + or up to the eager limit, T above
///     stream                max(wire, ois, or, (ois + T + or) / W) + (2 T - wire) / messages
///     stream-arrival        max(wire, ois, or, (ois + T + or) / W)
///     bidirectional-stream  max(D wire, ois + or)
///     exchange              ois + T + (D - 1) wire + or
///     incast, outcast       max(wire, or or ois) + (T - wire + os or ois) / (n - 1); the last term
///                           only once in a block of eager messages
///     os, ois, or           their own line
/// For `ports` (PortsFigures.h), J the jitter:
///     wire = w(b) / R                 T = 2 L + J + max(0, wire - burst / R) up to the eager limit
///     (in a ping-pong less of the burst is there: burstFound)
///     above: request and answer, too: T = 3 (2 L + J) + (w(request) + w(answer)) / R + the same
///     exchange        rounds of a ring (RingRounds.h) with s = ois, f = 2 L + wire + or and J
/// and exchanges and streams both ways have a closed form up to the eager limit only.
/// Collectives have none: they are made of messages, and need a run.
#pragma once

#include "calibration/Machine.h"
#include "models/Factors.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::calibration {

class Prediction {
public:
  explicit Prediction(const Machine &machine);

  /// Seconds of one message; nothing: there is no closed form for it. \p window: messages under way
  /// in a stream.
  std::optional<double> operator()(const measurements::SeriesKey &key,
                                   const measurements::Point &point, double window) const;

  /// What latency and time per byte are multiplied with for a message alone, and its ends.
  struct Weights {
    double latency, bytes, ends;
  };
  Weights weights(double bytes) const;

private:
  double wire(double bytes) const;
  double startup(double bytes) const;
  double transfer(double bytes) const;
  bool isDetached(double bytes) const { return bytes < detachedBytes_; }
  double pingPong(double bytes) const;
  double exchange(double bytes, double ranks, double rounds, double start, double receive) const;
  double stream(double bytes, double window) const;
  std::optional<double> between(measurements::Experiment experiment, double bytes, double ranks,
                                double messages, double window) const;

  Model model_;
  double latency_, bandwidth_, jitter_, burst_, loopbackLatency_, loopbackBandwidth_;
  double addedBytes_, duplex_, detachedBytes_, asyncBytes_;
  models::Factors latencyFactor_{models::Factors::Kind::Factor},
      bandwidthFactor_{models::Factors::Kind::Factor};
  models::Factors send_{models::Factors::Kind::Cost}, nonblockingSend_{models::Factors::Kind::Cost},
      receive_{models::Factors::Kind::Cost}, node_{models::Factors::Kind::Cost};
};

/// A series beside what the machine makes of it.
struct Reproduced {
  std::string name;
  measurements::SeriesKey key;
  struct At {
    double bytes, measured, low, high, predicted;
  };
  std::vector<At> points; ///< those that have both
  LogError error;
};

/// All series that have a closed form, in their order.
std::vector<Reproduced> reproduce(const measurements::Measurements &measured,
                                  const Machine &machine);

/// "100 us + b / 1.2 GB/s".
std::string lineText(const Segment &segment);

} // namespace gnomon::calibration
