// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The network models by name (`gnomon run --network=NAME`). One table, in Registry.cpp: a model is
/// a class behind NetworkModel, costs behind ProtocolCosts, and the values of parameters that make
/// it what it is.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/Parameters.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace gnomon::models {

struct NetworkEntry {
  struct Value {
    std::string_view key, value;
  };

  std::string_view name;
  std::string_view help;
  std::string_view keys;             ///< its own parameters begin with this; empty: it has none
  std::span<const Value> defaults;   ///< under the platform file's settings
  std::span<const Value> definition; ///< over the platform file's settings, under `--set`
  std::unique_ptr<NetworkModel> (*make)(kernel::Engine &, const platform::Platform &,
                                        const Parameters &);
  std::unique_ptr<ProtocolCosts> (*makeProtocol)(const Parameters &);

  /// The settings in the order in which they count, later ones winning.
  std::vector<Setting> settings(std::span<const Setting> platformFile,
                                std::span<const Setting> commandLine) const;
  /// Whether \p key is a parameter of another model's own.
  bool isOfAnother(std::string_view key) const;
  /// makeParameters, with a note for each setting of a model that is not this one.
  Parameters parameters(std::span<const Setting> settings) const;
};

/// All models, the default one first.
std::span<const NetworkEntry> networkModels();

/// The model \p name, or the shared object \p name (UserModel.h); the entry refers to the text.
/// When it is empty, the model that the last `network/model` among the settings asks for, or else
/// the default. Throws InputError that lists the names.
NetworkEntry chooseNetwork(std::string_view name, std::span<const Setting> platformFile,
                           std::span<const Setting> commandLine);

} // namespace gnomon::models
