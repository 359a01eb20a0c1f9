// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/Registry.h"

#include "models/FlowModel.h"
#include "models/Protocol.h"
#include "models/delay/Affine.h"
#include "models/delay/Constant.h"
#include "models/delay/LogGps.h"
#include "models/delay/NoContention.h"
#include "models/delay/Pmac.h"
#include "models/delay/Psins.h"
#include "support/Error.h"
#include "support/Names.h"

namespace gnomon::models {

namespace {

using kernel::Engine;
using platform::Platform;
using Value = NetworkEntry::Value;

template <class Model>
std::unique_ptr<NetworkModel> make(Engine &engine, const Platform &platform,
                                   const Parameters &parameters) {
  return std::make_unique<Model>(engine, platform, parameters);
}
std::unique_ptr<NetworkModel> makeConstant(Engine &engine, const Platform &,
                                           const Parameters &parameters) {
  return std::make_unique<Constant>(engine, parameters);
}
template <Psins::Resource Resource>
std::unique_ptr<NetworkModel> makePsins(Engine &engine, const Platform &platform,
                                        const Parameters &parameters) {
  return std::make_unique<Psins>(engine, platform, parameters, Resource);
}
template <class Costs> std::unique_ptr<ProtocolCosts> makeProtocol(const Parameters &parameters) {
  return std::make_unique<Costs>(parameters);
}

/// Max-min sharing of the links (penalty: the route's latency) and nothing else: what `raw` means
/// in `network/model`.
constexpr Value Fluid[] = {{"network/bandwidth-factor", "1"},
                           {"network/latency-factor", "1"},
                           {"network/weight-S", "0"},
                           {"network/TCP-gamma", "0"},
                           {"network/crosstraffic", "no"}};
/// The thresholds of Bedaride et al. 2013, section IV-A. The paper prints no values of os, ois and
/// or, which belong to a machine anyhow: they are given by key.
constexpr Value Hybrid[] = {{"smpi/async-small-thresh", "65536"},
                            {"smpi/send-is-detached-thresh", "327680"}};

constexpr NetworkEntry Models[] = {
    {"smpi",
     "flows share links; factors by size, cross-traffic, TCP window",
     "",
     {},
     {},
     make<FlowModel>,
     makeProtocol<Protocol>},
    {"hybrid",
     "smpi with the asynchronous and detached regimes of SMPI's 2013 model",
     "",
     Hybrid,
     {},
     make<FlowModel>,
     makeProtocol<Protocol>},
    {"fluid",
     "flows share links, no factors",
     "",
     {},
     Fluid,
     make<FlowModel>,
     makeProtocol<Protocol>},
    {"nocontention",
     "smpi's time of a message alone, no sharing",
     "",
     {},
     {},
     make<NoContention>,
     makeProtocol<Protocol>},
    {"affine",
     "latency + size / bandwidth, no sharing",
     "affine/",
     {},
     {},
     make<Affine>,
     makeProtocol<Protocol>},
    {"constant",
     "each message takes the same time",
     "constant/",
     {},
     {},
     makeConstant,
     makeProtocol<Protocol>},
    {"loggps",
     "overheads, gaps and thresholds of LogGPS, one port per host",
     "loggps/",
     {},
     {},
     make<LogGps>,
     makeProtocol<LogGpsProtocol>},
    {"simple",
     "PSINS: latency + size / bandwidth",
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::None>,
     makeProtocol<Protocol>},
    {"bus",
     "PSINS: messages wait for a bus",
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::Bus>,
     makeProtocol<Protocol>},
    {"in-link",
     "PSINS: messages wait for a link into their node",
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::InLink>,
     makeProtocol<Protocol>},
    {"out-link",
     "PSINS: messages wait for a link out of their node",
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::OutLink>,
     makeProtocol<Protocol>},
    {"pmac",
     "PSINS: bandwidth divided by the messages under way",
     "psins/",
     {},
     {},
     make<Pmac>,
     makeProtocol<Protocol>},
};

const NetworkEntry *find(std::string_view name) {
  for (const NetworkEntry &entry : Models)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

bool asksForConstant(std::span<const Setting> platformFile, std::span<const Setting> commandLine) {
  bool constant = false;
  for (std::span<const Setting> settings : {platformFile, commandLine})
    for (const Setting &setting : settings)
      if (setting.key == "network/model")
        constant = setting.value == ConstantModel;
  return constant;
}

} // namespace

std::vector<Setting> NetworkEntry::settings(std::span<const Setting> platformFile,
                                            std::span<const Setting> commandLine) const {
  std::vector<Setting> all;
  auto append = [&](std::span<const Value> values) {
    for (const Value &value : values)
      all.push_back(
          {std::string(value.key), std::string(value.value), "--network=" + std::string(name), 0});
  };
  append(defaults);
  all.insert(all.end(), platformFile.begin(), platformFile.end());
  append(definition);
  all.insert(all.end(), commandLine.begin(), commandLine.end());
  return all;
}

Parameters NetworkEntry::parameters(std::span<const Setting> settings) const {
  Parameters parameters = makeParameters(settings);
  for (const Setting &setting : settings)
    for (const NetworkEntry &other : Models)
      if (!other.keys.empty() && other.keys != keys && setting.key.starts_with(other.keys)) {
        parameters.notes.push_back("the parameter '" + setting.key +
                                   "' has no effect: the network model is " + std::string(name));
        break;
      }
  return parameters;
}

std::span<const NetworkEntry> networkModels() { return Models; }

const NetworkEntry &chooseNetwork(std::string_view name, std::span<const Setting> platformFile,
                                  std::span<const Setting> commandLine) {
  if (name.empty())
    return asksForConstant(platformFile, commandLine) ? *find("constant") : Models[0];
  if (const NetworkEntry *entry = find(name))
    return *entry;
  std::vector<std::string_view> names;
  std::string list;
  for (const NetworkEntry &entry : Models) {
    list += (list.empty() ? "" : ", ") + std::string(entry.name);
    names.push_back(entry.name);
  }
  throw InputError("--network", 0,
                   "there is no model '" + std::string(name) + "'" + didYouMean(name, names) +
                       "; the models are " + list);
}

} // namespace gnomon::models
