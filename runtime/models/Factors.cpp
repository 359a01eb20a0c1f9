// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/Factors.h"

#include "support/Number.h"

#include <algorithm>

namespace gnomon::models {

namespace {

/// Cuts the part before the first \p separator off \p text.
std::string_view take(std::string_view &text, char separator) {
  std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

} // namespace

Factors Factors::parse(std::string_view text, Kind kind) {
  Factors factors(kind);
  auto value = [kind](std::string_view number) {
    return kind == Kind::Factor ? parseNumber(number) : parseQuantity(number, Unit::Seconds).value;
  };
  if (text.find_first_of(":;") == std::string_view::npos) {
    factors.fallback_ = value(text);
    return factors;
  }
  std::string_view rest = text;
  if (text.ends_with(';'))
    throw NumberError("an empty section at the end of '" + std::string(text) + "'");
  while (!rest.empty()) {
    std::string_view chunk = take(rest, ';');
    const std::string whole(chunk);
    Section section{static_cast<double>(parseInteger(take(chunk, ':'))), 0, 0};
    section.startup = value(take(chunk, ':'));
    if (!chunk.empty() && kind == Kind::Cost)
      section.perByte = value(take(chunk, ':'));
    if (whole.ends_with(':'))
      throw NumberError("an empty value in '" + whole + "'");
    if (!chunk.empty())
      throw NumberError("too many values in '" + whole + "'");
    factors.sections_.push_back(section);
  }
  factors.sortSections();
  return factors;
}

/// SMPI writes sections from the greatest threshold down, people from the least up; any other order
/// is a slip.
void Factors::sortSections() {
  if (sections_.size() > 1 && sections_.front().threshold > sections_.back().threshold)
    std::ranges::reverse(sections_);
  for (size_t i = 1; i < sections_.size(); ++i) {
    const double here = sections_[i].threshold, before = sections_[i - 1].threshold;
    if (here == before)
      throw NumberError("the threshold " + formatNumber(here) + " stands twice");
    if (here < before)
      throw NumberError("the thresholds neither rise nor fall: " + formatNumber(here) +
                        " stands beside " + formatNumber(before));
  }
}

bool Factors::atLeast(double least) const {
  return fallback_ >= least && std::all_of(sections_.begin(), sections_.end(),
                                           [=](const Section &s) { return s.startup >= least; });
}

} // namespace gnomon::models
