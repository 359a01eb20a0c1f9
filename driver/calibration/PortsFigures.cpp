// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/PortsFigures.h"

#include "calibration/RingRounds.h"
#include "draw/Quantities.h"
#include "models/Parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gnomon::calibration {
namespace {

using measurements::Experiment;
using measurements::Measurements;
using measurements::Place;
using measurements::Point;
using measurements::Series;

// The model's own: frames of Ethernet, IP and TCP, and headers of Open MPI.
constexpr models::Parameters::Ports Own;
constexpr double Frame = Own.frameBytes, Overhead = Own.overheadBytes, Header = Own.headerBytes,
                 Request = Own.requestBytes, Answer = Own.answerBytes;
/// Messages that are small: nothing but latency counts.
constexpr uint64_t SmallBytes = 16, LargeBytes = 8192;
constexpr size_t FewestSamples = 20, FewestNodeSizes = 3;
/// Exchanges that tell J: their messages are this short, their sizes so many, their samples (of all
/// these sizes) FewestSamples, their ranks more than two; and they say something else than ping-pongs
/// where they find so much more.
constexpr uint64_t ShortBytes = 512;
constexpr size_t FewestExchangeSizes = 3;
constexpr double ClearlyLater = 1.5;
/// Of J: what the least of some hundred small messages had of it.
constexpr double LeastSeen = 0.04;
/// TCP's least timer (RFC 6298, as Linux has it), and what a message takes at most that met one.
constexpr double Timer = 0.2, TimerFrom = 0.18, TimerTo = 0.45;
constexpr double BurstFrom = 2048, BurstTo = 65536;

double framed(double bytes) { return bytes + std::ceil(bytes / Frame) * Overhead; }

double quantile(const std::vector<double> &sorted, double part) {
  return sorted[static_cast<size_t>(part * static_cast<double>(sorted.size() - 1))];
}

/// The mean of \p sorted; those above the 95 % quantile count as that, because a rank that was
/// interrupted tells nothing of the network.
double winsorisedMean(const std::vector<double> &sorted) {
  const double most = quantile(sorted, 0.95);
  double sum = 0;
  for (double value : sorted)
    sum += std::min(value, most);
  return sum / static_cast<double>(sorted.size());
}

/// The 5 % quantile of the mean of \p count exponential times of mean 1 (Wilson and Hilferty 1931).
double meanQuantile(double count) {
  constexpr double Normal = -1.645;
  const double root = 1 - 1 / (9 * count) + Normal / (3 * std::sqrt(count));
  return root * root * root;
}

/// What of such a mean is left when values above its 95 % quantile count as that: 0.95 for one time
/// (exactly), 0.97 for two, nearly all of many.
double winsorisedPart(double count) { return 1 - 0.05 * std::pow(count, -0.75); }

class PortsFinder {
public:
  PortsFinder(Figures &figures, const Measurements &measured)
      : figures_(figures), measured_(measured),
        pingPong_(*measured.find(Experiment::PingPong, Place::Inter)) {}

  PortsFigures find() {
    found_.wireRate = figures_.bandwidth * (Frame + Overhead) / Frame;
    findSmall();
    findBurst();
    const double wire = std::max(onWire(smallBytes_) - found_.burstBytes, 0.0) / found_.wireRate;
    const double jitter = found_.jitterSeconds.value_or(std::min(DefaultJitter, mean_ / 2));
    found_.latencySeconds = std::max(mean_ - jitter - wire, 0.0);
    findAllRanks(jitter);
    findSocket();
    findNode();
    findTimeouts();
    figures_.remarks.emplace_back("windows and queues of the ports (ports/window, ports/queue, "
                                  "ports/initial-window) are the model's own: these experiments "
                                  "do not show them");
    return found_;
  }

private:
  double ends(double bytes) const {
    return isEager(bytes)
               ? clearCost(figures_.sendCost, bytes) + clearCost(figures_.receiveCost, bytes)
               : 0;
  }
  static double clearCost(const std::optional<Fit> &cost, double bytes) {
    return cost && isClear(*cost) ? costOf(cost, bytes) : 0;
  }
  bool isEager(double bytes) const {
    return bytes <= static_cast<double>(figures_.eagerBytes.value_or(DefaultEagerBytes));
  }

  /// The mean of the one-way times of small messages, and J.
  void findSmall() {
    const uint64_t most = std::max(pingPong_.points.front().bytes, SmallBytes);
    std::vector<double> times;
    double messages = 0;
    for (const Point &point : pingPong_.points) {
      if (point.bytes > most)
        break;
      smallBytes_ = static_cast<double>(point.bytes);
      messages += point.messages * static_cast<double>(point.seconds.size());
      for (double seconds : point.seconds)
        times.push_back(std::max(seconds - ends(smallBytes_), 0.0));
    }
    std::ranges::sort(times);
    mean_ = winsorisedMean(times);
    if (times.size() >= FewestSamples) {
      const double together = messages / static_cast<double>(times.size());
      const double kept = winsorisedPart(together);
      const double scattered = (mean_ - quantile(times, 0.05)) / (kept - meanQuantile(together));
      // Real times scatter more widely than exponential ones; L is not much less than the least.
      const double most = (mean_ - times.front()) / (kept - LeastSeen);
      found_.jitterSeconds = std::min({scattered, most, mean_});
      mean_ += (1 - kept) * *found_.jitterSeconds;
      return;
    }
    figures_.remarks.push_back(fmt::format(
        "{} samples of messages of up to {} bytes do not tell how much their times scatter: "
        "ports/jitter is the model's own, and the latency what is left of their mean",
        times.size(), most));
  }

  /// J where all ranks communicate, from rounds of the largest ring: with more ranks a machine has
  /// less time for each.
  void findAllRanks(double alone) {
    const Series *ring = largestRing();
    std::vector<double> found;
    size_t samples = 0;
    if (ring)
      for (const Point &point : ring->points)
        if (point.bytes <= ShortBytes) {
          found.push_back(jitterOf(*ring, point));
          samples += point.seconds.size();
        }
    if (found.size() < FewestExchangeSizes || samples < FewestSamples)
      return;
    std::ranges::sort(found);
    const double jitter = found[found.size() / 2];
    if (jitter < ClearlyLater * alone)
      return;
    figures_.remarks.push_back(fmt::format(
        "{} ranks that exchange short messages notice them after {}, two after {}: ports/jitter is "
        "that of {}, so ping-pongs of short messages take less than the machine says",
        ring->key.ranks, draw::formatSeconds(jitter), draw::formatSeconds(alone), ring->key.ranks));
    found_.jitterSeconds = jitter;
  }

  const Series *largestRing() const {
    const Series *largest = nullptr;
    for (const Series &series : measured_.series)
      if (series.key.experiment == Experiment::Exchange && series.key.place == Place::Inter &&
          series.key.ranks > 2 && (!largest || series.key.ranks > largest->key.ranks))
        largest = &series;
    return largest;
  }

  double jitterOf(const Series &ring, const Point &point) const {
    const auto bytes = static_cast<double>(point.bytes);
    const double wire = std::max(onWire(bytes) - found_.burstBytes, 0.0) / found_.wireRate;
    return RingRounds(static_cast<size_t>(ring.key.ranks), static_cast<size_t>(point.messages))
        .jitterOf(winsorisedMean(point.seconds), clearCost(figures_.nonblockingSendCost, bytes),
                  found_.latencySeconds + wire + clearCost(figures_.receiveCost, bytes));
  }

  struct Isolated {
    double bytes, seconds; ///< mean, one way
  };

  std::vector<Isolated> isolated() const {
    std::vector<Isolated> all;
    for (const Point &point : pingPong_.points) {
      const auto bytes = static_cast<double>(point.bytes);
      if (bytes >= BurstFrom && bytes <= BurstTo && isEager(bytes))
        all.push_back({bytes, winsorisedMean(point.seconds) - ends(bytes)});
    }
    return all;
  }

  /// Bursts from a frame to the greatest size are tried, 2 % apart.
  void findBurst() {
    const std::vector<Isolated> times = isolated();
    if (times.size() < 4) {
      figures_.remarks.push_back(fmt::format(
          "{} sizes from 2 to 64 KiB were measured, too few to tell a burst that an idle port lets "
          "go at once: none is taken",
          times.size()));
      return;
    }
    const double without = errorOf(0, times);
    double least = without, best = 0;
    for (double burst = Frame; burst <= BurstTo; burst *= 1.02) {
      const double error = errorOf(burst, times);
      if (error < least) {
        least = error;
        best = burst;
      }
    }
    const double clear = 1 + 2 / std::sqrt(static_cast<double>(times.size()));
    if (best > 0 && without > clear * least)
      found_.burstBytes = best;
    else
      figures_.remarks.push_back(fmt::format("no burst of an idle port can be told from scatter "
                                             "({:.0f} bytes would fit best): none is "
                                             "taken",
                                             best));
  }

  double errorOf(double burst, const std::vector<Isolated> &times) const {
    double sum = 0;
    for (const Isolated &time : times) {
      const double found = burstFound(burst, time.bytes, mean_, found_.wireRate);
      const double predicted = mean_ + std::max(onWire(time.bytes) - found, 0.0) / found_.wireRate;
      sum += std::abs(predicted / time.seconds - 1);
    }
    return sum;
  }

  /// Bytes of a long message that were not there yet when its MPI_Send was done, where the sender
  /// waited for a fifth of the message or more.
  void findSocket() {
    const Series *sends = measured_.find(Experiment::SendOverhead, Place::Inter);
    const Series *arrivals = measured_.find(Experiment::SendArrival, Place::Inter);
    std::vector<double> left;
    if (sends)
      for (const Point &point : sends->points) {
        const auto bytes = static_cast<double>(point.bytes);
        const double behind =
            (wholeSeconds(arrivals, point.bytes) - point.median - found_.latencySeconds) *
            figures_.bandwidth;
        if (!isEager(bytes) && behind < 0.8 * bytes)
          left.push_back(std::max(behind, 0.0));
      }
    if (left.size() < 3) {
      figures_.remarks.emplace_back(
          "too few blocking sends of long messages were timed in which the sender waits: "
          "ports/socket, what it does not wait for, is the model's own");
      return;
    }
    std::ranges::sort(left);
    found_.socketBytes = std::floor(left[left.size() / 2]);
  }

  /// Until a message of \p bytes is there.
  double wholeSeconds(const Series *arrivals, uint64_t bytes) const {
    if (arrivals) {
      const auto found = std::ranges::find(arrivals->points, bytes, &Point::bytes);
      if (found != arrivals->points.end())
        return found->median;
    }
    return figures_.pingPong.pieces(static_cast<double>(bytes));
  }

  /// Segments of the ping-pong within a host, less os and or.
  void findNode() {
    if (!figures_.local)
      return;
    std::vector<Datum> data;
    for (Datum datum : figures_.local->data) {
      const double seconds = datum.seconds - ends(datum.bytes);
      if (seconds <= datum.seconds / 20)
        continue;
      datum.seconds = seconds;
      data.push_back(datum);
    }
    if (data.size() < FewestNodeSizes) {
      figures_.remarks.emplace_back("within a host messages take no longer than os and or: "
                                    "ports/node is the model's own");
      return;
    }
    found_.node = segments::segment(data, {});
  }

  /// Samples that took a timer longer than the least of their size: frames were lost.
  void findTimeouts() {
    size_t all = 0, late = 0;
    for (const Series &series : measured_.series)
      if (series.key.place == Place::Inter && sendsMany(series.key.experiment))
        for (const Point &point : series.points) {
          if (point.bytes < LargeBytes)
            continue;
          all += point.seconds.size();
          for (double seconds : point.seconds) {
            const double more = (seconds - point.seconds.front()) * point.messages;
            late += more > TimerFrom && more < TimerTo ? 1 : 0;
          }
        }
    if (late >= 3 && late * 100 >= all) {
      found_.timeoutSeconds = Timer;
      figures_.remarks.push_back(
          fmt::format("{} of {} blocks of messages of 8 KiB or more took 180 to 450 ms longer than "
                      "the least of their size: full queues lose frames (ports/timeout)",
                      late, all));
    } else if (all > 0) {
      figures_.remarks.emplace_back("no timeouts after lost frames were seen");
    }
  }

  static bool sendsMany(Experiment experiment) {
    return experiment == Experiment::Stream || experiment == Experiment::BidirectionalStream ||
           experiment == Experiment::Exchange || experiment == Experiment::Incast ||
           experiment == Experiment::Outcast;
  }

  Figures &figures_;
  const Measurements &measured_;
  const Series &pingPong_;
  PortsFigures found_;
  double smallBytes_ = 0, mean_ = 0; ///< of small messages
};

} // namespace

double burstFound(double burst, double bytes, double startupSeconds, double rate) {
  return std::min(burst, startupSeconds * rate + onWire(bytes) / 2);
}

double onWire(double bytes) { return framed(bytes + Header); }
double onWireBefore() { return framed(Request) + framed(Answer); }

PortsFigures portsFiguresOf(Figures &figures, const Measurements &measured) {
  return PortsFinder(figures, measured).find();
}

bool isClear(const Fit &cost) {
  return std::ranges::any_of(cost.pieces.segments, [](const Segment &segment) {
    return segment.line.startupSeconds > 2 * segment.startupError ||
           segment.line.perByteSeconds > 2 * segment.perByteError;
  });
}

} // namespace gnomon::calibration
