// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Options.h"

#include "support/Error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

namespace gnomon::launch {
namespace {

void read(kind::Text &option, const std::string &value) { option = value; }
void read(kind::Count &option, const std::string &value) { option = parseInteger(value); }
void read(kind::Seconds &option, const std::string &value) {
  option = parseQuantity(value, Unit::Seconds).value;
}
void read(kind::Flag &option, const std::string &value) { option = value == "1"; }
void read(kind::Texts &option, const std::string &value) { option.push_back(value); }

struct Row {
  const char *name;
  const char *initial;
  void (*read)(Options &options, const std::string &value);
};

constexpr std::array Table{
#define GNOMON_OPTION(id, name, kindOf, initial, form, place, page, help, metavariable)            \
  Row{name, initial,                                                                               \
      [](Options &options, const std::string &value) { launch::read(options.id, value); }},
#include "gnomon/Options.def"
#undef GNOMON_OPTION
};

/// What the value's reader does not like is told with the option's name.
void readRow(const Row &row, Options &options, const std::string &value) {
  try {
    row.read(options, value);
  } catch (const NumberError &error) {
    throw InputError(fmt::format("--{}", row.name), 0, error.what());
  }
}

void readLine(std::string_view line, Options &options) {
  const size_t equals = line.find('=');
  const std::string_view name = line.substr(0, equals);
  const auto row =
      std::ranges::find_if(Table, [&](const Row &candidate) { return candidate.name == name; });
  if (equals == std::string_view::npos || row == Table.end())
    throw InputError("GNOMON_RUN", 0,
                     fmt::format("no option of this version explains '{}'; were gnomon and the "
                                 "program built by different versions?",
                                 line));
  // Of an option that may stand once the last one wins, as on a command line.
  readRow(*row, options, std::string(line.substr(equals + 1)));
}

} // namespace

Options Options::fromEnvironment() { return parse(getenv("GNOMON_RUN")); }

Options Options::parse(const char *text) {
  Options options;
  options.launched = text != nullptr;
  for (const Row &row : Table)
    if (*row.initial)
      readRow(row, options, row.initial);
  std::string_view rest = text ? text : "";
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.empty())
      readLine(line, options);
  }
  return options;
}

std::string cutAtCommas(const kind::Texts &values) {
  std::string text;
  for (const std::string &part : values) {
    size_t begin = 0;
    while (begin <= part.size()) {
      size_t comma = std::min(part.find(',', begin), part.size());
      text += part.substr(begin, comma - begin) + "\n";
      begin = comma + 1;
    }
  }
  return text;
}

double readQuantity(const char *option, const std::string &text, Unit unit) {
  try {
    return parseQuantity(text, unit).value;
  } catch (const NumberError &error) {
    throw InputError(option, 0, error.what());
  }
}

} // namespace gnomon::launch
