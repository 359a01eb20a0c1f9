// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/Figures.h"

#include "draw/Quantities.h"
#include "support/Error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gnomon::calibration {
namespace {

using draw::formatBytesRate, draw::formatCount, draw::formatSeconds;
using measurements::Experiment;
using measurements::Measurements;
using measurements::Place;
using measurements::Point;
using measurements::Series;

// Beyond these a figure is no machine's, but a slip of units or a broken measurement: no memory of
// a node moves a terabyte a second through MPI, no network waits for ten seconds.
constexpr double MostBandwidth = 1e12, LeastBandwidth = 1, MostLatency = 10;
/// A part of the times by which they may fall without being absurd: protocols change.
constexpr double MostFall = 0.3;

std::string sizeText(double bytes) { return formatCount(static_cast<uint64_t>(bytes)); }

/// "from 1 to 4,096 bytes".
std::string rangeText(std::span<const Datum> data, const Segment &segment) {
  return fmt::format("from {} to {} bytes", sizeText(data[segment.first].bytes),
                     sizeText(data[segment.last].bytes));
}

class Finder {
public:
  Finder(const Measurements &measured, Choice choice)
      : measured_(measured), choice_(std::move(choice)) {}

  Figures find() {
    findLimit();
    findPingPong();
    findMovedAhead();
    findCosts();
    findNetwork();
    findLatency();
    findBandwidth();
    findDuplex();
    findLocal();
    return std::move(figures_);
  }

private:
  template <typename... Args> void remark(fmt::format_string<Args...> format, Args &&...args) {
    figures_.remarks.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  [[noreturn]] static void refuse(const std::string &file, const std::string &text) {
    throw InputError(file, 0, text);
  }

  /// The limit as the measuring program found it, or as its probes show it.
  void findLimit() {
    const std::string found = measured_.fact("eager-limit-inter");
    uint64_t limit = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), limit);
    if (!found.empty() && error == std::errc())
      figures_.eagerBytes = limit;
    else if (const auto probed = probedLimit())
      figures_.eagerBytes = *probed;
    if (!figures_.eagerBytes)
      return remark("no eager limit was measured: the thresholds of the protocol stay those of the "
                    "model");
    choice_.thresholds.push_back(static_cast<double>(*figures_.eagerBytes));
    if (found == "none" || !blocked_)
      return remark("every blocking send that was tried went off without a receiver, up to {} "
                    "bytes: the eager limit is there or above",
                    formatCount(*figures_.eagerBytes));
  }

  /// A probe has returned when it took less than half of the time that its receiver slept.
  std::optional<uint64_t> probedLimit() {
    const Series *probe = measured_.find(Experiment::EagerProbe, Place::Inter);
    const Series *delay = measured_.find(Experiment::EagerDelay, Place::Inter);
    if (!probe || !delay)
      return std::nullopt;
    std::optional<uint64_t> limit;
    blocked_ = false;
    for (const Point &point : probe->points) {
      const auto slept = std::ranges::find(delay->points, point.bytes, &Point::bytes);
      if (slept == delay->points.end())
        continue;
      if (point.median < slept->median / 2)
        limit = point.bytes;
      else
        blocked_ = true;
      if (blocked_)
        break;
    }
    if (!limit && blocked_)
      remark("no blocking send returned without its receiver, not even of {} bytes",
             formatCount(probe->points.front().bytes));
    return limit ? limit : blocked_ ? std::optional<uint64_t>(0) : std::nullopt;
  }

  /// The curve through \p series, without what \p counts excludes. Times are less \p offset.
  /// Nothing: no size is left.
  template <typename Counts>
  std::optional<Fit> fit(const Series &series, double offset, double addedBytes, Counts counts) {
    std::vector<Datum> data;
    Fit fit{series.key, series.file, {}, {}, 0, {}, {}, {}, {}};
    for (const Point &point : series.points) {
      const double seconds = point.median - offset;
      // What is left of a reading of the clock is not known better.
      if (!(seconds > offset / 20) || !counts(point))
        continue;
      data.push_back({static_cast<double>(point.bytes), seconds, point.relativeError()});
      fit.samples += point.seconds.size();
    }
    if (data.size() > segments::MostSizes)
      refuse(series.file, fmt::format("{}: {} different sizes, more than {}", series.name(),
                                      data.size(), segments::MostSizes));
    const std::vector<bool> isOff = segments::outliers(data);
    for (size_t at = 0; at < data.size(); ++at)
      (isOff[at] ? fit.left : fit.data).push_back(data[at]);
    if (fit.data.empty())
      return std::nullopt;
    Choice choice = choice_;
    choice.addedBytes = addedBytes;
    fit.pieces = segments::segment(fit.data, choice);
    fit.error = segments::logError(fit.pieces, fit.data);
    choice.method = choice.method == Method::Bic ? Method::Correlation : Method::Bic;
    choice.segments = 0;
    fit.otherPieces = segments::segment(fit.data, choice);
    fit.otherError = segments::logError(fit.otherPieces, fit.data);
    judge(fit, series.name());
    if (fit.key.experiment == Experiment::PingPong)
      judgeFall(fit, series.name());
    return fit;
  }

  /// Says what the data do not support, and refuses what cannot be.
  void judge(const Fit &fit, const std::string &name) {
    for (const Datum &datum : fit.left)
      remark("{}: {} bytes took {}, out of line with the sizes around it: left out", name,
             sizeText(datum.bytes), formatSeconds(datum.seconds));
    for (const Segment &segment : fit.pieces.segments) {
      if (segment.fall > MostFall && fit.key.experiment == Experiment::PingPong)
        refuse(fit.file, fmt::format("{}: {} the times fall by {:.0f} %, which no bandwidth "
                                     "explains; measure again on a quiet machine",
                                     name, rangeText(fit.data, segment), 100 * segment.fall));
      if (segment.isLevel)
        remark("{}: {} the times do not grow with the size beyond their scatter: no bandwidth can "
               "be told there",
               name, rangeText(fit.data, segment));
      else if (!segment.showsStartup)
        remark("{}: {} no startup can be told from 0", name, rangeText(fit.data, segment));
      if (segment.line.perByteSeconds > 1 / LeastBandwidth)
        refuse(fit.file, fmt::format("{}: {} a bandwidth of {} is absurd: is the unit right?", name,
                                     rangeText(fit.data, segment),
                                     formatBytesRate(1 / segment.line.perByteSeconds)));
      if (segment.last + 1 < fit.data.size())
        judgeBreakpoint(fit, segment, name);
    }
  }

  /// Larger messages may take a little less time than smaller ones, where the protocol changes.
  static void judgeFall(const Fit &fit, const std::string &name) {
    // Where times scatter so much that a line through them may fall by chance, it says nothing.
    const double most = std::max(MostFall, 4 * fit.error.mean);
    double greatest = 0, at = 0;
    for (const Datum &datum : fit.data) {
      const double time = fit.pieces(datum.bytes);
      if (time < (1 - most) * greatest)
        refuse(fit.file,
               fmt::format("{}: the times fall by {:.0f} % from {} to {} bytes, which no "
                           "bandwidth explains; measure again on a quiet machine",
                           name, 100 * (1 - time / greatest), sizeText(at), sizeText(datum.bytes)));
      if (time > greatest) {
        greatest = time;
        at = datum.bytes;
      }
    }
  }

  void judgeBreakpoint(const Fit &fit, const Segment &segment, const std::string &name) {
    const double left = fit.data[segment.last].bytes, right = fit.data[segment.last + 1].bytes;
    if (right > 1.5 * left + 64)
      remark("{}: a breakpoint lies somewhere between {} and {} bytes, where there are no samples; "
             "{} is taken",
             name, sizeText(left), sizeText(right), sizeText(segment.toBytes));
  }

  void findPingPong() {
    const Series *series = measured_.find(Experiment::PingPong, Place::Inter);
    if (!series)
      refuse(measured_.files.empty() ? "" : measured_.files.front(),
             measured_.find(Experiment::PingPong, Place::Intra)
                 ? "all ping-pongs are within a host; a network needs one between two hosts"
                 : "there is no ping-pong between hosts among the samples, and without it no "
                   "latency");
    auto found = fit(*series, 0, choice_.addedBytes, [](const Point &) { return true; });
    if (!found)
      refuse(series->file, series->name() + ": all times are 0");
    if (found->data.size() < 3)
      refuse(series->file, fmt::format("{}: {} different sizes, and 3 are the fewest that show a "
                                       "line; measure more sizes",
                                       series->name(), found->data.size()));
    figures_.pingPong = std::move(*found);
  }

  double pingPong(double bytes) const { return figures_.pingPong.pieces(bytes); }

  void findMovedAhead() {
    if (!figures_.eagerBytes)
      return;
    figures_.movedAheadBytes = figures_.eagerBytes;
    const Series *series = measured_.find(Experiment::ReceiveOverhead, Place::Inter);
    if (!series)
      return remark("no receive of a message that is there was measured ('or'): messages up to the "
                    "eager limit are taken to move before their receive is posted");
    uint64_t moved = 0;
    for (const Point &point : series->points) {
      if (point.bytes > *figures_.eagerBytes)
        return;
      if (point.median > pingPong(static_cast<double>(point.bytes)) / 2) {
        figures_.movedAheadBytes = moved;
        return remark("a receive of {} bytes takes {} though the message was sent long before: "
                      "such messages do not move before their receive is posted",
                      formatCount(point.bytes), formatSeconds(point.median));
      }
      moved = point.bytes;
    }
  }

  std::optional<Fit> findCost(Experiment experiment, std::optional<uint64_t> most) {
    const Series *series = measured_.find(experiment, Place::Inter);
    if (!series) {
      remark("no '{}' was measured: it is taken as 0, and its time is in the network's",
             nameOf(experiment));
      return std::nullopt;
    }
    uint64_t waits = 0;
    auto found = fit(*series, measured_.timerCostSeconds(), 0, [&](const Point &point) {
      if (most && point.bytes > *most)
        return false;
      if (point.median < pingPong(static_cast<double>(point.bytes)) / 2)
        return true;
      waits = waits == 0 ? point.bytes : waits;
      return false;
    });
    if (waits != 0)
      remark("{}: from {} bytes on some calls take half of a ping-pong or more: they wait for the "
             "network, and are no CPU time; those sizes are left out",
             series->name(), formatCount(waits));
    if (!found)
      remark("{}: no size has a time above that of reading the clock: it is taken as 0",
             series->name());
    return found;
  }

  void findCosts() {
    figures_.sendCost = findCost(Experiment::SendOverhead, figures_.eagerBytes);
    figures_.nonblockingSendCost = findCost(Experiment::NonblockingOverhead, std::nullopt);
    figures_.receiveCost = findCost(Experiment::ReceiveOverhead, figures_.movedAheadBytes);
  }

  /// Whether a blocking send of this size pays os, and its receiver or.
  bool isEager(double bytes) const {
    return bytes <= static_cast<double>(figures_.eagerBytes.value_or(DefaultEagerBytes));
  }

  void findNetwork() {
    std::vector<Datum> data = figures_.pingPong.data;
    for (Datum &datum : data) {
      const double ends = isEager(datum.bytes) ? costOf(figures_.sendCost, datum.bytes) +
                                                     costOf(figures_.receiveCost, datum.bytes)
                                               : 0;
      if (ends > 0.9 * datum.seconds) {
        remark("at {} bytes os and or together take {}, and half a round trip {}: they cannot both "
               "be in it, and are left out",
               sizeText(datum.bytes), formatSeconds(ends), formatSeconds(datum.seconds));
        figures_.sendCost.reset();
        figures_.receiveCost.reset();
        figures_.network = figures_.pingPong.pieces;
        return;
      }
      datum.seconds -= ends;
    }
    figures_.network = segments::segment(data, choice_);
  }

  void findLatency() {
    double startup = 0;
    for (const Segment &segment : figures_.network.segments) {
      startup = segment.line.startupSeconds - choice_.addedBytes * segment.line.perByteSeconds;
      if (startup > 0)
        break;
    }
    if (!(startup > 0))
      remark("the ping-pong has no startup at any size: the latency is taken as 0");
    figures_.latencySeconds = std::max(startup, 0.0) / 2;
    if (figures_.latencySeconds > MostLatency)
      refuse(figures_.pingPong.file, fmt::format("a latency of {} is absurd: is the unit right?",
                                                 formatSeconds(figures_.latencySeconds)));
  }

  void takeBandwidth(const Fit &fit) {
    const Segment &last = fit.pieces.segments.back();
    figures_.bandwidth = last.isLevel ? 0 : 1 / last.line.perByteSeconds;
    figures_.bandwidthFrom = fit.key.experiment;
  }

  void findBandwidth() {
    for (Experiment experiment : {Experiment::StreamArrival, Experiment::Stream}) {
      const Series *series = measured_.find(experiment, Place::Inter);
      if (!series || figures_.bandwidth > 0)
        continue;
      if (auto found = fit(*series, 0, 0, [](const Point &point) { return point.bytes > 0; })) {
        takeBandwidth(*found);
        figures_.stream = std::move(found);
      }
    }
    const Segment &last = figures_.pingPong.pieces.segments.back();
    if (figures_.bandwidth > 0)
      compareBandwidths(last);
    else if (last.isLevel)
      refuse(figures_.pingPong.file, "neither streams nor the ping-pong's greatest messages show a "
                                     "bandwidth; measure larger messages");
    else {
      takeBandwidth(figures_.pingPong);
      remark("no stream was measured: the bandwidth is the ping-pong's, which token buckets and "
             "caches flatter");
    }
    if (figures_.bandwidth > MostBandwidth)
      refuse(figures_.stream ? figures_.stream->file : figures_.pingPong.file,
             fmt::format("a bandwidth of {} is beyond that of any memory: is the unit right?",
                         formatBytesRate(figures_.bandwidth)));
  }

  void compareBandwidths(const Segment &last) {
    const double own = last.isLevel ? 0 : 1 / last.line.perByteSeconds;
    if (own > 0 && std::abs(std::log(own / figures_.bandwidth)) > 0.05)
      remark("streams move {}, the greatest messages of a ping-pong {}: links have the streams' "
             "bandwidth",
             formatBytesRate(figures_.bandwidth), formatBytesRate(own));
  }

  /// By the exchange of most ranks: its time per byte against that of a message one way.
  void findDuplex() {
    const Series *most = nullptr;
    for (const Series &series : measured_.series)
      if (series.key.place == Place::Inter &&
          (series.key.experiment == Experiment::Exchange ||
           series.key.experiment == Experiment::BidirectionalStream))
        if (!most || series.key.ranks >= most->key.ranks)
          most = &series;
    if (!most)
      return remark("nothing was measured that sends and receives at once: ports are taken as full "
                    "duplex");
    const auto found = fit(*most, 0, 0, [](const Point &point) { return point.bytes > 0; });
    if (!found || found->pieces.segments.back().isLevel)
      return remark("{}: the greatest messages show no bandwidth: ports are taken as full duplex",
                    most->name());
    const double perByte = found->pieces.segments.back().line.perByteSeconds;
    const double slowness = perByte * figures_.bandwidth;
    if (most->key.ranks < 3 && slowness < 1.1)
      return remark("two ranks that start together show no limit on both directions at once, and "
                    "real programs may still meet one: measure on 4 hosts or more");
    figures_.duplexSlowness = slowness;
    figures_.duplexPerByteSeconds = perByte;
  }

  void findLocal() {
    const Series *series = measured_.find(Experiment::PingPong, Place::Intra);
    if (!series)
      return remark("nothing was measured within a host: messages between ranks of one host are "
                    "timed by the model's own loopback");
    figures_.local = fit(*series, 0, 0, [](const Point &) { return true; });
  }

  const Measurements &measured_;
  Choice choice_;
  Figures figures_;
  bool blocked_ = true; ///< whether some probe waited for its receiver
};

} // namespace

double costOf(const std::optional<Fit> &cost, double bytes) {
  return cost ? cost->pieces(bytes) : 0;
}

Figures figuresOf(const Measurements &measured, const Choice &choice) {
  return Finder(measured, choice).find();
}

} // namespace gnomon::calibration
