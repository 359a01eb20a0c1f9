// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the user forced, the rules of the selector with their names looked up, and the run of a
/// collective.
#include "coll/Selection.h"

#include "coll/selection/Rules.h"
#include "coll/selection/Wish.h"
#include "support/Error.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <optional>
#include <type_traits>

namespace gnomon::coll {

namespace {

/// What `--coll` forced on a collective.
template <class Args> struct Forced {
  const Algorithm<Args> *algorithm = nullptr; ///< null: nothing
  Wish wish;
  bool noted = false; ///< the user knows that it could not do some call
};
template <class Args> Forced<Args> forced;

/// A rule of a collective, ready to be tried.
template <class Args> struct Ready {
  unsigned facts;
  int ranksBelow;
  Measure measure;
  struct Choice {
    int64_t below; ///< bytes
    const Algorithm<Args> *algorithm;
  };
  std::vector<Choice> choices;
};
template <class Args> struct Chooser {
  std::vector<Ready<Args>> rules;
  bool hosts = false; ///< some rule asks where ranks are
  Wish wish;          ///< what the chosen algorithms are given
};
/// Of the present selector; made when first needed.
template <class Args> std::optional<Chooser<Args>> chooser;
const Selector *selector = selectors().front();

void printToStandardError(const std::string &text) {
  // The system call itself: write(2) is the ranks' here, and a rank is running.
  const std::string line = "gnomon: note: " + text + "\n";
  syscall(SYS_write, 2, line.data(), line.size());
}
NotePrinter printNote = printToStandardError;

template <class Args> Chooser<Args> makeChooser() {
  Chooser<Args> made;
  if (const Selector *owner = chooserOf(*selector, Collective<Args>::name))
    made.wish = {{}, owner->segment, owner->fanout};
  for (const Rule *rule : rulesOf(*selector, Collective<Args>::name)) {
    Ready<Args> ready{rule->facts, rule->ranksBelow, rule->measure, {}};
    made.hosts = made.hosts || rule->facts & (Shared | Consecutive);
    for (const NamedChoice &choice : choicesOf(*rule))
      ready.choices.push_back({choice.below, findAlgorithm<Args>(choice.algorithm)});
    made.rules.push_back(std::move(ready));
  }
  return made;
}

/// \p algorithm, or what stands in for it on this call; null: nothing does.
template <class Args>
const Algorithm<Args> *able(const Algorithm<Args> *algorithm, const Args &args) {
  while (algorithm && algorithm->can && !algorithm->can(args))
    algorithm = algorithm->instead ? findAlgorithm<Args>(algorithm->instead) : nullptr;
  return algorithm;
}

template <class Args> const Algorithm<Args> *ruled(const Args &args) {
  if (!chooser<Args>)
    chooser<Args> = makeChooser<Args>();
  const Facts facts = factsOf(args, chooser<Args>->hosts);
  for (const Ready<Args> &rule : chooser<Args>->rules) {
    if (facts.ranks >= rule.ranksBelow || rule.facts & ~facts.holds)
      continue;
    const int64_t bytes = rule.measure == Measure::Whole ? facts.whole : facts.block;
    for (const auto &choice : rule.choices)
      if (bytes < choice.below)
        return able(choice.algorithm, args);
  }
  return nullptr;
}

/// The choice of the selector, always able to do the call.
template <class Args> const Algorithm<Args> *choose(const Args &args) {
  if (const Algorithm<Args> *algorithm = ruled(args))
    return algorithm;
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    if (!algorithm.can)
      return &algorithm;
  return nullptr;
}

[[noreturn]] void failOnAlgorithm(const std::string &algorithm, std::string_view collective,
                                  const std::vector<std::string> &known,
                                  const std::string &origin) {
  throw InputError(origin, 0,
                   "unknown algorithm '" + algorithm + "' of collective '" +
                       std::string(collective) + "'; known are: " + join(known));
}

/// True when \p collective is this one. Throws when it has no such algorithm.
template <class Args>
bool tryForce(std::string_view collective, const Wish &wish, const std::string &origin) {
  if (collective != Collective<Args>::name)
    return false;
  forced<Args> = {};
  if (wish.algorithm == "default")
    return true;
  forced<Args>.algorithm = findAlgorithm<Args>(wish.algorithm);
  forced<Args>.wish = wish;
  if (!forced<Args>.algorithm)
    failOnAlgorithm(wish.algorithm, collective, namesOf<Args>(), origin);
  return true;
}

void noteStandIn(const char *collective, const char *algorithm, const char *needs,
                 const char *instead) {
  printNote(std::string("--coll=") + collective + ":" + algorithm + " needs " + needs +
            "; calls without it run " + (instead ? instead : "the default algorithm"));
}

template <class Args> void noteOnce(const Algorithm<Args> &algorithm) {
  if (forced<Args>.noted)
    return;
  forced<Args>.noted = true;
  noteStandIn(Collective<Args>::name, algorithm.name, algorithm.needs, algorithm.instead);
}

template <class Args> int runWith(const Algorithm<Args> &algorithm, Args args, const Wish &wish) {
  args.segment = wish.segment;
  args.fanout = wish.fanout;
  return algorithm.run(args);
}

} // namespace

void force(std::string_view collective, std::string_view algorithm, const std::string &origin) {
  const Wish wish = Wish::read(algorithm, origin);
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  if (tryForce<ARGS>(collective, wish, origin))                                                    \
    return;
#include "coll/Collectives.def"
  failOnCollective(collective, origin);
}

void force(std::string_view option) {
  const std::string origin = "--coll=" + std::string(option);
  const size_t colon = option.find(':');
  if (colon == std::string_view::npos)
    throw InputError(origin, 0, "expected NAME:ALGO, such as allreduce:rdb");
  force(option.substr(0, colon), option.substr(colon + 1), origin);
}

void forceNothing() {
#define GNOMON_COLLECTIVE(ARGS, NAME) forced<ARGS> = {};
#include "coll/Collectives.def"
}

void select(std::string_view name) {
  std::vector<std::string> names;
  for (const Selector *known : selectors()) {
    names.emplace_back(known->name);
    if (name != known->name)
      continue;
    selector = known;
#define GNOMON_COLLECTIVE(ARGS, NAME) chooser<ARGS>.reset();
#include "coll/Collectives.def"
    return;
  }
  throw InputError("--coll-selector=" + std::string(name), 0,
                   "unknown selector '" + std::string(name) + "'; known are: " + join(names));
}

void setNotePrinter(NotePrinter printer) { printNote = printer ? printer : printToStandardError; }

template <class Args> const char *chosen(const Args &args) { return choose(args)->name; }

template <class Args> int run(const Args &args) {
  if (const Algorithm<Args> *algorithm = forced<Args>.algorithm) {
    if (algorithm->can && !algorithm->can(args)) {
      if (!args.members) // else a part of what was asked for
        noteOnce(*algorithm);
      algorithm = able(algorithm, args);
    }
    if (algorithm)
      return runWith(*algorithm, args, forced<Args>.wish);
  } else if constexpr (std::is_same_v<Args, ReduceScatterBlockArgs>) {
    // One wish for both, as in SMPI.
    if (const auto *wanted = forced<ReduceScatterArgs>.algorithm)
      if (const auto *same = able(findAlgorithm<Args>(wanted->name), args))
        return runWith(*same, args, forced<ReduceScatterArgs>.wish);
  }
  const Algorithm<Args> *algorithm = choose(args);
  return runWith(*algorithm, args, chooser<Args>->wish);
}

#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template int run<ARGS>(const ARGS &args);                                                        \
  template const char *chosen<ARGS>(const ARGS &args);
#include "coll/Collectives.def"

} // namespace gnomon::coll
