// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/RecordVolumes.h"

#include <algorithm>
#include <cmath>

namespace gnomon::api {

void settle(std::vector<process::VolumeTally::Part> &parts, double process::Volume::*column) {
  using Part = process::VolumeTally::Part;
  double lacking = 0;
  for (Part &part : parts)
    if (double &volume = part.volume.*column; volume < 0) {
      lacking -= volume;
      volume = 0;
    }
  const auto less = [&](const Part &a, const Part &b) {
    const double left = a.volume.*column, right = b.volume.*column;
    return left < right || (std::isnan(left) && !std::isnan(right));
  };
  while (lacking > 0) {
    double &largest = std::max_element(parts.begin(), parts.end(), less)->volume.*column;
    if (!(largest > 0))
      return;
    const double taken = std::min(largest, lacking);
    largest -= taken;
    lacking -= taken;
  }
}

} // namespace gnomon::api
