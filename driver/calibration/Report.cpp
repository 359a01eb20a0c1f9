// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/Report.h"

#include "draw/Quantities.h"
#include "support/Number.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gnomon::calibration {
namespace {

using Json = nlohmann::ordered_json;

/// The curves of a result, with what each is.
std::vector<const Fit *> fitsOf(const Figures &figures) {
  std::vector<const Fit *> fits{&figures.pingPong};
  for (const auto *fit : {&figures.stream, &figures.sendCost, &figures.nonblockingSendCost,
                          &figures.receiveCost, &figures.local})
    if (*fit)
      fits.push_back(&**fit);
  return fits;
}

std::string nameOf(const measurements::SeriesKey &key) {
  return measurements::Series{key, {}, ""}.name();
}

std::string errorText(const LogError &error) {
  return fmt::format("mean error {}, worst {} at {} bytes", percentText(error.mean),
                     percentText(error.worst), formatNumber(error.worstBytes));
}

/// "3 segments, above 0, 1433 and 4096 bytes".
std::string shapeText(const Segmentation &pieces) {
  std::vector<std::string> breakpoints;
  for (size_t at = 1; at < pieces.segments.size(); ++at)
    breakpoints.push_back(formatNumber(pieces.segments[at].fromBytes));
  if (breakpoints.empty())
    return "1 segment";
  return fmt::format("{} segments, breakpoints at {} bytes", pieces.segments.size(),
                     fmt::join(breakpoints, ", "));
}

std::string fitText(const Fit &fit, Method method) {
  std::string text = fmt::format(
      "\n{}: {}, {} sizes, {} samples{}\n", nameOf(fit.key), fit.file, fit.data.size(), fit.samples,
      fit.left.empty() ? "" : fmt::format(", {} sizes left out", fit.left.size()));
  text += fmt::format("  {:>12}  {:>12}  {:30}  {:>5}\n", "bytes above", "up to",
                      "startup + bytes / bandwidth", "sizes");
  for (const Segment &segment : fit.pieces.segments)
    text += fmt::format("  {:>12}  {:>12}  {:30}  {:>5}\n", formatNumber(segment.fromBytes),
                        std::isinf(segment.toBytes) ? "" : formatNumber(segment.toBytes),
                        lineText(segment), segment.last - segment.first + 1);
  text += fmt::format("  {}\n", errorText(fit.error));
  return text +
         fmt::format("  (method {}: {}; {})\n",
                     calibration::nameOf(method == Method::Bic ? Method::Correlation : Method::Bic),
                     shapeText(fit.otherPieces), errorText(fit.otherError));
}

std::string reproducedText(const Result &result) {
  std::string text = fmt::format("\nhow the machine reproduces what was measured (model {}, closed "
                                 "forms)\n  {:40}  {:>5}  {:>10}  worst\n",
                                 nameOf(result.machine.model), "experiment", "sizes", "mean error");
  for (const Reproduced &series : result.reproduced)
    text += fmt::format("  {:40}  {:>5}  {:>10}  {} at {} bytes\n", series.name,
                        series.points.size(), percentText(series.error.mean),
                        percentText(series.error.worst), formatNumber(series.error.worstBytes));
  return text;
}

template <typename T> Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json(nullptr);
}

Json numberOrNull(const std::string &attribute) {
  return attribute.empty() ? Json(nullptr) : Json(Machine::numberOf(attribute));
}

/// As a part of what was measured, as percentText.
double part(double logError) { return std::expm1(logError); }

Json segmentJson(const Segment &segment) {
  Json json;
  json["above_bytes"] = segment.fromBytes;
  json["up_to_bytes"] = std::isinf(segment.toBytes) ? Json(nullptr) : Json(segment.toBytes);
  json["sizes"] = segment.last - segment.first + 1;
  json["startup"] = segment.line.startupSeconds;
  json["startup_error"] = segment.startupError;
  json["seconds_per_byte"] = segment.line.perByteSeconds;
  json["seconds_per_byte_error"] = segment.perByteError;
  json["bandwidth"] = segment.isLevel ? Json(nullptr) : Json(1 / segment.line.perByteSeconds);
  return json;
}

void addError(Json &json, const LogError &error) {
  json["mean_error"] = part(error.mean);
  json["worst_error"] = part(error.worst);
  json["worst_bytes"] = error.worstBytes;
}

void addKey(Json &json, const measurements::SeriesKey &key) {
  json["experiment"] = nameOf(key.experiment);
  json["ranks"] = key.ranks;
  json["node"] = nameOf(key.place);
}

Json fitJson(const Fit &fit) {
  Json json;
  addKey(json, fit.key);
  json["file"] = fit.file;
  json["sizes"] = fit.data.size();
  json["samples"] = fit.samples;
  json["left_out"] = Json::array();
  for (const Datum &datum : fit.left)
    json["left_out"].push_back({{"bytes", datum.bytes}, {"seconds", datum.seconds}});
  json["segments"] = Json::array();
  for (const Segment &segment : fit.pieces.segments)
    json["segments"].push_back(segmentJson(segment));
  addError(json, fit.error);
  return json;
}

Json reproducedJson(const Reproduced &series) {
  Json json;
  addKey(json, series.key);
  addError(json, series.error);
  json["points"] = Json::array();
  for (const Reproduced::At &point : series.points)
    json["points"].push_back({{"bytes", point.bytes},
                              {"measured", point.measured},
                              {"low", point.low},
                              {"high", point.high},
                              {"predicted", point.predicted}});
  return json;
}

Json machineJson(const Machine &machine) {
  Json json;
  json["hosts"] = machine.hosts;
  json["cores"] = machine.cores;
  json["bandwidth"] = Machine::numberOf(machine.bandwidth);
  json["latency"] = Machine::numberOf(machine.latency);
  json["limiter"] = numberOrNull(machine.limiter);
  json["loopback_bandwidth"] = numberOrNull(machine.loopbackBandwidth);
  json["loopback_latency"] = numberOrNull(machine.loopbackLatency);
  json["settings"] = Json::array();
  for (const Setting &setting : machine.settings)
    json["settings"].push_back({{"key", setting.key}, {"value", setting.value}});
  return json;
}

} // namespace

std::string percentText(double logError) { return fmt::format("{:.3g} %", 100 * part(logError)); }

std::string_view nameOf(Method method) { return method == Method::Bic ? "dp" : "correlation"; }

Result calibrate(measurements::Measurements measured, const Choice &choice, const Wishes &wishes) {
  const Model model = wishes.model.value_or(naturalModel(measured));
  Result result{std::move(measured), choice, {}, {}, {}};
  result.choice.addedBytes = addedBytesOf(model);
  result.figures = figuresOf(result.measured, result.choice);
  result.machine = machineOf(result.figures, result.measured, wishes, model);
  result.reproduced = reproduce(result.measured, result.machine);
  return result;
}

namespace {

/// The option that names the library which was measured, where there is a file for it
/// (platforms/mpi): its messages and its choice of collectives.
std::string libraryOption(const Result &result) {
  const std::string library = result.measured.fact("mpi");
  if (result.machine.model != Model::Ports)
    return {};
  if (library.starts_with("Open MPI v4.1"))
    return " --mpi=openmpi-4.1-tcp";
  return library.starts_with("MPICH Version: 4.0") ? " --mpi=mpich-4.0-ucx-tcp" : "";
}

} // namespace

std::string renderText(const Result &result, const std::string &output) {
  const Machine &machine = result.machine;
  const Figures &figures = result.figures;
  std::string text =
      fmt::format("{}: {} hosts, links of {} and {} (model {})\n", output, machine.hosts,
                  draw::formatBytesRate(Machine::numberOf(machine.bandwidth)),
                  draw::formatSeconds(Machine::numberOf(machine.latency)), nameOf(machine.model));
  if (figures.eagerBytes)
    text += fmt::format("MPI_Send needs no receiver up to {} bytes; messages move ahead of their "
                        "receive up to {} bytes\n",
                        *figures.eagerBytes, figures.movedAheadBytes.value_or(0));
  if (figures.duplexSlowness)
    text += fmt::format("sending and receiving at once takes {:.3g} times as long as one of them\n",
                        *figures.duplexSlowness);
  for (const Fit *fit : fitsOf(figures))
    text += fitText(*fit, result.choice.method);
  text += reproducedText(result);
  text += fmt::format("\nsimulate with: gnomon run --platform {}{} -n RANKS PROGRAM\n", output,
                      libraryOption(result));
  if (!figures.remarks.empty())
    text += "\nwhat the samples do not support\n";
  for (const std::string &remark : figures.remarks)
    text += "  - " + remark + "\n";
  return text;
}

std::string renderJson(const Result &result) {
  Json json;
  json["version"] = 1;
  json["files"] = result.measured.files;
  json["model"] = nameOf(result.machine.model);
  json["method"] = nameOf(result.choice.method);
  json["penalty"] = result.choice.penalty;
  json["machine"] = machineJson(result.machine);
  json["eager_limit"] = orNull(result.figures.eagerBytes);
  json["moved_ahead_limit"] = orNull(result.figures.movedAheadBytes);
  json["duplex_slowness"] = orNull(result.figures.duplexSlowness);
  json["fits"] = Json::array();
  for (const Fit *fit : fitsOf(result.figures))
    json["fits"].push_back(fitJson(*fit));
  json["experiments"] = Json::array();
  for (const Reproduced &series : result.reproduced)
    json["experiments"].push_back(reproducedJson(series));
  json["remarks"] = result.figures.remarks;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::calibration
