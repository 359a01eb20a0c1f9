// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Report.h"

#include "cpu/Kernels.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gnomon::cpu {
namespace {

using Json = nlohmann::ordered_json;

/// Below this others took so much of a core that the curve is not to be trusted.
constexpr double LeastCpuShare = 0.9;

Json pointJson(const Point &point) {
  return {{"busy", point.busy},
          {"rate_per_second", point.rate},
          {"slowness", point.slowness},
          {"spread", point.spread},
          {"cpu_share", point.cpuShare}};
}

Json curveJson(const Curve &curve) {
  Json points = Json::array();
  for (const Point &point : curve.points)
    points.push_back(pointJson(point));
  return {{"name", Kernels[curve.kernel].name},
          {"unit", Kernels[curve.kernel].unit},
          {"working_set_bytes", curve.workingSetBytes},
          {"points", points}};
}

double leastCpuShare(const Findings &findings) {
  double least = 1;
  for (const Curve &curve : findings.curves)
    for (const Point &point : curve.points)
      least = std::min(least, point.cpuShare);
  return least;
}

} // namespace

std::string renderText(const Findings &findings) {
  std::string text = fmt::format(
      "processor   {}, {} core{}\nspeed       {:.4g} Gf: gnomon run --host-speed={:.4g}Gf\n"
      "slowness of each copy when so many are busy\n  busy",
      findings.processors.model, findings.processors.cores,
      findings.processors.cores == 1 ? "" : "s", findings.speedFlops / 1e9,
      findings.speedFlops / 1e9);
  for (const Curve &curve : findings.curves)
    text += fmt::format("  {:>8}", Kernels[curve.kernel].name);
  text += '\n';
  for (size_t i = 0; i < findings.curves[0].points.size(); ++i) {
    text += fmt::format("  {:>4}", findings.curves[0].points[i].busy);
    for (const Curve &curve : findings.curves)
      text += fmt::format("  {:>8.3f}", curve.points[i].slowness);
    text += '\n';
  }
  if (const double share = leastCpuShare(findings); share < LeastCpuShare)
    text += fmt::format("a copy had its core for {:.0f} % of the time only: measure again when "
                        "nothing else runs\n",
                        100 * share);
  return text;
}

std::string renderJson(const Findings &findings) {
  Json curves = Json::array();
  for (const Curve &curve : findings.curves)
    curves.push_back(curveJson(curve));
  const Json json = {{"version", 1},
                     {"processor", findings.processors.model},
                     {"cores", findings.processors.cores},
                     {"processors", findings.processors.numbers},
                     {"l2_bytes", findings.processors.l2Bytes},
                     {"l3_bytes", findings.processors.l3Bytes},
                     {"speed_flops", findings.speedFlops},
                     {"sample_seconds", findings.plan.sampleSeconds},
                     {"repetitions", findings.plan.repetitions},
                     {"kernels", curves}};
  return json.dump(2) + '\n';
}

} // namespace gnomon::cpu
