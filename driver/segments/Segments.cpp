// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "segments/Segments.h"

#include "segments/Moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gnomon::segments {
namespace {

constexpr double Infinite = std::numeric_limits<double>::infinity();
/// Relative errors below this are not believed, and times without one have this.
constexpr double LeastError = 0.002;
/// Of cost / n: see Segments.h.
constexpr double LeastCost = 0.25;
constexpr size_t LeastRun = 3, MostRuns = 12, PaperRuns = 3;

/// The median of the errors that are known among data[from] to data[to - 1]; 0: none is.
double usualError(std::span<const Datum> data, size_t from, size_t to) {
  std::vector<double> known;
  for (const Datum &datum : data.subspan(from, to - from))
    if (datum.relativeError > 0)
      known.push_back(datum.relativeError);
  std::ranges::sort(known);
  return known.empty() ? 0 : known[known.size() / 2];
}

/// The relative errors that count. An error that a few samples tell is uncertain itself: the median
/// of seven neighbours is less so, and a size that is much worse than they are keeps its own.
std::vector<double> errorsOf(std::span<const Datum> data) {
  constexpr size_t Beside = 3;
  const double anywhere = usualError(data, 0, data.size());
  std::vector<double> errors;
  for (size_t at = 0; at < data.size(); ++at) {
    const double near =
        usualError(data, at < Beside ? 0 : at - Beside, std::min(at + Beside + 1, data.size()));
    const double usual = near > 0 ? near : anywhere;
    const double own = data[at].relativeError;
    errors.push_back(std::max(own > 3 * usual ? own : usual, LeastError));
  }
  return errors;
}

/// What each run costs, and the best cuts into 1, 2, … runs.
class Cuts {
public:
  Cuts(std::span<const Datum> data, std::span<const double> errors, const Choice &choice)
      : count_(data.size()), costs_(count_ * count_, Infinite) {
    for (size_t first = 0; first < count_; ++first) {
      Moments weighted, plain;
      for (size_t last = first; last < count_; ++last) {
        const Datum &datum = data[last];
        const double error = errors[last] * datum.seconds;
        weighted.add(datum.bytes, datum.seconds, 1 / (error * error));
        plain.add(datum.bytes, datum.seconds, 1);
        if (last + 1 - first >= std::min(LeastRun, count_))
          costs_[first * count_ + last] = choice.method == Method::Bic
                                              ? weighted.residual(weighted.line(choice.addedBytes))
                                              : lossOf(plain.correlation());
      }
    }
  }

  /// The least cost of a cut of all into \p runs; call for 1, 2, … in turn.
  double add(size_t runs) {
    std::vector<double> best(count_, Infinite);
    std::vector<size_t> begin(count_, 0);
    for (size_t last = 0; last < count_; ++last) {
      for (size_t first = 0; first <= last; ++first) {
        const double before =
            runs == 1 ? (first == 0 ? 0 : Infinite) : (first == 0 ? Infinite : best_[first - 1]);
        const double cost = before + costs_[first * count_ + last];
        if (cost < best[last]) {
          best[last] = cost;
          begin[last] = first;
        }
      }
    }
    best_ = std::move(best);
    begins_.push_back(std::move(begin));
    return best_.back();
  }

  /// The first datum of each run, in the best cut into \p runs.
  std::vector<size_t> cut(size_t runs) const {
    std::vector<size_t> firsts(runs);
    size_t last = count_ - 1;
    for (size_t run = runs; run-- > 0;) {
      firsts[run] = begins_[run][last];
      last = firsts[run] == 0 ? 0 : firsts[run] - 1;
    }
    return firsts;
  }

private:
  /// A factor of the product as a summand that is to be small.
  static double lossOf(double correlation) {
    return correlation > 0 ? -std::log(std::min(correlation, 1.0)) : Infinite;
  }

  size_t count_;
  std::vector<double> costs_; ///< of the run from one datum to another
  std::vector<double> best_;  ///< of all up to a datum
  std::vector<std::vector<size_t>> begins_;
};

double criterion(double cost, size_t runs, size_t count, const Choice &choice) {
  const auto n = static_cast<double>(count);
  return n * std::log(std::max(cost / n, LeastCost)) +
         choice.penalty * (4 * static_cast<double>(runs) - 2) * std::log(n);
}

/// How many runs are asked for; 0: as many as the criterion says.
size_t wantedRuns(const Choice &choice, size_t count) {
  const size_t wanted =
      choice.segments == 0 && choice.method == Method::Correlation ? PaperRuns : choice.segments;
  return std::min(wanted, std::max<size_t>(count / LeastRun, 1));
}

std::vector<size_t> bestCut(std::span<const Datum> data, std::span<const double> errors,
                            const Choice &choice) {
  Cuts cuts(data, errors, choice);
  const size_t wanted = wantedRuns(choice, data.size());
  const size_t most =
      wanted > 0 ? wanted : std::max<size_t>(std::min(MostRuns, data.size() / 4), 1);
  size_t best = 1;
  double least = Infinite;
  for (size_t runs = 1; runs <= most; ++runs) {
    const double cost = cuts.add(runs), value = criterion(cost, runs, data.size(), choice);
    // Of the number that was asked for, or the nearest below it that is possible.
    if (wanted > 0 ? cost < Infinite : value < least) {
      least = value;
      best = runs;
    }
  }
  return cuts.cut(best);
}

/// Where between two neighbouring sizes a breakpoint lies: at a threshold of the protocol, else at
/// a power of two, which thresholds mostly are, else in the middle of their logarithms.
double breakpoint(double left, double right, const Choice &choice) {
  for (double threshold : choice.thresholds)
    if (left <= threshold && threshold < right)
      return threshold;
  const double middle = std::sqrt(std::max(left, 1.0) * right);
  double nearest = 0;
  for (double power = 1; power < right; power *= 2)
    if (power >= left && std::abs(std::log(power / middle)) < std::abs(std::log(nearest / middle)))
      nearest = power;
  return nearest > 0 ? nearest : std::max(std::floor(middle), left);
}

/// The line of a run: least squares weighted by the fitted times, not by the measured ones, which
/// would favour those that came out too short; points far off count less (Huber 1964).
void fitLine(std::span<const Datum> data, std::span<const double> errors, const Choice &choice,
             Segment &segment) {
  constexpr int Rounds = 8;
  constexpr double Far = 2; // standard deviations
  StraightLine line;
  Moments moments;
  double scale = Infinite;
  for (int round = 0; round < Rounds; ++round) {
    moments = {};
    std::vector<double> sizes;
    for (size_t at = segment.first; at <= segment.last; ++at) {
      const Datum &datum = data[at];
      const double fitted = round == 0 ? datum.seconds : line(datum.bytes);
      const double error = errors[at] * std::max(fitted, datum.seconds / 100);
      const double off = round == 0 ? 0 : std::abs(line(datum.bytes) - datum.seconds) / error;
      const double share = off > Far * scale ? Far * scale / off : 1;
      moments.add(datum.bytes, datum.seconds, share / (error * error));
      sizes.push_back(off);
    }
    line = moments.line(choice.addedBytes);
    std::ranges::sort(sizes);
    scale = round == 0 ? Infinite : std::max(1.4826 * sizes[sizes.size() / 2], 0.1);
  }
  const auto count = static_cast<double>(segment.last - segment.first + 1);
  const double variance = std::max(moments.residual(line) / std::max(count - 2, 1.0), LeastCost);
  const StraightLine free = moments.freeLine();
  const bool oneSize = !(moments.bytesBytes > 0);
  segment.perByteError = oneSize ? 0 : std::sqrt(variance / moments.bytesBytes);
  segment.startupError = std::sqrt(
      variance * (1 / moments.weight +
                  (oneSize ? 0 : moments.meanBytes * moments.meanBytes / moments.bytesBytes)));
  if (free.perByteSeconds < -4 * segment.perByteError)
    segment.fall = -free.perByteSeconds * (data[segment.last].bytes - data[segment.first].bytes) /
                   moments.meanSeconds;
  segment.isLevel = oneSize || line.perByteSeconds < 2 * segment.perByteError;
  segment.showsStartup =
      line.startupSeconds - choice.addedBytes * line.perByteSeconds > 2 * segment.startupError;
  segment.line = segment.isLevel ? StraightLine{moments.meanSeconds, 0} : line;
}

} // namespace

const Segment &Segmentation::at(double bytes) const {
  for (const Segment &segment : segments)
    if (bytes <= segment.toBytes)
      return segment;
  return segments.back();
}

Segmentation segment(std::span<const Datum> data, const Choice &choice) {
  const std::vector<double> errors = errorsOf(data);
  const std::vector<size_t> firsts = bestCut(data, errors, choice);
  Segmentation result;
  for (size_t run = 0; run < firsts.size(); ++run) {
    Segment segment;
    segment.first = firsts[run];
    segment.last = run + 1 < firsts.size() ? firsts[run + 1] - 1 : data.size() - 1;
    segment.fromBytes = run == 0 ? 0 : result.segments.back().toBytes;
    segment.toBytes = run + 1 < firsts.size() ? breakpoint(data[segment.last].bytes,
                                                           data[segment.last + 1].bytes, choice)
                                              : Infinite;
    fitLine(data, errors, choice, segment);
    result.segments.push_back(segment);
  }
  return result;
}

std::vector<bool> outliers(std::span<const Datum> data) {
  std::vector<double> off(data.size(), 0);
  std::vector<bool> result(data.size(), false);
  if (data.size() < 8)
    return result;
  auto at = [&](size_t i) { return std::log(data[i].seconds); };
  auto place = [&](size_t i) { return std::log(data[i].bytes + 64); };
  // What the neighbours i and j let one expect at k, in logarithms.
  auto expected = [&](size_t i, size_t j, size_t k) {
    const double slope = std::clamp((at(j) - at(i)) / (place(j) - place(i)), 0.0, 1.2);
    return at(j) + slope * (place(k) - place(j));
  };
  for (size_t k = 2; k + 2 < data.size(); ++k) {
    // A step has its like on one side at least.
    const double fromLeft = at(k) - expected(k - 2, k - 1, k);
    const double fromRight = at(k) - expected(k + 2, k + 1, k);
    if ((fromLeft > 0) == (fromRight > 0))
      off[k] = std::min(std::abs(fromLeft), std::abs(fromRight));
  }
  std::vector<double> sorted = off;
  std::ranges::sort(sorted);
  // Half of the points lie between their neighbours and have 0 here; the others tell the scatter.
  const double scatter = sorted[sorted.size() * 3 / 4];
  const double limit = std::max(std::log(1.5), 6 * scatter);
  for (size_t k = 0; k < data.size(); ++k)
    result[k] = off[k] > limit;
  return result;
}

void LogError::add(double bytes, double predicted, double measured) {
  const double error = std::abs(std::log(predicted / measured));
  mean += (error - mean) / static_cast<double>(++count);
  if (error >= worst) {
    worst = error;
    worstBytes = bytes;
  }
}

LogError logError(const Segmentation &segmentation, std::span<const Datum> data) {
  LogError error;
  for (const Datum &datum : data)
    error.add(datum.bytes, segmentation(datum.bytes), datum.seconds);
  return error;
}

} // namespace gnomon::segments
