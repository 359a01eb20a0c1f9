// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/Prediction.h"

#include "calibration/RingRounds.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::calibration {
namespace {

using measurements::Experiment;
using measurements::Place;
using models::Factors;

constexpr double Acknowledged = 1.05; ///< a flow with its acknowledgements, in SMPI's model
constexpr double UnknownWindow = 64;  ///< OSU's

Factors parsed(const Machine &machine, std::string_view key, Factors::Kind kind) {
  const std::string text = machine.setting(key);
  return text.empty() ? Factors(kind) : Factors::parse(text, kind);
}

double threshold(const Machine &machine, std::string_view key, double without) {
  const std::string text = machine.setting(key);
  return text.empty() ? without : Machine::numberOf(text);
}

double windowOf(const measurements::Measurements &measured, double bytes) {
  const double inBytes = measured.number("window-bytes", 0);
  return inBytes > 0 ? std::clamp(std::floor(inBytes / std::max(bytes, 1.0)), 4.0, 32.0)
                     : UnknownWindow;
}

/// Single calls are timed with one reading of the clock.
double clockIn(Experiment experiment, const measurements::Measurements &measured) {
  const bool single = experiment == Experiment::SendOverhead ||
                      experiment == Experiment::NonblockingOverhead ||
                      experiment == Experiment::ReceiveOverhead;
  return single ? measured.timerCostSeconds() : 0;
}

} // namespace

Prediction::Prediction(const Machine &machine)
    : model_(machine.model), latency_(Machine::numberOf(machine.latency)),
      bandwidth_(Machine::numberOf(machine.bandwidth)),
      jitter_(model_ == Model::Ports ? threshold(machine, "ports/jitter", DefaultJitter) : 0),
      burst_(threshold(machine, "ports/burst", 0)),
      loopbackLatency_(Machine::numberOf(machine.loopbackLatency)),
      loopbackBandwidth_(Machine::numberOf(machine.loopbackBandwidth)),
      addedBytes_(addedBytesOf(machine.model)),
      duplex_(machine.model == Model::Smpi ? Acknowledged : 1),
      detachedBytes_(threshold(machine, "smpi/send-is-detached-thresh", DefaultEagerBytes + 1)),
      asyncBytes_(threshold(machine, "smpi/async-small-thresh", DefaultEagerBytes + 1)),
      latencyFactor_(parsed(machine, "smpi/lat-factor", Factors::Kind::Factor)),
      bandwidthFactor_(parsed(machine, "smpi/bw-factor", Factors::Kind::Factor)),
      send_(parsed(machine, "smpi/os", Factors::Kind::Cost)),
      nonblockingSend_(parsed(machine, "smpi/ois", Factors::Kind::Cost)),
      receive_(parsed(machine, "smpi/or", Factors::Kind::Cost)),
      node_(parsed(machine, "ports/node", Factors::Kind::Cost)) {
  if (const double limiter = Machine::numberOf(machine.limiter); limiter > 0)
    duplex_ = std::max(duplex_, 2 * duplex_ * bandwidth_ / limiter);
}

Prediction::Weights Prediction::weights(double bytes) const {
  const double size = bytes + addedBytes_;
  return {latencyFactor_(size), size / bandwidthFactor_(size),
          isDetached(bytes) ? send_(bytes) + receive_(bytes) : 0};
}

double Prediction::wire(double bytes) const {
  return (model_ == Model::Ports ? onWire(bytes) : weights(bytes).bytes) / bandwidth_;
}

double Prediction::startup(double bytes) const {
  if (model_ == Model::Smpi)
    return weights(bytes).latency * 2 * latency_;
  const double once = 2 * latency_ + jitter_;
  return isDetached(bytes) ? once : 3 * once + onWireBefore() / bandwidth_;
}

double Prediction::transfer(double bytes) const {
  return startup(bytes) + std::max(wire(bytes) - burst_ / bandwidth_, 0.0);
}

/// What the ports have gained back of a burst since they last sent goes at once.
double Prediction::pingPong(double bytes) const {
  const double start = startup(bytes);
  const double burst = burstFound(burst_, bytes, start, bandwidth_);
  return start + std::max(wire(bytes) - burst / bandwidth_, 0.0) + weights(bytes).ends;
}

double Prediction::stream(double bytes, double window) const {
  const double receive = isDetached(bytes) ? receive_(bytes) : 0;
  const double turn = (nonblockingSend_(bytes) + transfer(bytes) + receive) / window;
  return std::max({wire(bytes), nonblockingSend_(bytes), receive, turn});
}

double Prediction::exchange(double b, double ranks, double rounds, double start,
                            double receive) const {
  if (model_ != Model::Ports)
    return nonblockingSend_(b) + start + duplex_ * wire(b) + receive;
  return RingRounds(static_cast<size_t>(ranks), static_cast<size_t>(rounds))(
      nonblockingSend_(b), start - jitter_ + wire(b) + receive, jitter_);
}

std::optional<double> Prediction::between(Experiment experiment, double b, double ranks,
                                          double messages, double window) const {
  const double receive = isDetached(b) ? receive_(b) : 0, send = isDetached(b) ? send_(b) : 0;
  const double start = startup(b);
  // Rounds of eager messages follow each other without waiting.
  const double waits = isDetached(b) ? std::max(messages, ranks - 1) : ranks - 1;
  const bool exchanges =
      experiment == Experiment::Exchange || experiment == Experiment::BidirectionalStream;
  if (exchanges && model_ == Model::Ports && !isDetached(b))
    return std::nullopt;
  switch (experiment) {
  case Experiment::PingPong:
    return pingPong(b);
  case Experiment::Stream:
    return stream(b, window) + (transfer(b) + start) / messages;
  case Experiment::StreamArrival:
    return stream(b, window);
  case Experiment::BidirectionalStream:
    return std::max(duplex_ * wire(b), nonblockingSend_(b) + receive);
  case Experiment::Exchange:
    return exchange(b, ranks, messages, start, receive);
  case Experiment::Incast:
    return std::max(wire(b), receive) + (start + send) / waits;
  case Experiment::Outcast:
    return std::max(wire(b), nonblockingSend_(b)) + (start + nonblockingSend_(b)) / waits;
  case Experiment::SendOverhead:
    return isDetached(b) ? std::optional(send) : std::nullopt;
  case Experiment::NonblockingOverhead:
    return nonblockingSend_(b);
  case Experiment::ReceiveOverhead:
    return b < asyncBytes_ ? std::optional(receive) : std::nullopt;
  case Experiment::SendArrival:
  case Experiment::EagerProbe:
  case Experiment::EagerDelay:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> Prediction::operator()(const measurements::SeriesKey &key,
                                             const measurements::Point &point,
                                             double window) const {
  const auto bytes = static_cast<double>(point.bytes);
  if (key.place == Place::Inter)
    return key.ranks < 2 ? std::nullopt
                         : between(key.experiment, bytes, key.ranks, point.messages, window);
  if (key.experiment != Experiment::PingPong)
    return std::nullopt;
  const auto [latency, size, ends] = weights(bytes);
  if (!node_.isZero())
    return node_(std::max(bytes, 1.0)) + ends;
  if (!(loopbackBandwidth_ > 0))
    return std::nullopt;
  return latency * loopbackLatency_ + size / loopbackBandwidth_ + ends;
}

std::vector<Reproduced> reproduce(const measurements::Measurements &measured,
                                  const Machine &machine) {
  const Prediction prediction(machine);
  std::vector<Reproduced> all;
  for (const measurements::Series &series : measured.series) {
    Reproduced reproduced{series.name(), series.key, {}, {}};
    const double clock = clockIn(series.key.experiment, measured);
    for (const measurements::Point &point : series.points) {
      const auto bytes = static_cast<double>(point.bytes);
      const auto predicted = prediction(series.key, point, windowOf(measured, bytes));
      if (!predicted || !(*predicted > 0) || !(point.median > clock))
        continue;
      reproduced.points.push_back({bytes, point.median - clock, std::max(point.low - clock, 0.0),
                                   point.high - clock, *predicted});
      reproduced.error.add(bytes, *predicted, point.median - clock);
    }
    if (!reproduced.points.empty())
      all.push_back(std::move(reproduced));
  }
  return all;
}

std::string lineText(const Segment &segment) {
  if (segment.isLevel)
    return draw::formatSeconds(segment.line.startupSeconds);
  return fmt::format("{} + b / {}", draw::formatSeconds(segment.line.startupSeconds),
                     draw::formatBytesRate(1 / segment.line.perByteSeconds));
}

} // namespace gnomon::calibration
