// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/RunSettings.h"

#include "support/Error.h"
#include "support/Number.h"
#include "support/YesNo.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::models {
namespace {

[[noreturn]] void refuse(const Setting &setting, const char *expected) {
  throw InputError(setting.file, setting.line,
                   fmt::format("{}: expected {}, not '{}'", setting.key, expected, setting.value));
}

bool isYes(const Setting &setting) {
  if (const std::optional<bool> yes = yesOrNo(setting.value))
    return *yes;
  refuse(setting, "yes or no");
}

double durationOf(const Setting &setting) {
  try {
    const double seconds = parseQuantity(setting.value, Unit::Seconds).value;
    if (seconds >= 0)
      return seconds;
  } catch (const NumberError &) {
  }
  refuse(setting, "a number of seconds, 0 or more");
}

struct Row {
  std::string_view key;
  void (*take)(const Setting &setting, RunSettings &settings);
};

void takeBarrier(const Setting &setting, RunSettings &settings) {
  settings.finalizeBarrier = isYes(setting);
}

constexpr Row Rows[] = {
    {"gnomon/spawn-time",
     [](const Setting &setting, RunSettings &settings) {
       settings.spawnSeconds = durationOf(setting);
     }},
    {"gnomon/coll-selector",
     [](const Setting &setting, RunSettings &settings) { settings.collSelector = setting.value; }},
    {"smpi/grow-injected-times",
     [](const Setting &setting, RunSettings &settings) {
       settings.growInjectedTimes = isYes(setting);
     }},
    {"smpi/barrier-finalization", takeBarrier},
    {"smpi/finalization-barrier", takeBarrier}, // SMPI has had both names
};

} // namespace

std::vector<std::string_view> runSettingKeys() {
  std::vector<std::string_view> keys;
  for (const Row &row : Rows)
    keys.push_back(row.key);
  return keys;
}

bool take(const Setting &setting, RunSettings &settings) {
  const auto *row = std::ranges::find(Rows, setting.key, &Row::key);
  if (row == std::end(Rows))
    return false;
  row->take(setting, settings);
  return true;
}

} // namespace gnomon::models
