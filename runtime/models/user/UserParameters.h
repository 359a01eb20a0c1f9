// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parameters of a user's network model: what `--set user/KEY=VALUE` gave, read with units when
/// the model asks, and a complaint about keys that it never asked for.
#pragma once

#include "gnomon/Network.h"
#include "models/Parameters.h"
#include "support/Number.h"

#include <span>
#include <string>
#include <vector>

namespace gnomon::models {

class UserParameters : public network::Parameters {
public:
  /// \p settings with their keys as given ("user/latency"); later ones win.
  explicit UserParameters(std::span<const Setting> settings)
      : settings_(settings.begin(), settings.end()) {}

  double number(const char *key, double otherwise) override {
    return read(key, Unit::None, otherwise);
  }
  double seconds(const char *key, double otherwise) override {
    return read(key, Unit::Seconds, otherwise);
  }
  double bytesPerSecond(const char *key, double otherwise) override {
    return read(key, Unit::BytesPerSecond, otherwise);
  }
  double bytes(const char *key, double otherwise) override {
    return read(key, Unit::Bytes, otherwise);
  }
  const char *text(const char *key, const char *otherwise) override;

  /// Throws InputError for a setting that was never asked for, with the nearest key that was.
  void refuseUnknown() const;

private:
  const Setting *find(const char *key);
  double read(const char *key, Unit unit, double otherwise);

  std::vector<Setting> settings_;
  std::vector<std::string> asked_; ///< with "user/"
};

} // namespace gnomon::models
