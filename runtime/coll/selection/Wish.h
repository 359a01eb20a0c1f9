// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The words of selection: names of algorithms and their aliases, what users ask for, what rules
/// say.
#pragma once

#include "coll/Algorithm.h"
#include "coll/selection/Rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::coll {

/// `ALGORITHM[,segment=BYTES][,fanout=N]`.
struct Wish {
  std::string algorithm;
  int64_t segment = -1; ///< as in Call
  int fanout = 0;

  /// Throws InputError, \p origin in front.
  static Wish read(std::string_view text, const std::string &origin);
};

std::string join(const std::vector<std::string> &names);
/// The words of a text, apart by spaces.
std::vector<std::string_view> wordsOf(std::string_view text);

/// Throws InputError with the names of the collectives.
[[noreturn]] void failOnCollective(std::string_view name, const std::string &origin);

template <class Args> std::vector<std::string> namesOf() {
  std::vector<std::string> names;
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    names.emplace_back(algorithm.name);
  return names;
}

/// By name or alias; null: there is none.
template <class Args> const Algorithm<Args> *findAlgorithm(std::string_view name) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    if (name == algorithm.name)
      return &algorithm;
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    for (std::string_view alias : wordsOf(algorithm.aliases))
      if (name == alias)
        return &algorithm;
  return nullptr;
}

/// \p selector, or the one of its `otherwise` that has rules for a collective; null: none has.
const Selector *chooserOf(const Selector &selector, std::string_view collective);
/// The rules of that one.
std::vector<const Rule *> rulesOf(const Selector &selector, std::string_view collective);

struct NamedChoice {
  int64_t below; ///< bytes
  std::string_view algorithm;
};
std::vector<NamedChoice> choicesOf(const Rule &rule);

} // namespace gnomon::coll
