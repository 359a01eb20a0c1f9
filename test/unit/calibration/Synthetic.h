// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Measurements of machines that are known: times of a piece-wise line, with noise, as data and as
/// the text that `gnomon calibrate measure` writes.
#pragma once

#include "calibration/Figures.h"
#include "measurements/Samples.h"
#include "segments/Segments.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace gnomon::calibration {

using segments::logError, segments::MostSizes, segments::outliers, segments::segment;
using segments::StraightLine;

struct Piece {
  double upToBytes, startup, bandwidth;
};
using Truth = std::vector<Piece>;

inline double timeOf(const Truth &truth, double bytes) {
  for (const Piece &piece : truth)
    if (bytes <= piece.upToBytes)
      return piece.startup + bytes / piece.bandwidth;
  return 0;
}

inline constexpr double NoEnd = std::numeric_limits<double>::infinity();
inline const Truth One{{NoEnd, 20e-6, 1e9}};
inline const Truth Two{{12000, 10e-6, 0.5e9}, {NoEnd, 60e-6, 1.2e9}};
inline const Truth Four{
    {1000, 5e-6, 0.3e9}, {12000, 10e-6, 0.5e9}, {65536, 30e-6, 0.9e9}, {NoEnd, 150e-6, 1.2e9}};

/// Random numbers that are the same everywhere.
class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform() { return (engine_() + 0.5) / 4294967296.0; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  std::mt19937 engine_;
};

struct Plan {
  int sizes = 96, samples = 40;
  double mostBytes = 4e6, noise = 0;
  unsigned seed = 1;
  double gapFrom = 0, gapTo = 0; ///< sizes that are not measured
};

/// The samples of each size: sizes log-uniform, one from each of equal parts of the range.
inline std::vector<std::pair<uint64_t, std::vector<double>>> samplesOf(const Truth &truth,
                                                                       const Plan &plan) {
  Random random(plan.seed);
  std::vector<std::pair<uint64_t, std::vector<double>>> all;
  for (int part = 0; part < plan.sizes; ++part) {
    const double bytes =
        std::floor(std::pow(plan.mostBytes, (part + random.uniform()) / plan.sizes));
    std::vector<double> seconds;
    for (int sample = 0; sample < plan.samples; ++sample)
      seconds.push_back(timeOf(truth, bytes) * std::max(1 + plan.noise * random.normal(), 0.1));
    const bool inGap = bytes > plan.gapFrom && bytes < plan.gapTo;
    if (!inGap && (all.empty() || bytes > static_cast<double>(all.back().first)))
      all.emplace_back(static_cast<uint64_t>(bytes), std::move(seconds));
  }
  return all;
}

inline std::vector<Datum> dataOf(const Truth &truth, const Plan &plan) {
  std::vector<Datum> data;
  for (const auto &[bytes, seconds] : samplesOf(truth, plan)) {
    const measurements::Point point = measurements::makePoint(bytes, seconds);
    data.push_back({static_cast<double>(bytes), point.median, point.relativeError()});
  }
  return data;
}

inline const std::string RawHead = "# gnomon-calibration: 1\n"
                                   "experiment,ranks,node,bytes,repetition,count,seconds,rank\n";
inline const std::string RawEnd = "# complete: all\n";

/// Lines of an experiment; each sample is a block of \p count messages.
inline std::string rawLines(const std::string &experiment, const Truth &truth, const Plan &plan,
                            int ranks = 2, const std::string &node = "inter", int count = 2) {
  std::string text;
  for (const auto &[bytes, seconds] : samplesOf(truth, plan))
    for (size_t repetition = 0; repetition < seconds.size(); ++repetition)
      text += fmt::format("{},{},{},{},{},{},{},0\n", experiment, ranks, node, bytes, repetition,
                          count, seconds[repetition] * count);
  return text;
}

} // namespace gnomon::calibration
