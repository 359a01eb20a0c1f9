// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/AffineFit.h"

#include "platform/FileText.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gnomon::models {

namespace {

/// The best line whose alpha beta is \p halfBytes.
AffineLine bestWith(double halfBytes, std::span<const TimedSize> points) {
  std::vector<double> perByte;
  for (const TimedSize &point : points)
    perByte.push_back(point.seconds / (halfBytes + point.bytes));
  auto middle = perByte.begin() + static_cast<ptrdiff_t>(perByte.size() / 2);
  std::ranges::nth_element(perByte, middle);
  return {halfBytes * *middle, 1 / *middle};
}

TimedSize parsePoint(const std::string &line) {
  std::istringstream words(line);
  std::string bytes, seconds, more;
  words >> bytes >> seconds;
  if (seconds.empty() || words >> more)
    throw NumberError("expected BYTES SECONDS, found '" + line + "'");
  const TimedSize point{parseQuantity(bytes, Unit::Bytes).value,
                        parseQuantity(seconds, Unit::Seconds).value};
  if (point.seconds <= 0)
    throw NumberError("a time must be above zero, found '" + seconds + "'");
  return point;
}

} // namespace

double meanLogError(const AffineLine &line, std::span<const TimedSize> points) {
  double sum = 0;
  for (const TimedSize &point : points)
    sum += std::abs(std::log(line.seconds(point.bytes) / point.seconds));
  return sum / static_cast<double>(points.size());
}

AffineLine fitAffine(std::span<const TimedSize> points) {
  // A coarse search over all machines, then finer ones around what was best.
  double low = std::log(1e-3), high = std::log(1e12);
  constexpr int stepsEach = 256, rounds = 6;
  AffineLine best = bestWith(1, points);
  double bestError = meanLogError(best, points), bestAt = 0;
  for (int round = 0; round < rounds; ++round) {
    const double width = (high - low) / stepsEach;
    for (int i = 0; i <= stepsEach; ++i) {
      const double at = low + width * i;
      const AffineLine line = bestWith(std::exp(at), points);
      const double error = meanLogError(line, points);
      if (error < bestError) {
        best = line;
        bestError = error;
        bestAt = at;
      }
    }
    low = bestAt - 2 * width;
    high = bestAt + 2 * width;
  }
  return best;
}

std::vector<TimedSize> readTimedSizes(const std::string &file) {
  std::istringstream lines(platform::readText(file));
  std::vector<TimedSize> points;
  std::string text;
  for (int line = 1; std::getline(lines, text); ++line) {
    text.resize(std::min(text.find('#'), text.size()));
    if (text.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    try {
      points.push_back(parsePoint(text));
    } catch (const NumberError &error) {
      throw InputError(file, line, error.what());
    }
  }
  auto same = [&](const TimedSize &point) { return point.bytes == points.front().bytes; };
  if (std::ranges::all_of(points, same))
    throw InputError(file, 0, "a line needs times of two different sizes at least");
  return points;
}

} // namespace gnomon::models
