// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draw/Quantities.h"

#include <cmath>
#include <fmt/format.h>
#include <span>

namespace gnomon::draw {
namespace {

struct Prefix {
  double factor;
  const char *name;
};

/// \p value with the greatest of \p prefixes (falling) that leaves at least 1.
std::string scaled(double value, std::span<const Prefix> prefixes, const char *unit) {
  const Prefix *chosen = &prefixes.back();
  for (const Prefix &prefix : prefixes)
    if (value >= prefix.factor * 0.99995) { // what is rounded up to 1
      chosen = &prefix;
      break;
    }
  return fmt::format("{:.4g} {}{}", value / chosen->factor, chosen->name, unit);
}

constexpr Prefix Large[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},
                            {1e6, "M"},  {1e3, "k"},  {1, ""}};
constexpr Prefix Small[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};

} // namespace

std::string formatBandwidth(double bytesPerSecond) {
  return scaled(bytesPerSecond * 8, Large, "bit/s");
}
std::string formatBytesRate(double bytesPerSecond) { return scaled(bytesPerSecond, Large, "B/s"); }
std::string formatSeconds(double seconds) {
  return seconds == 0 ? "0 s" : scaled(seconds, Small, "s");
}
std::string formatFlops(double flopsPerSecond) { return scaled(flopsPerSecond, Large, "flop/s"); }

std::string formatCount(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

std::string withoutPlace(const std::string &what, const std::string &file, int line) {
  const std::string place = line > 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
  return what.starts_with(place) ? what.substr(place.size()) : what;
}

} // namespace gnomon::draw
