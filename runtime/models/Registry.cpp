// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/Registry.h"

#include "models/FlowModel.h"
#include "models/InfiniBand.h"
#include "models/Protocol.h"
#include "models/delay/Affine.h"
#include "models/delay/Constant.h"
#include "models/delay/LogGps.h"
#include "models/delay/NoContention.h"
#include "models/delay/Pmac.h"
#include "models/delay/Psins.h"
#include "models/ports/Ports.h"
#include "models/user/UserModel.h"
#include "support/Error.h"
#include "support/Names.h"

#include <algorithm>

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
/// Open MPI 4.1 over TCP: what is more than the eager limit, 64 KiB less a header, is negotiated.
constexpr Value PortsValues[] = {{"smpi/async-small-thresh", "65481"},
                                 {"smpi/send-is-detached-thresh", "65481"}};
/// The factors of `smpi` belong to TCP on Ethernet.
constexpr Value InfiniBandValues[] = {{"network/model", InfiniBandModel}};

consteval std::string_view helpOf(std::string_view name) {
#define GNOMON_NETWORK(model, help)                                                                \
  if (name == model)                                                                               \
    return help;
#include "gnomon/Networks.def"
  throw "a model that gnomon/Networks.def does not list";
}

constexpr NetworkEntry Models[] = {
    {"smpi", helpOf("smpi"), "", {}, {}, make<FlowModel>, makeProtocol<Protocol>},
    {"hybrid", helpOf("hybrid"), "", Hybrid, {}, make<FlowModel>, makeProtocol<Protocol>},
    {"ib", helpOf("ib"), "ib/", InfiniBandValues, {}, make<InfiniBand>, makeProtocol<Protocol>},
    {"ports", helpOf("ports"), "ports/", PortsValues, {}, make<Ports>, makeProtocol<Protocol>},
    {"fluid", helpOf("fluid"), "", {}, Fluid, make<FlowModel>, makeProtocol<Protocol>},
    {"nocontention",
     helpOf("nocontention"),
     "",
     {},
     {},
     make<NoContention>,
     makeProtocol<Protocol>},
    {"affine", helpOf("affine"), "affine/", {}, {}, make<Affine>, makeProtocol<Protocol>},
    {"constant", helpOf("constant"), "constant/", {}, {}, makeConstant, makeProtocol<Protocol>},
    {"loggps", helpOf("loggps"), "loggps/", {}, {}, make<LogGps>, makeProtocol<LogGpsProtocol>},
    {"simple",
     helpOf("simple"),
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::None>,
     makeProtocol<Protocol>},
    {"bus",
     helpOf("bus"),
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::Bus>,
     makeProtocol<Protocol>},
    {"in-link",
     helpOf("in-link"),
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::InLink>,
     makeProtocol<Protocol>},
    {"out-link",
     helpOf("out-link"),
     "psins/",
     {},
     {},
     makePsins<Psins::Resource::OutLink>,
     makeProtocol<Protocol>},
    {"pmac", helpOf("pmac"), "psins/", {}, {}, make<Pmac>, makeProtocol<Protocol>},
};

const NetworkEntry *find(std::string_view name) {
  for (const NetworkEntry &entry : Models)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

/// The values of `network/model` that are models of their own here: two of SimGrid's, and ours.
std::string_view modelOfSimGrid(std::span<const Setting> platformFile,
                                std::span<const Setting> commandLine) {
  std::string_view name = Models[0].name;
  for (std::span<const Setting> settings : {platformFile, commandLine})
    for (const Setting &setting : settings)
      if (setting.key == "network/model") {
        const NetworkEntry *ours = find(setting.value);
        name = setting.value == ConstantModel     ? "constant"
               : setting.value == InfiniBandModel ? "ib"
               : ours                             ? ours->name
                                                  : Models[0].name;
      }
  return name;
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

bool NetworkEntry::isOfAnother(std::string_view key) const {
  return std::ranges::any_of(Models, [&](const NetworkEntry &other) {
    return !other.keys.empty() && other.keys != keys && key.starts_with(other.keys);
  });
}

Parameters NetworkEntry::parameters(std::span<const Setting> settings) const {
  Parameters parameters = makeParameters(settings);
  parameters.userLibrary = name;
  auto noteNoEffect = [&](const Setting &setting) {
    parameters.notes.push_back("the parameter '" + setting.key +
                               "' has no effect: the network model is " + std::string(name));
  };
  if (keys != UserKeys)
    std::ranges::for_each(parameters.userSettings, noteNoEffect);
  for (const Setting &setting : settings)
    if (isOfAnother(setting.key))
      noteNoEffect(setting);
  return parameters;
}

std::span<const NetworkEntry> networkModels() { return Models; }

NetworkEntry chooseNetwork(std::string_view name, std::span<const Setting> platformFile,
                           std::span<const Setting> commandLine) {
  if (name.empty())
    return *find(modelOfSimGrid(platformFile, commandLine));
  if (const NetworkEntry *entry = find(name))
    return *entry;
  if (namesSharedObject(name))
    return {
        name, "a model of the user's", UserKeys, {}, {}, make<UserModel>, makeProtocol<Protocol>};
  std::vector<std::string_view> names;
  std::string list;
  for (const NetworkEntry &entry : Models) {
    list += (list.empty() ? "" : ", ") + std::string(entry.name);
    names.push_back(entry.name);
  }
  throw InputError("--network", 0,
                   "there is no model '" + std::string(name) + "'; the models are " + list +
                       ", or ./FILE.so for one of your own" + didYouMean(name, names));
}

} // namespace gnomon::models
