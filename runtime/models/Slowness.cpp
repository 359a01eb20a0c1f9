// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/Slowness.h"

#include "support/Number.h"

#include <algorithm>
#include <string>

namespace gnomon::models {

Slowness Slowness::parse(std::string_view text) {
  Slowness slowness;
  Point before{1, 1};
  do {
    const size_t end = std::min(text.find(';'), text.size());
    if (end + 1 == text.size())
      throw NumberError("an empty section at the end");
    const std::string_view part = text.substr(0, end);
    const size_t colon = part.find(':');
    if (colon == std::string_view::npos)
      throw NumberError("expected CORES:FACTOR, as in 2:1.2;4:2.4, found '" + std::string(part) +
                        "'");
    const Point point{parseNumber(part.substr(0, colon)), parseNumber(part.substr(colon + 1))};
    if (point.cores <= before.cores || point.factor < 1)
      throw NumberError("cores rise from 2 on and factors are 1 or more, as in 2:1.2;4:2.4: '" +
                        std::string(part) + "' does not");
    slowness.points_.push_back(point);
    before = point;
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return slowness;
}

double Slowness::operator()(size_t busyCores, double share) const {
  const auto cores = static_cast<double>(busyCores);
  Point before{1, 1};
  for (const Point &point : points_) {
    if (cores < point.cores) {
      const double part = std::max(cores - before.cores, 0.0) / (point.cores - before.cores);
      before.factor += part * (point.factor - before.factor);
      break;
    }
    before = point;
  }
  return 1 + share * (before.factor - 1);
}

} // namespace gnomon::models
