// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of parameters.
///
/// Defaults of the model `SMPI`: piece-wise factors of Clauss et al. 2011, section IV, as SimGrid
/// ships them; weight-S of SimGrid's SMPI model; the others as SMPI 4.1.1.
#include "models/Parameters.h"

#include "models/RunSettings.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"
#include "support/YesNo.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gnomon::models {

namespace {

constexpr std::string_view SmpiBandwidthFactor = "65472:0.940694;15424:0.697866;9376:0.58729;5776:"
                                                 "1.08739;3484:0.77493;1426:0.608902;732:0.341987;"
                                                 "257:0.338112;0:0.812084";
constexpr std::string_view SmpiLatencyFactor =
    "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;"
    "257:1.95341;0:2.01467";

Factors bandwidthFactors(std::string_view value) {
  Factors factors = Factors::parse(value, Factors::Kind::Factor);
  if (!factors.atLeast(LeastRate))
    throw NumberError("a bandwidth factor must be above zero, " + formatNumber(LeastRate) +
                      " or more");
  return factors;
}
Factors factors(std::string_view value) { return Factors::parse(value, Factors::Kind::Factor); }
Factors costs(std::string_view value) { return Factors::parse(value, Factors::Kind::Cost); }
double seconds(std::string_view value) { return parseQuantity(value, Unit::Seconds).value; }
double share(std::string_view value) {
  const double result = parseNumber(value);
  if (result > 1)
    throw NumberError("a share is a number from 0 to 1");
  return result;
}
double aboveZero(double value) {
  if (value <= 0)
    throw NumberError("a factor of a bandwidth must be above zero");
  return value;
}
double bytesPerSecond(std::string_view value) {
  double result = parseQuantity(value, Unit::BytesPerSecond).value;
  if (result <= 0)
    throw NumberError("a bandwidth must be above zero");
  return result;
}
uint64_t bytes(std::string_view value) {
  double result = parseQuantity(value, Unit::Bytes).value;
  if (result > 9e18)
    throw NumberError("number out of range: '" + std::string(value) + "'");
  return static_cast<uint64_t>(result);
}
double size(std::string_view value) { return static_cast<double>(bytes(value)); }
double count(std::string_view value) {
  const double result = size(value);
  if (result <= 0)
    throw NumberError("a number of bytes above zero is needed");
  return result;
}
double duration(std::string_view value) {
  const double result = seconds(value);
  if (result <= 0)
    throw NumberError("a time above zero is needed");
  return result;
}
bool isYes(std::string_view value) {
  if (const std::optional<bool> yes = yesOrNo(value))
    return *yes;
  throw NumberError("expected yes or no, found '" + std::string(value) + "'");
}

std::string fitNamed(std::string_view value) {
  if (value.empty())
    throw NumberError("expected default, best or a file");
  return std::string(value);
}

bool formulaOrMessages(std::string_view value) {
  if (value != "formula" && value != "messages")
    throw NumberError("expected formula or messages, found '" + std::string(value) + "'");
  return value == "formula";
}

Parameters::InfiniBand penaltyFactors(std::string_view value) {
  double factors[3];
  std::string_view rest = value;
  for (double &factor : factors) {
    const size_t end = std::min(rest.find(';'), rest.size());
    factor = parseNumber(rest.substr(0, end));
    if (factor <= 0)
      throw NumberError("a penalty factor must be above zero");
    const bool last = &factor == &factors[2];
    if (last != (end == rest.size()))
      throw NumberError("expected three numbers, as in 0.965;0.925;1.35, found '" +
                        std::string(value) + "'");
    rest.remove_prefix(last ? end : end + 1);
  }
  return {factors[0], factors[1], factors[2]};
}

/// Whether `--network=list` has it.
bool isNetwork(std::string_view name) {
#define GNOMON_NETWORK(model, help)                                                                \
  if (name == model)                                                                               \
    return true;
#include "gnomon/Networks.def"
  return false;
}

void useModel(Parameters &p, std::string_view name) {
  // A network of its own (Registry.cpp), not values for FlowModel.
  if (name == ConstantModel || isNetwork(name))
    return;
  struct Preset {
    std::string_view name, latencyFactor, bandwidthFactor;
    double weightS, tcpGamma;
    bool crossTraffic;
  };
  constexpr Preset presets[] = {
      {"SMPI", SmpiLatencyFactor, SmpiBandwidthFactor, 8775, 4194304, true},
      {"LV08", "13.01", "0.97", 20537, 4194304, true},
      {"CM02", "1.0", "1.0", 0, 4194304, true},
      {"raw", "1.0", "1.0", 0, 0, false},
      {InfiniBandModel, "1.0", "1.0", 8775, 4194304, true},
  };
  for (const Preset &preset : presets) {
    if (preset.name != name)
      continue;
    p.latencyFactor = factors(preset.latencyFactor);
    p.bandwidthFactor = bandwidthFactors(preset.bandwidthFactor);
    p.weightS = preset.weightS;
    p.tcpGammaBytes = preset.tcpGamma;
    p.crossTraffic = preset.crossTraffic;
    return;
  }
  throw NumberError("the network model '" + std::string(name) +
                    "' is not supported; there are SMPI, LV08, CM02, raw, Constant and IB");
}

struct Row {
  std::string_view key;
  std::string_view alias;
  void (*set)(Parameters &, std::string_view value);
  std::string_view help;
};

using P = Parameters;
using V = std::string_view;

constexpr Row Rows[] = {
    {"network/model", "", useModel,
     "SMPI, LV08, CM02, raw or IB: values for the next five keys; Constant, IB or a name of "
     "--network: also the model"},
    {"network/bandwidth-factor", "smpi/bw-factor",
     [](P &p, V v) { p.bandwidthFactor = bandwidthFactors(v); },
     "factor of a flow's rate, by size"},
    {"network/latency-factor", "smpi/lat-factor", [](P &p, V v) { p.latencyFactor = factors(v); },
     "factor of a route's latency, by size"},
    {"network/weight-S", "", [](P &p, V v) { p.weightS = parseNumber(v); },
     "bytes; weight of the links' bandwidths in a flow's penalty"},
    {"network/TCP-gamma", "", [](P &p, V v) { p.tcpGammaBytes = parseNumber(v); },
     "bytes; largest TCP window, 0 for none"},
    {"network/crosstraffic", "", [](P &p, V v) { p.crossTraffic = isYes(v); },
     "whether a flow also uses 5 % of its rate on the way back"},
    {"network/loopback-bw", "", [](P &p, V v) { p.loopbackBandwidth = bytesPerSecond(v); },
     "bandwidth within a host that the platform gives none"},
    {"network/loopback-lat", "", [](P &p, V v) { p.loopbackLatencySeconds = seconds(v); },
     "latency within a host that the platform gives none"},
    {"precision/timing", "surf/precision", [](P &p, V v) { p.timingPrecisionSeconds = seconds(v); },
     "events of flows closer than this happen together"},
    {"smpi/os", "", [](P &p, V v) { p.sendCost = costs(v); },
     "CPU time of a blocking send, by size"},
    {"smpi/ois", "", [](P &p, V v) { p.nonblockingSendCost = costs(v); },
     "CPU time of a nonblocking send, by size"},
    {"smpi/or", "", [](P &p, V v) { p.receiveCost = costs(v); },
     "CPU time of receiving a detached message, by size"},
    {"smpi/async-small-thresh", "", [](P &p, V v) { p.asyncSmallBytes = bytes(v); },
     "smaller messages start before their receive is posted"},
    {"smpi/send-is-detached-thresh", "", [](P &p, V v) { p.detachedBytes = bytes(v); },
     "standard sends of smaller messages return at once"},
    {"affine/latency-factor", "", [](P &p, V v) { p.affine.latencyFactor = parseNumber(v); },
     "factor of a route's latency in the model affine"},
    {"affine/bandwidth-factor", "",
     [](P &p, V v) { p.affine.bandwidthFactor = aboveZero(parseNumber(v)); },
     "factor of a route's bandwidth in the model affine"},
    {"affine/fit", "", [](P &p, V v) { p.affine.fit = fitNamed(v); },
     "default, best (to the piece-wise model) or a file of times: alpha and beta of the model "
     "affine"},
    {"affine/latency", "", [](P &p, V v) { p.affine.latencySeconds = seconds(v); },
     "alpha of the model affine, between all hosts"},
    {"affine/bandwidth", "", [](P &p, V v) { p.affine.bandwidth = bytesPerSecond(v); },
     "beta of the model affine, between all hosts"},
    {"ports/frame", "", [](P &p, V v) { p.ports.frameBytes = count(v); },
     "bytes of payload in a frame, in the model ports"},
    {"ports/overhead", "", [](P &p, V v) { p.ports.overheadBytes = size(v); },
     "bytes of headers of each frame"},
    {"ports/acknowledgement", "", [](P &p, V v) { p.ports.acknowledgementBytes = size(v); },
     "bytes that two frames send back"},
    {"ports/queue", "", [](P &p, V v) { p.ports.queueBytes = count(v); },
     "bytes that may wait at a port"},
    {"ports/window", "", [](P &p, V v) { p.ports.windowBytes = count(v); },
     "bytes that a connection has under way at most"},
    {"ports/burst", "", [](P &p, V v) { p.ports.burstBytes = size(v); },
     "bytes that a port which was idle lets go at once"},
    {"ports/initial-window", "", [](P &p, V v) { p.ports.initialWindowBytes = count(v); },
     "bytes that a connection sends before the first acknowledgement"},
    {"ports/idle", "", [](P &p, V v) { p.ports.idleSeconds = duration(v); },
     "after so long without a byte a connection's window is halved"},
    {"ports/cork", "", [](P &p, V v) { p.ports.corkBytes = size(v); },
     "shorter messages wait while their connection has a frame in its first port"},
    {"ports/socket", "", [](P &p, V v) { p.ports.socketBytes = size(v); },
     "bytes under way that the sender of a long message does not wait for"},
    {"ports/header", "", [](P &p, V v) { p.ports.headerBytes = size(v); },
     "bytes that the MPI library adds to a message"},
    {"ports/request", "", [](P &p, V v) { p.ports.requestBytes = count(v); },
     "bytes of the request before a long message"},
    {"ports/answer", "", [](P &p, V v) { p.ports.answerBytes = count(v); },
     "bytes of the answer to it"},
    {"ports/jitter", "", [](P &p, V v) { p.ports.jitterSeconds = seconds(v); },
     "mean time until software handles what has come"},
    {"ports/timeout", "", [](P &p, V v) { p.ports.timeoutSeconds = seconds(v); }, 
     "time until what found a full queue is sent again; 0: nothing is lost"},
    {"ports/seed", "", [](P &p, V v) { p.ports.seed = parseInteger(v); },
     "of the random numbers of ports/jitter"},
    {"ports/node", "", [](P &p, V v) { p.portsNode = costs(v); },
     "time of a message within a host, by size"},
    {"constant/time", "", [](P &p, V v) { p.constantSeconds = seconds(v); },
     "time of a message in the model constant"},
    {"ib/penalty-factors", "smpi/IB-penalty-factors",
     [](P &p, V v) { p.infiniBand = penaltyFactors(v); }, "betaE;betaS;gammaS of the model ib"},
    {"loggps/L", "", [](P &p, V v) { p.logGps.latencySeconds = seconds(v); },
     "latency in the model loggps"},
    {"loggps/o", "", [](P &p, V v) { p.logGps.overheadSeconds = seconds(v); },
     "CPU time of a send or a receive"},
    {"loggps/Os", "", [](P &p, V v) { p.logGps.sendPerByteSeconds = seconds(v); },
     "CPU time of a send, per byte"},
    {"loggps/Or", "", [](P &p, V v) { p.logGps.receivePerByteSeconds = seconds(v); },
     "CPU time of a receive, per byte"},
    {"loggps/g", "", [](P &p, V v) { p.logGps.shortGapSeconds = seconds(v); },
     "time per byte up to s bytes"},
    {"loggps/G", "", [](P &p, V v) { p.logGps.longGapSeconds = seconds(v); },
     "time per byte beyond s bytes"},
    {"loggps/s", "", [](P &p, V v) { p.logGps.shortBytes = bytes(v); }, "bytes that take g each"},
    {"loggps/S", "", [](P &p, V v) { p.logGps.synchronousBytes = bytes(v); },
     "messages of so many bytes and more wait for their receiver"},
    {"loggps/single-port", "", [](P &p, V v) { p.logGps.singlePort = isYes(v); },
     "whether a host moves one message at a time"},
    {"psins/latency", "", [](P &p, V v) { p.psins.latencySeconds = seconds(v); },
     "between nodes, in PSINS's models"},
    {"psins/bandwidth", "", [](P &p, V v) { p.psins.bandwidth = bytesPerSecond(v); },
     "between nodes, in PSINS's models"},
    {"psins/local-latency", "", [](P &p, V v) { p.psins.localLatencySeconds = seconds(v); },
     "within a node, in PSINS's models"},
    {"psins/local-bandwidth", "", [](P &p, V v) { p.psins.localBandwidth = bytesPerSecond(v); },
     "within a node, in PSINS's models"},
    {"psins/buses", "", [](P &p, V v) { p.psins.buses = parseInteger(v); },
     "busses of the machine, 0 for no limit"},
    {"psins/in-links", "", [](P &p, V v) { p.psins.inLinks = parseInteger(v); },
     "links into each node, 0 for no limit"},
    {"psins/out-links", "", [](P &p, V v) { p.psins.outLinks = parseInteger(v); },
     "links out of each node, 0 for no limit"},
    {"psins/collectives", "",
     [](P &p, V v) { p.psins.collectivesByFormula = formulaOrMessages(v); },
     "formula, or messages: what collectives are in PSINS's models"},
    {"smpi/wtime", "", [](P &p, V v) { p.wtimeSeconds = seconds(v); }, "time of MPI_Wtime"},
    {"smpi/test", "", [](P &p, V v) { p.testSeconds = seconds(v); }, "time of a failed MPI_Test"},
    {"smpi/iprobe", "", [](P &p, V v) { p.iprobeSeconds = seconds(v); },
     "time of a failed MPI_Iprobe"},
    {"smpi/init", "", [](P &p, V v) { p.initSeconds = seconds(v); }, "time of MPI_Init"},
    {"cpu/slowness", "",
     [](P &p, V v) {
       const double share = p.slowness.memoryShare;
       p.slowness = Slowness::parse(v);
       p.slowness.memoryShare = share;
     },
     "how much longer bursts take by busy cores of their host, such as 2:1.2;4:2.4"},
    {"cpu/memory-share", "", [](P &p, V v) { p.slowness.memoryShare = share(v); },
     "of a burst's time, what cpu/slowness acts on: 0 to 1"},
    {"smpi/cpu-threshold", "",
     [](P &p, V v) { p.cpuThresholdSeconds = v == "-1" ? __builtin_huge_val() : seconds(v); },
     "shorter bursts are not simulated; -1: none is"},
    {"smpi/host-speed", "",
     [](P &p, V v) {
       p.hostSpeedFlops.reset();
       if (v != "auto")
         p.hostSpeedFlops = parseQuantity(v, Unit::FlopsPerSecond).value;
       if (p.hostSpeedFlops == 0.0)
         throw NumberError("a speed must be above zero");
     },
     "speed of the simulating machine's core, or auto"},
    {"disk/read-bw", "", [](P &p, V v) { p.disk.readBandwidth = bytesPerSecond(v); },
     "of the disk of a host that the platform gives none"},
    {"disk/write-bw", "", [](P &p, V v) { p.disk.writeBandwidth = bytesPerSecond(v); },
     "of the disk of a host that the platform gives none"},
    {"disk/access-latency", "", [](P &p, V v) { p.disk.latencySeconds = seconds(v); },
     "of each request to the disk of a host that the platform gives none"},
    {"smpi/simulate-computation", "", [](P &p, V v) { p.simulateComputation = isYes(v); },
     "whether bursts take simulated time"},
};

struct Remark {
  std::string_view key;
  std::string_view text;
};

/// Keys of SimGrid that change how it computes or what it prints, not what it predicts.
constexpr std::string_view WithoutEffect[] = {"network/optim",
                                              "cpu/optim",
                                              "cpu/maxmin-selective-update",
                                              "network/maxmin-selective-update",
                                              "precision/work-amount",
                                              "maxmin/precision",
                                              "maxmin/concurrency-limit",
                                              "contexts/factory",
                                              "contexts/stack-size",
                                              "contexts/guard-size",
                                              "contexts/nthreads",
                                              "contexts/synchro",
                                              "smpi/privatization",
                                              "smpi/privatize-libs",
                                              "smpi/tmpdir",
                                              "smpi/keep-temps",
                                              "smpi/pedantic",
                                              "path"};

/// Keys of SMPI that Gnomon knows and does not support.
constexpr Remark NotSupported[] = {
    {"cpu/model", "only the default CPU model exists"},
    {"cpu/solver", "only max-min sharing exists"},
    {"network/solver", "only max-min sharing exists"},
    {"host/model", "only the default host model exists"},
    {"disk/model", "only the default disk model exists"},
    {"bmf/max-iterations", "only max-min sharing exists"},
    {"bmf/precision", "only max-min sharing exists"},
    {"smpi/coll-selector", "use --coll=NAME:ALGO"},
    {"smpi/iprobe-cpu-usage", "polling always uses the whole core"},
    {"smpi/shared-malloc", "folding of memory is not supported yet"},
    {"smpi/shared-malloc-blocksize", "folding of memory is not supported yet"},
    {"smpi/shared-malloc-hugepage", "folding of memory is not supported yet"},
    {"smpi/auto-shared-malloc-thresh", "folding of memory is not supported yet"},
    {"smpi/comp-adjustment-file", "adjusting bursts by source line is not supported yet"},
    {"smpi/papi-events", "hardware counters are not supported yet"},
    {"smpi/replay", "use gnomon replay"},
    {"smpi/display-timing", "the summary is always printed; see --json"},
    {"smpi/display-allocs", "not supported yet"},
    {"smpi/list-leaks", "not supported yet"},
    {"smpi/errors-are-fatal", "use MPI_Comm_set_errhandler in the program"},
    {"smpi/barrier-finalize", "not supported yet"},
    {"smpi/barrier-collectives", "not supported yet"},
    {"smpi/buffering", "not supported yet"},
    {"smpi/trace-call-location", "not supported yet"},
    {"smpi/hostfile", "use --hostfile"},
    {"smpi/np", "use -n"},
    {"smpi/map", "not supported yet"},
};

constexpr std::string_view Collectives[] = {
    "gather",    "allgather", "barrier",   "reduce_scatter", "scatter", "allgatherv",
    "allreduce", "alltoall",  "alltoallv", "bcast",          "reduce"};

const Row *findRow(std::string_view key) {
  for (const Row &row : Rows)
    if (row.key == key || (!row.alias.empty() && row.alias == key))
      return &row;
  return nullptr;
}

[[noreturn]] void refuse(const Setting &setting, const std::string &text) {
  throw InputError(setting.file, setting.line, text);
}

/// Explains a key that has no row, or notes that it has no effect.
void otherKey(const Setting &setting, Parameters &parameters) {
  const std::string &key = setting.key;
  auto is = [&key](std::string_view known) { return known == key; };
  if (std::ranges::any_of(WithoutEffect, is) || key.starts_with("tracing")) {
    parameters.notes.push_back("the parameter '" + key + "' has no effect here");
    return;
  }
  for (const Remark &remark : NotSupported)
    if (remark.key == key)
      refuse(setting, "the parameter '" + key + "' is not supported: " + std::string(remark.text));
  if (choosesCollective(key))
    refuse(setting, "the parameter '" + key + "' is not supported: use --coll=" +
                        key.substr(key.find('/') + 1) + ":" + setting.value);
  std::vector<std::string_view> known = runSettingKeys();
  for (const Row &row : Rows) {
    known.push_back(row.key);
    if (!row.alias.empty())
      known.push_back(row.alias);
  }
  std::vector<std::string> choices;
  for (std::string_view collective : Collectives)
    choices.push_back("smpi/" + std::string(collective));
  known.insert(known.end(), choices.begin(), choices.end());
  refuse(setting, "unknown parameter '" + key + "'" + didYouMean(key, known));
}

void apply(const Row &row, const Setting &setting, Parameters &parameters) {
  try {
    row.set(parameters, setting.value);
  } catch (const NumberError &error) {
    refuse(setting, setting.key + ": " + error.what());
  }
}

} // namespace

bool choosesCollective(std::string_view key) {
  return key.starts_with("smpi/") &&
         std::ranges::find(Collectives, key.substr(key.find('/') + 1)) != std::end(Collectives);
}

Parameters makeParameters(std::span<const Setting> settings) {
  Parameters parameters;
  useModel(parameters, "SMPI");
  const Row &model = *findRow("network/model");
  for (const Setting &setting : settings)
    if (findRow(setting.key) == &model)
      apply(model, setting, parameters);
  for (const Setting &setting : settings) {
    const Row *row = findRow(setting.key);
    if (setting.key.starts_with(UserKeys))
      parameters.userSettings.push_back(setting);
    else if (!row)
      otherKey(setting, parameters);
    else if (row != &model)
      apply(*row, setting, parameters);
  }
  return parameters;
}

std::vector<ParameterInfo> parameterTable() {
  std::vector<ParameterInfo> table;
  for (const Row &row : Rows)
    table.push_back({row.key, row.alias, row.help});
  return table;
}

} // namespace gnomon::models
