// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measurements/Lines.h"

#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::measurements {
namespace {

constexpr std::string_view Blanks = " \t\r";

} // namespace

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(Blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(Blanks) + 1 - begin);
}

std::string inQuotes(std::string_view text) {
  std::string result = "'";
  for (char c : text.substr(0, 60))
    result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 60 ? "…'" : "'");
}

void Line::fail(const std::string &what) const { throw InputError(*file, number, what); }

uint64_t Line::integer(std::string_view word, std::string_view what, uint64_t least,
                       uint64_t most) const {
  try {
    const uint64_t value = parseInteger(word);
    if (value >= least && value <= most)
      return value;
  } catch (const NumberError &) {
    // told below
  }
  fail(fmt::format("{}: expected a whole number from {} to {}, found {}", what, least, most,
                   inQuotes(word)));
}

double Line::real(std::string_view word, std::string_view what, double most) const {
  try {
    const double value = parseNumber(word);
    if (value <= most)
      return value;
  } catch (const NumberError &) {
    // told below
  }
  fail(fmt::format("{}: expected a number from 0 to {}, found {}", what, formatNumber(most),
                   inQuotes(word)));
}

std::vector<Line> linesOf(std::string_view text, const std::string &file) {
  std::vector<Line> lines;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({&file, ++number, trimmed(text.substr(0, end)), end < text.size()});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trimmed(text)).empty()) {
    const size_t end = std::min(text.find_first_of(Blanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::vector<std::string_view> fieldsOf(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return fields;
    text.remove_prefix(end + 1);
  }
}

} // namespace gnomon::measurements
