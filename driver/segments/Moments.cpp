// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "segments/Moments.h"

#include <algorithm>
#include <cmath>

namespace gnomon::segments {

void Moments::add(double bytes, double seconds, double w) {
  weight += w;
  const double fromBytes = bytes - meanBytes, fromSeconds = seconds - meanSeconds;
  meanBytes += w / weight * fromBytes;
  meanSeconds += w / weight * fromSeconds;
  bytesBytes += w * fromBytes * (bytes - meanBytes);
  bytesSeconds += w * fromBytes * (seconds - meanSeconds);
  secondsSeconds += w * fromSeconds * (seconds - meanSeconds);
}

StraightLine Moments::freeLine() const {
  const double slope = bytesBytes > 0 ? bytesSeconds / bytesBytes : 0;
  return {meanSeconds - slope * meanBytes, slope};
}

StraightLine Moments::line(double addedBytes) const {
  const StraightLine free = freeLine();
  if (free.perByteSeconds < 0)
    return {meanSeconds, 0};
  if (free.startupSeconds >= addedBytes * free.perByteSeconds)
    return free;
  // On the border t = p (b + c): one unknown, p.
  const double bytes = meanBytes + addedBytes;
  const double slope =
      (bytesSeconds + weight * bytes * meanSeconds) / (bytesBytes + weight * bytes * bytes);
  return {addedBytes * slope, slope};
}

double Moments::residual(const StraightLine &line) const {
  const double p = line.perByteSeconds, offset = line(meanBytes) - meanSeconds;
  const double around = secondsSeconds - 2 * p * bytesSeconds + p * p * bytesBytes;
  return std::max(around, 0.0) + weight * offset * offset;
}

double Moments::correlation() const {
  const double product = bytesBytes * secondsSeconds;
  return product > 0 ? bytesSeconds / std::sqrt(product) : 0;
}

} // namespace gnomon::segments
