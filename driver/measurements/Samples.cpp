// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measurements/Samples.h"

#include "measurements/Lines.h"
#include "support/Number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace gnomon::measurements {
namespace {

constexpr std::string_view Names[ExperimentCount] = {
    "pingpong",    "stream", "stream-arrival", "bidirectional-stream",
    "exchange",    "incast", "outcast",        "eager-probe",
    "eager-delay", "os",     "os-arrival",     "ois",
    "or"};

/// Of the normal distribution: 95 % lie within so many standard errors.
constexpr double Quantile = 1.96;

/// The 95 % interval of a median by order statistics: the number of samples below the median is
/// binomial, which is near normal (Conover, Practical Nonparametric Statistics, section 3.2).
std::pair<double, double> medianInterval(const std::vector<double> &sorted) {
  const auto count = static_cast<double>(sorted.size());
  if (sorted.size() < 6)
    return {sorted.front(), sorted.back()};
  const double half = Quantile * std::sqrt(count) / 2;
  const double low = std::max(std::floor(count / 2 - half) - 1, 0.0);
  const double high = std::min(std::ceil(count / 2 + half), count - 1);
  return {sorted[static_cast<size_t>(low)], sorted[static_cast<size_t>(high)]};
}

} // namespace

std::string_view nameOf(Experiment experiment) { return Names[static_cast<size_t>(experiment)]; }

bool experimentNamed(std::string_view name, Experiment &experiment) {
  const auto *found = std::ranges::find(Names, name);
  if (found == std::end(Names))
    return false;
  experiment = static_cast<Experiment>(found - std::begin(Names));
  return true;
}

std::string_view nameOf(Place place) { return place == Place::Inter ? "inter" : "intra"; }

Point makePoint(uint64_t bytes, std::vector<double> seconds, double messages) {
  std::ranges::sort(seconds);
  const size_t count = seconds.size();
  Point point{bytes, std::move(seconds), 0, 0, 0, messages};
  point.median = (point.seconds[(count - 1) / 2] + point.seconds[count / 2]) / 2;
  std::tie(point.low, point.high) = medianInterval(point.seconds);
  return point;
}

double Point::relativeError() const {
  return seconds.size() < 5 || median <= 0 ? 0 : (high - low) / (2 * Quantile * median);
}

std::string Series::name() const {
  return fmt::format("{}, {} ranks, {}", nameOf(key.experiment), key.ranks, nameOf(key.place));
}

const Series *Measurements::find(Experiment experiment, Place place) const {
  for (const Series &candidate : series)
    if (candidate.key.experiment == experiment && candidate.key.place == place)
      return &candidate;
  return nullptr;
}

std::string Measurements::fact(const std::string &key) const {
  const auto found = facts.find(key);
  return found == facts.end() ? "" : found->second;
}

double Measurements::number(const std::string &key, double without) const {
  try {
    return parseNumber(fact(key));
  } catch (const NumberError &) {
    return without;
  }
}

double Measurements::timerCostSeconds() const {
  double sum = 0;
  int count = 0;
  const std::string costs = fact("timer-cost"); // the words are parts of it
  for (std::string_view word : wordsOf(costs)) {
    try {
      sum += parseNumber(word);
      ++count;
    } catch (const NumberError &) {
      // a remark of the program's
    }
  }
  return count == 0 ? 0 : sum / count;
}

void Collector::add(const Sample &sample, const std::string &file) {
  Gathered &gathered = series_[sample.key];
  if (gathered.file.empty())
    gathered.file = file;
  Size &size = gathered.sizes[sample.bytes];
  const uint64_t before = size.seen[{sample.repetition, sample.rank}]++;
  double &slowest = size.seconds[{sample.repetition, before}];
  slowest = std::max(slowest, sample.seconds / static_cast<double>(sample.count));
  size.count += static_cast<double>(sample.count);
  ++size.samples;
  ++samples_;
}

Measurements Collector::finish(std::vector<std::string> files) const {
  Measurements measurements{{}, facts_, std::move(files), notes_};
  for (const auto &[key, gathered] : series_) {
    Series series{key, {}, gathered.file};
    for (const auto &[bytes, size] : gathered.sizes) {
      std::vector<double> seconds;
      for (const auto &[execution, value] : size.seconds)
        seconds.push_back(value);
      series.points.push_back(makePoint(bytes, std::move(seconds), size.count / size.samples));
    }
    measurements.series.push_back(std::move(series));
  }
  return measurements;
}

} // namespace gnomon::measurements
