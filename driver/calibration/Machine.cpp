// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/Machine.h"

#include "calibration/Prediction.h"
#include "draw/Quantities.h"
#include "measurements/Lines.h"
#include "support/Number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace gnomon::calibration {
namespace {

constexpr double Envelope = 16;           ///< of SMPI's messages (models/Parameters.h)
constexpr double AcknowledgedPart = 0.05; ///< of SMPI's flows, on each link of the way back

/// Six digits, which no measurement has.
std::string rounded(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  return formatNumber(parseNumber(text));
}

/// What the values of the table are made from: the figures, and the links as they are written.
struct Basis {
  const Figures &figures;
  const PortsFigures &ports;
  double latency, bandwidth; ///< of a link
};

/// A factor or cost for each segment, "threshold:…;threshold:…".
template <typename Value>
std::string sections(const Segmentation &pieces, double addedBytes, Value value) {
  std::string text;
  for (const Segment &segment : pieces.segments) {
    const double threshold = segment.fromBytes == 0 ? 0 : segment.fromBytes + addedBytes;
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", rounded(threshold), value(segment));
  }
  return text;
}

double bandwidthFactor(const Basis &basis, const Segment &segment) {
  if (!segment.isLevel)
    return 1 / (segment.line.perByteSeconds * basis.bandwidth);
  const double greatest = basis.figures.pingPong.data[segment.last].bytes + Envelope;
  return std::max(greatest * 1e4 / (segment.line.startupSeconds * basis.bandwidth), 1.0);
}

std::optional<std::string> bandwidthFactors(const Basis &basis) {
  return sections(basis.figures.network, Envelope,
                  [&](const Segment &segment) { return rounded(bandwidthFactor(basis, segment)); });
}

std::optional<std::string> latencyFactors(const Basis &basis) {
  if (!(basis.latency > 0))
    return std::nullopt;
  return sections(basis.figures.network, Envelope, [&](const Segment &segment) {
    const double envelope = Envelope / (bandwidthFactor(basis, segment) * basis.bandwidth);
    const double factor = (segment.line.startupSeconds - envelope) / (2 * basis.latency);
    return rounded(std::max(factor, 0.0));
  });
}

std::string costsOf(const Segmentation &pieces) {
  return sections(pieces, 0, [](const Segment &segment) {
    return fmt::format("{}s:{}s", rounded(segment.line.startupSeconds),
                       rounded(segment.line.perByteSeconds));
  });
}

std::optional<std::string> costSections(const std::optional<Fit> &cost) {
  if (!cost || !isClear(*cost))
    return std::nullopt;
  return costsOf(cost->pieces);
}

std::optional<std::string> below(const std::optional<uint64_t> &bytes) {
  return bytes ? std::optional(fmt::format("{}B", *bytes + 1)) : std::nullopt;
}

std::optional<std::string> withUnit(const std::optional<double> &value, const char *unit) {
  return value ? std::optional(rounded(*value) + unit) : std::nullopt;
}

constexpr unsigned OfSmpi = 1, OfPorts = 2, OfAll = OfSmpi | OfPorts;

struct Row {
  const char *key;
  unsigned models;
  std::optional<std::string> (*value)(const Basis &); ///< nothing: the model's own value stays
  const char *why;
};

constexpr Row Rows[] = {
    {"smpi/lat-factor", OfSmpi, latencyFactors, "startup of each segment of the ping-pong"},
    {"smpi/bw-factor", OfSmpi, bandwidthFactors, "bandwidth of each segment of the ping-pong"},
    {"network/TCP-gamma", OfSmpi, [](const Basis &) { return std::optional<std::string>("0"); },
     "windows are in the factors"},
    {"smpi/os", OfAll, [](const Basis &b) { return costSections(b.figures.sendCost); },
     "CPU time of a blocking send"},
    {"smpi/ois", OfAll, [](const Basis &b) { return costSections(b.figures.nonblockingSendCost); },
     "CPU time of a nonblocking send"},
    {"smpi/or", OfAll, [](const Basis &b) { return costSections(b.figures.receiveCost); },
     "CPU time of a receive"},
    {"smpi/async-small-thresh", OfPorts, [](const Basis &b) { return below(b.figures.eagerBytes); },
     "smaller messages move before their receive is posted"},
    {"smpi/async-small-thresh", OfSmpi,
     [](const Basis &b) { return below(b.figures.movedAheadBytes); },
     "smaller messages move before their receive is posted"},
    {"smpi/send-is-detached-thresh", OfAll,
     [](const Basis &b) { return below(b.figures.eagerBytes); },
     "smaller messages need no receiver to be sent"},
    {"ports/jitter", OfPorts, [](const Basis &b) { return withUnit(b.ports.jitterSeconds, "s"); },
     "mean time until software notices a message"},
    {"ports/burst", OfPorts, [](const Basis &b) { return withUnit(b.ports.burstBytes, "B"); },
     "bytes that an idle port lets go at once"},
    {"ports/socket", OfPorts, [](const Basis &b) { return withUnit(b.ports.socketBytes, "B"); },
     "bytes of a long message that its sender does not wait for"},
    {"ports/timeout", OfPorts, [](const Basis &b) { return withUnit(b.ports.timeoutSeconds, "s"); },
     "full queues lose frames, which are sent again so much later"},
    {"ports/node", OfPorts,
     [](const Basis &b) {
       return b.ports.node ? std::optional(costsOf(*b.ports.node)) : std::nullopt;
     },
     "time of a message within a host"},
};

unsigned bitOf(Model model) { return model == Model::Smpi ? OfSmpi : OfPorts; }

/// What all flows of a port may have together. SMPI's flows in both directions slow each other
/// down by their acknowledgements; a limiter is for what that does not explain.
std::string limiterOf(const Basis &basis, Model model) {
  if (model != Model::Smpi || !basis.figures.duplexSlowness)
    return "";
  const Segment &last = basis.figures.network.segments.back();
  const double alone = 1 / (bandwidthFactor(basis, last) * basis.bandwidth);
  const double slowness = basis.figures.duplexPerByteSeconds / alone;
  // Ranks that do not start at one instant lose some percent without any limiter.
  if (slowness < (1 + AcknowledgedPart) * 1.1)
    return "";
  return rounded(2 * (1 + AcknowledgedPart) * basis.bandwidth / slowness) + "Bps";
}

uint64_t measuredHosts(const measurements::Measurements &measured) {
  std::set<std::string_view> names;
  const std::string hosts = measured.fact("hosts");
  for (std::string_view name : measurements::wordsOf(hosts))
    names.insert(name);
  uint64_t most = std::max<uint64_t>(names.size(), 2);
  for (const measurements::Series &series : measured.series)
    if (series.key.place == measurements::Place::Inter)
      most = std::max<uint64_t>(most, series.key.ranks);
  return most;
}

/// Latency and bandwidth of the loopback, in relative least squares over times
///     t - os - or = latency x + y / bandwidth
/// with x and y as the model weighs them; both at least 0.
void fitLoopback(Machine &machine, Figures &figures) {
  const Prediction prediction(machine);
  double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
  for (const Datum &datum : figures.local->data) {
    const auto [x, y, ends] = prediction.weights(datum.bytes);
    const double t = datum.seconds - ends;
    if (!(t > datum.seconds / 20))
      continue;
    const double w = 1 / (datum.seconds * datum.seconds);
    xx += w * x * x;
    xy += w * x * y;
    yy += w * y * y;
    xt += w * x * t;
    yt += w * y * t;
  }
  const double determinant = xx * yy - xy * xy;
  double latency = determinant > 0 ? (xt * yy - yt * xy) / determinant : -1;
  double perByte = determinant > 0 ? (yt * xx - xt * xy) / determinant : -1;
  if (latency < 0) {
    latency = 0;
    perByte = yy > 0 ? yt / yy : 0;
  }
  if (!(perByte > 0)) {
    figures.remarks.emplace_back(
        "within a host messages take no longer than os and or, or no longer when they are larger: "
        "they are timed by the model's own loopback");
    return;
  }
  machine.loopbackLatency = rounded(latency) + "s";
  machine.loopbackBandwidth = rounded(1 / perByte) + "Bps";
}

/// Fit for a comment of XML, which may not hold "--", nor bytes that are no characters.
std::string commentText(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '-' && result.ends_with('-'))
      result += ' ';
    result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result;
}

std::string attribute(const char *name, const std::string &value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, value);
}

} // namespace

std::string_view nameOf(Model model) { return model == Model::Smpi ? "smpi" : "ports"; }

double addedBytesOf(Model model) { return model == Model::Smpi ? Envelope : 0; }

std::string Machine::setting(std::string_view key) const {
  const auto found = std::ranges::find(settings, key, &Setting::key);
  return found == settings.end() ? "" : found->value;
}

double Machine::numberOf(const std::string &attribute) {
  const size_t end = attribute.find_last_of("0123456789");
  return attribute.empty() ? 0 : parseNumber(std::string_view(attribute).substr(0, end + 1));
}

Model naturalModel(const measurements::Measurements &measured) {
  constexpr double LeastOfTcp = 10e-6;
  const measurements::Series *pingPong =
      measured.find(measurements::Experiment::PingPong, measurements::Place::Inter);
  return pingPong && !pingPong->points.empty() && pingPong->points.front().median >= LeastOfTcp
             ? Model::Ports
             : Model::Smpi;
}

Machine machineOf(Figures &figures, const measurements::Measurements &measured,
                  const Wishes &wishes, Model model) {
  Machine machine;
  machine.model = model;
  machine.hosts = wishes.hosts == 0 ? measuredHosts(measured) : wishes.hosts;
  machine.cores = wishes.cores;
  machine.speed = wishes.speed;
  const bool isPorts = model == Model::Ports;
  const PortsFigures ports = isPorts ? portsFiguresOf(figures, measured) : PortsFigures{};
  machine.bandwidth = rounded(isPorts ? ports.wireRate : figures.bandwidth) + "Bps";
  machine.latency = rounded(isPorts ? ports.latencySeconds / 2 : figures.latencySeconds) + "s";
  const Basis basis{figures, ports, Machine::numberOf(machine.latency),
                    Machine::numberOf(machine.bandwidth)};
  machine.limiter = limiterOf(basis, model);
  if (isPorts)
    machine.settings.push_back(
        {"network/model", std::string(nameOf(model)), "unless the command line names another"});
  for (const Row &row : Rows)
    if ((row.models & bitOf(model)) != 0)
      if (auto value = row.value(basis))
        machine.settings.push_back({row.key, *value, row.why});
  if (!wishes.slowness.empty())
    machine.settings.push_back({"cpu/slowness", wishes.slowness, "busy cores share memory"});
  if (figures.local && !isPorts)
    fitLoopback(machine, figures);
  return machine;
}

std::string machineXml(const Machine &machine, const Figures &figures,
                       const measurements::Measurements &measured) {
  std::string text = "<?xml version='1.0'?>\n"
                     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                     "<!-- Written by gnomon calibrate fit";
  text += commentText(fmt::format(" from {}.", fmt::join(measured.files, ", "))) + "\n";
  for (const char *key : {"mpi", "cpu", "date", "arguments"})
    if (const std::string fact = measured.fact(key); !fact.empty())
      text += commentText(fmt::format("     {}: {}", key, fact)) + "\n";
  text += "     Half a round trip between hosts takes (b: bytes)\n";
  for (const Segment &segment : figures.pingPong.pieces.segments)
    text +=
        fmt::format("       above {} bytes: {}\n", rounded(segment.fromBytes), lineText(segment));
  text += "-->\n<platform version=\"4.1\">\n";
  if (!machine.settings.empty())
    text += "  <config id=\"calibration\">\n";
  for (const Setting &setting : machine.settings)
    text += fmt::format("    <prop id=\"{}\" value=\"{}\"/> <!-- {} -->\n", setting.key,
                        setting.value, setting.why);
  if (!machine.settings.empty())
    text += "  </config>\n";
  text += fmt::format(
      "  <cluster id=\"machine\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"{}\" "
      "core=\"{}\"\n           bw=\"{}\" lat=\"{}\"{}{}{} sharing_policy=\"SPLITDUPLEX\"/>\n",
      machine.hosts - 1, machine.speed, machine.cores, machine.bandwidth, machine.latency,
      attribute("limiter_link", machine.limiter),
      attribute("loopback_bw", machine.loopbackBandwidth),
      attribute("loopback_lat", machine.loopbackLatency));
  return text + "</platform>\n";
}

} // namespace gnomon::calibration
