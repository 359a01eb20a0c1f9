// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Options.h"

#include "support/Check.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gnomon::launch {
namespace {

struct Row {
  const char *name;
  const char *defaultValue;
  bool many;
};

constexpr std::array Table{
#define GNOMON_OPTION(name, kind, defaultValue, many, help, metavariable)                          \
  Row{#name, defaultValue, many},
#include "gnomon/Options.def"
#undef GNOMON_OPTION
};

const Row *find(std::string_view name) {
  for (const Row &row : Table)
    if (name == row.name)
      return &row;
  return nullptr;
}

} // namespace

Options Options::fromEnvironment() { return parse(getenv("GNOMON_RUN")); }

Options Options::parse(const char *text) {
  Options options;
  options.launched_ = text != nullptr;
  std::string_view rest = text ? text : "";
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty())
      continue;
    size_t equals = line.find('=');
    std::string_view name = line.substr(0, equals);
    const Row *row = equals == std::string_view::npos ? nullptr : find(name);
    if (!row)
      throw InputError("GNOMON_RUN", 0,
                       "no option of this version explains '" + std::string(line) +
                           "'; were gnomon and the program built by different versions?");
    std::vector<std::string> &values = options.values_[std::string(name)];
    if (!row->many)
      values.clear(); // The last one wins, as on a command line.
    values.emplace_back(line.substr(equals + 1));
  }
  for (const Row &row : Table)
    if (!row.many && !options.values_.contains(row.name))
      options.values_[row.name] = {row.defaultValue};
  return options;
}

const std::string &Options::text(std::string_view name) const {
  auto found = values_.find(name);
  CHECK(found != values_.end() && !found->second.empty(), "an option of the table");
  return found->second.back();
}

const std::vector<std::string> &Options::all(std::string_view name) const {
  static const std::vector<std::string> none;
  auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::string Options::lines(std::string_view name) const {
  std::string text;
  for (const std::string &part : all(name)) {
    size_t begin = 0;
    while (begin <= part.size()) {
      size_t comma = std::min(part.find(',', begin), part.size());
      text += part.substr(begin, comma - begin) + "\n";
      begin = comma + 1;
    }
  }
  return text;
}

namespace {
/// Runs \p read on the option's text; what it does not like is told with the option's name.
template <class Read> auto readOption(std::string_view name, const std::string &text, Read read) {
  try {
    return read(text);
  } catch (const NumberError &error) {
    throw InputError("--" + std::string(name), 0, error.what());
  }
}
} // namespace

uint64_t Options::count(std::string_view name, uint64_t least) const {
  uint64_t value = readOption(name, text(name), [](const auto &t) { return parseInteger(t); });
  if (value < least)
    throw InputError("--" + std::string(name), 0,
                     "must be at least " + std::to_string(least) + ", not " + text(name));
  return value;
}

double Options::seconds(std::string_view name) const {
  return readOption(name, text(name),
                    [](const auto &t) { return parseQuantity(t, Unit::Seconds).value; });
}

double Options::flopsPerSecond(std::string_view name) const {
  return readOption(name, text(name),
                    [](const auto &t) { return parseQuantity(t, Unit::FlopsPerSecond).value; });
}

uint64_t Options::bytes(std::string_view name) const {
  return static_cast<uint64_t>(readOption(
      name, text(name), [](const auto &t) { return parseQuantity(t, Unit::Bytes).value; }));
}

} // namespace gnomon::launch
