// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The words of selection, and the description of all algorithms for people.
#include "coll/selection/Wish.h"

#include "coll/Selection.h"
#include "support/Error.h"
#include "support/Names.h"

#include <charconv>
#include <limits>

namespace gnomon::coll {

namespace {

template <class Number>
Number readNumber(std::string_view text, const std::string &name, const std::string &origin) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw InputError(origin, 0,
                     name + ": expected a whole number, not '" + std::string(text) + "'");
  return value;
}

/// Whether \p selector may choose \p algorithm, itself and not in the place of another.
template <class Args> bool uses(const Selector &selector, const Algorithm<Args> &algorithm) {
  for (const Rule *rule : rulesOf(selector, Collective<Args>::name))
    for (const NamedChoice &choice : choicesOf(*rule))
      if (findAlgorithm<Args>(choice.algorithm) == &algorithm)
        return true;
  return false;
}

/// What an algorithm of any collective says of itself.
struct Words {
  const char *name, *does, *aliases, *needs, *instead;
};

std::string describeWords(const Words &algorithm, const std::vector<std::string> &users) {
  std::string text = std::string("  ") + algorithm.name + "\n      " + algorithm.does + "\n";
  std::vector<std::string> aliases;
  for (std::string_view alias : wordsOf(algorithm.aliases))
    aliases.emplace_back(alias);
  if (!aliases.empty())
    text += "      also called: " + join(aliases) + "\n";
  if (algorithm.needs)
    text += std::string("      needs ") + algorithm.needs +
            (algorithm.instead ? std::string("; else ") + algorithm.instead : "") + "\n";
  if (!users.empty())
    text += "      chosen by: " + join(users) + "\n";
  return text;
}

template <class Args> std::string describeAlgorithm(const Algorithm<Args> &algorithm) {
  std::vector<std::string> users;
  for (const Selector *selector : selectors())
    if (uses(*selector, algorithm))
      users.emplace_back(selector->name);
  return describeWords({.name = algorithm.name,
                        .does = algorithm.does,
                        .aliases = algorithm.aliases,
                        .needs = algorithm.needs,
                        .instead = algorithm.instead},
                       users);
}

template <class Args> std::string describeCollective(const char *name) {
  std::string text = std::string(name) + "\n";
  for (const auto &algorithm : Collective<Args>::table())
    text += describeAlgorithm(algorithm);
  return text;
}

} // namespace

Wish Wish::read(std::string_view text, const std::string &origin) {
  const size_t end = std::min(text.find(','), text.size());
  Wish wish{std::string(text.substr(0, end)), -1, 0};
  std::string_view rest = text.substr(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view item = rest.substr(0, std::min(rest.find(','), rest.size()));
    rest.remove_prefix(item.size());
    if (item.starts_with("segment="))
      wish.segment = readNumber<int64_t>(item.substr(8), "segment", origin);
    else if (item.starts_with("fanout="))
      wish.fanout = readNumber<int>(item.substr(7), "fanout", origin);
    else
      throw InputError(origin, 0,
                       "unknown parameter '" + std::string(item) +
                           "'; known are: segment=BYTES, fanout=N");
  }
  return wish;
}

std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0)
      words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

const Selector *chooserOf(const Selector &selector, std::string_view collective) {
  for (const Selector *from = &selector; from; from = from->otherwise)
    for (const Rule &rule : from->rules)
      if (collective == rule.collective)
        return from;
  return nullptr;
}

std::vector<const Rule *> rulesOf(const Selector &selector, std::string_view collective) {
  std::vector<const Rule *> found;
  if (const Selector *from = chooserOf(selector, collective))
    for (const Rule &rule : from->rules)
      if (collective == rule.collective)
        found.push_back(&rule);
  return found;
}

std::vector<NamedChoice> choicesOf(const Rule &rule) {
  std::vector<NamedChoice> choices;
  for (std::string_view word : wordsOf(rule.choices)) {
    const size_t colon = word.find(':');
    if (colon == std::string_view::npos)
      choices.push_back({std::numeric_limits<int64_t>::max(), word});
    else
      choices.push_back({readNumber<int64_t>(word.substr(0, colon), "rule", rule.choices),
                         word.substr(colon + 1)});
  }
  return choices;
}

void failOnCollective(std::string_view name, const std::string &origin) {
  std::vector<std::string> names;
  for (const Known &known : knownAlgorithms())
    names.push_back(known.collective);
  throw InputError(origin, 0,
                   "unknown collective '" + std::string(name) + "'; known are: " + join(names));
}

std::vector<Known> knownAlgorithms() {
  std::vector<Known> all;
#define GNOMON_COLLECTIVE(ARGS, NAME) all.push_back({NAME, namesOf<ARGS>()});
#include "coll/Collectives.def"
  return all;
}

std::string describe(std::string_view collective) {
  std::string text;
  auto add = [&](const std::string &part) {
    if (!text.empty())
      text += '\n';
    text += part;
  };
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  if (collective.empty() || collective == NAME)                                                    \
    add(describeCollective<ARGS>(NAME));
#include "coll/Collectives.def"
  if (text.empty())
    failOnCollective(collective, "--list-coll");
  return text;
}

} // namespace gnomon::coll
