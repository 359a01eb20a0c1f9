// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/SamplePolicy.h"

#include "support/Number.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace gnomon::process::burst {
namespace {

using Scope = SamplePolicy::Scope;

uint32_t readCount(std::string_view text) {
  uint64_t value = parseInteger(text);
  if (value == 0 || value > MostSamplesEver)
    throw NumberError(fmt::format("n must be 1 to {}, not {}", MostSamplesEver, value));
  return static_cast<uint32_t>(value);
}

void readRange(SamplePolicy &policy, std::string_view text) {
  policy.exact = true;
  size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    policy.leastSamples = policy.mostSamples = readCount(text);
    return;
  }
  policy.leastSamples = readCount(text.substr(0, dots));
  policy.mostSamples = readCount(text.substr(dots + 2));
  if (policy.leastSamples > policy.mostSamples)
    throw NumberError("n=" + std::string(text) + ": the first number is the smaller one");
}

void readWord(SamplePolicy &policy, std::string_view word) {
  if (word == "auto")
    policy.scope = Scope::Auto;
  else if (word == "off")
    policy.scope = Scope::Off;
  else if (word == "local")
    policy.scope = Scope::Local;
  else if (word == "global")
    policy.scope = Scope::Global;
  else if (word.starts_with("n="))
    readRange(policy, word.substr(2));
  else if (word.starts_with("rse=")) {
    std::string_view number = word.substr(4);
    if (number.ends_with("%"))
      number.remove_suffix(1);
    policy.relativeError = parseNumber(number) / 100;
  } else
    throw NumberError("'" + std::string(word) +
                      "' is none of auto, off, local, global, n=SAMPLES, n=LEAST..MOST, "
                      "rse=PERCENT");
}

/// What a word is about: two words about one thing cannot both hold.
std::string_view subjectOf(std::string_view word) {
  const size_t equals = word.find('=');
  return equals == std::string_view::npos ? "scope" : word.substr(0, equals);
}

} // namespace

SamplePolicy SamplePolicy::parse(std::string_view text) {
  SamplePolicy policy;
  std::vector<std::string_view> words;
  // Whoever gives numbers only wants sampling.
  policy.scope = Scope::Auto;
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t comma = text.find(',', begin);
    size_t end = comma == std::string_view::npos ? text.size() : comma;
    const std::string_view word = text.substr(begin, end - begin);
    readWord(policy, word);
    for (std::string_view other : words)
      if (other != word && subjectOf(other) == subjectOf(word))
        throw NumberError(fmt::format("'{}' and '{}' contradict each other", other, word));
    words.push_back(word);
    begin = end + 1;
  }
  return policy;
}

} // namespace gnomon::process::burst
