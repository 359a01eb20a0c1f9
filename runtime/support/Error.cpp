// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Error.h"

#include <fmt/format.h>
#include <utility>

namespace gnomon {
namespace {

std::string render(const std::string &file, int line, const std::string &whole) {
  // A name in a damaged file may be as long as the file.
  constexpr size_t Longest = 1000;
  const std::string text = whole.size() > Longest ? whole.substr(0, Longest) + "…" : whole;
  if (line > 0)
    return fmt::format("{}:{}: {}", file, line, text);
  return file.empty() ? text : fmt::format("{}: {}", file, text);
}

} // namespace

InputError::InputError(std::string file, int line, const std::string &text)
    : std::runtime_error(render(file, line, text)), file_(std::move(file)), line_(line) {}

} // namespace gnomon
