// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Reader.h"

#include "support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gnomon::cpu {
namespace {

using Json = nlohmann::json;

/// Below this a slowness is scatter.
constexpr double LeastSlowness = 1.02;
constexpr uint64_t MostCores = 1'000'000;
constexpr std::string_view MemoryKernel = "memory";

class Reader {
public:
  Reader(const std::string &text, const std::string &file)
      : file_(file), json_(Json::parse(text, nullptr, false)) {
    if (!json_.is_object() || !json_.contains("kernels"))
      fail("it is not what 'gnomon calibrate cpu -o FILE' writes");
  }

  HostFigures read() const {
    if (number(json_, "version") != 1)
      fail("its version is not 1: measure again with this version of gnomon");
    HostFigures figures;
    figures.speedFlops = number(json_, "speed_flops");
    figures.cores = static_cast<uint64_t>(atMost(number(json_, "cores"), MostCores));
    if (!(figures.speedFlops > 0) || figures.cores == 0)
      fail("speed and cores must be above zero");
    for (const Json &kernel : list(json_, "kernels"))
      if (kernel.is_object() && kernel.value("name", Json()) == MemoryKernel)
        figures.slowness = slownessOf(list(kernel, "points"));
    return figures;
  }

private:
  [[noreturn]] void fail(const std::string &why) const { throw InputError(file_, 0, why); }

  double number(const Json &object, const char *key) const {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number())
      fail(fmt::format("the number \"{}\" is missing", key));
    return object[key].get<double>();
  }
  const Json &list(const Json &object, const char *key) const {
    if (!object.contains(key) || !object[key].is_array())
      fail(fmt::format("the list \"{}\" is missing", key));
    return object[key];
  }
  double atMost(double value, uint64_t most) const {
    if (!(value >= 0 && value <= static_cast<double>(most)))
      fail(fmt::format("{} is not a number from 0 to {}", value, most));
    return value;
  }

  /// Busy cores rise and more of them are never faster: what says otherwise is scatter.
  std::string slownessOf(const Json &points) const {
    std::string text;
    uint64_t before = 1;
    double slowest = 1;
    for (const Json &point : points) {
      const auto busy = static_cast<uint64_t>(atMost(number(point, "busy"), MostCores));
      const double slowness = number(point, "slowness");
      if (!std::isfinite(slowness) || slowness <= 0)
        fail(fmt::format("a slowness of {} is none", slowness));
      if (busy <= before)
        continue;
      before = busy;
      slowest = std::max(slowest, slowness);
      text += fmt::format("{}{}:{:.4g}", text.empty() ? "" : ";", busy, slowest);
    }
    return slowest < LeastSlowness ? "" : text;
  }

  const std::string &file_;
  Json json_;
};

} // namespace

HostFigures hostFiguresOf(const std::string &text, const std::string &file) {
  return Reader(text, file).read();
}

} // namespace gnomon::cpu
