// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/user/UserParameters.h"

#include "support/Error.h"
#include "support/Names.h"

#include <algorithm>

namespace gnomon::models {

const Setting *UserParameters::find(const char *key) {
  const std::string name = std::string(UserKeys) + key;
  if (std::ranges::find(asked_, name) == asked_.end())
    asked_.push_back(name);
  const Setting *found = nullptr;
  for (const Setting &setting : settings_)
    if (setting.key == name)
      found = &setting;
  return found;
}

double UserParameters::read(const char *key, Unit unit, double otherwise) {
  const Setting *setting = find(key);
  if (!setting)
    return otherwise;
  try {
    return unit == Unit::None ? parseNumber(setting->value)
                              : parseQuantity(setting->value, unit).value;
  } catch (const NumberError &error) {
    throw InputError(setting->file, setting->line, setting->key + ": " + error.what());
  }
}

const char *UserParameters::text(const char *key, const char *otherwise) {
  const Setting *setting = find(key);
  return setting ? setting->value.c_str() : otherwise;
}

void UserParameters::refuseUnknown() const {
  for (const Setting &setting : settings_) {
    if (std::ranges::find(asked_, setting.key) != asked_.end())
      continue;
    std::vector<std::string_view> known(asked_.begin(), asked_.end());
    std::string list;
    for (std::string_view key : known)
      list += (list.empty() ? "" : ", ") + std::string(key);
    throw InputError(setting.file, setting.line,
                     "unknown parameter '" + setting.key + "'" +
                         (list.empty() ? "; the network model has no parameters"
                                       : "; the network model's parameters are " + list) +
                         didYouMean(setting.key, known));
  }
}

} // namespace gnomon::models
