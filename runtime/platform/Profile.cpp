// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/Profile.h"

#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gnomon::platform {

namespace {

constexpr std::string_view Blanks = " \t\r";

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(Blanks); at != std::string_view::npos;) {
    size_t end = std::min(line.find_first_of(Blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(Blanks, end);
  }
  return words;
}

/// No link or host changes so often, and a run would do nothing else.
constexpr double LeastPeriodSeconds = 1e-6;

class Parser {
public:
  Parser(const std::string &file, int line) : line_(line) { profile_.file = file; }

  void take(std::string_view line);
  void endOfLine() { ++line_; }
  Profile finish(double periodSeconds);

private:
  [[noreturn]] void fail(const std::string &text) const {
    throw InputError(profile_.file, line_, text);
  }
  double number(std::string_view word) const {
    try {
      return parseNumber(word);
    } catch (const NumberError &error) {
      fail(std::string("profile: ") + error.what());
    }
  }
  void addStep(double date, double value);

  Profile profile_;
  int line_;
  std::optional<double> period_, pause_;
};

void Parser::take(std::string_view line) {
  const std::vector<std::string_view> words = wordsOf(line);
  if (words.empty() || words[0].starts_with('#') || words[0].starts_with('%'))
    return;
  if (words[0] == "STOCHASTIC")
    fail("profile: random profiles (STOCHASTIC) are not supported: runs would differ; write the "
         "dates and values of one draw");
  if (words.size() < 2)
    fail("profile: expected a date and a value, found '" + std::string(line.substr(0, 80)) + "'");
  if (words[0] == "PERIODICITY")
    period_ = number(words[1]);
  else if (words[0] == "LOOPAFTER")
    pause_ = number(words[1]);
  else
    addStep(number(words[0]), number(words[1]));
}

void Parser::addStep(double date, double value) {
  if (!profile_.steps.empty() && date < profile_.steps.back().dateSeconds)
    fail("profile: dates must not decrease: " + formatNumber(date) + " comes after " +
         formatNumber(profile_.steps.back().dateSeconds));
  profile_.steps.push_back({date, value, line_});
}

Profile Parser::finish(double periodSeconds) {
  if (!period_ && !pause_ && periodSeconds > 0)
    period_ = periodSeconds;
  if ((!period_ && !pause_) || profile_.steps.empty())
    return std::move(profile_);
  line_ = profile_.steps.back().line;
  const double last = profile_.steps.back().dateSeconds;
  profile_.periodSeconds = period_.value_or(0) > 0 ? *period_ : last + pause_.value_or(0);
  if (profile_.periodSeconds < last)
    fail("profile: its period of " + formatNumber(profile_.periodSeconds) +
         " s is shorter than its last date");
  if (profile_.periodSeconds <= 0)
    fail("profile: it would be repeated without end at one date");
  if (profile_.periodSeconds < LeastPeriodSeconds)
    fail("profile: its period of " + formatNumber(profile_.periodSeconds) +
         " s is shorter than 1 us: each repetition costs an event");
  return std::move(profile_);
}

} // namespace

Profile parseProfile(const std::string &text, const std::string &file, int firstLine,
                     double periodSeconds) {
  Parser parser(file, firstLine);
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    parser.take(line);
    parser.endOfLine();
  }
  return parser.finish(periodSeconds);
}

} // namespace gnomon::platform
