// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The forced algorithms, one variable per collective, and the run of a collective.
#include "coll/Selection.h"

#include "support/Error.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::coll {

namespace {

/// What `--coll` forced on a collective; null: nothing.
template <class Args> const Algorithm<Args> *forced = nullptr;
/// Whether the user knows that the forced algorithm could not do some call.
template <class Args> bool noted = false;

void printToStandardError(const std::string &text) {
  // The system call itself: write(2) is the ranks' here, and a rank is running.
  const std::string line = "gnomon: note: " + text + "\n";
  syscall(SYS_write, 2, line.data(), line.size());
}
NotePrinter printNote = printToStandardError;

template <class Args> std::vector<std::string> namesOf() {
  std::vector<std::string> names;
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    names.emplace_back(algorithm.name);
  return names;
}

std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// True when \p collective is this one. Throws when it has no such algorithm.
template <class Args>
bool tryForce(std::string_view collective, std::string_view name, const std::string &origin) {
  if (collective != Collective<Args>::name)
    return false;
  noted<Args> = false;
  forced<Args> = nullptr;
  if (name == "default")
    return true;
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    if (name == algorithm.name)
      forced<Args> = &algorithm;
  if (!forced<Args>)
    throw InputError(origin, 0,
                     "unknown algorithm '" + std::string(name) + "' of collective '" +
                         std::string(collective) + "'; known are: " + join(namesOf<Args>()));
  return true;
}

template <class Args> void noteOnce(const Algorithm<Args> &algorithm) {
  if (noted<Args>)
    return;
  noted<Args> = true;
  printNote(std::string("--coll=") + Collective<Args>::name + ":" + algorithm.name + " needs " +
            algorithm.needs + "; calls without it run the default algorithm");
}

} // namespace

void force(std::string_view collective, std::string_view algorithm, const std::string &origin) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  if (tryForce<ARGS>(collective, algorithm, origin))                                               \
    return;
#include "coll/Collectives.def"
  std::vector<std::string> names;
  for (const Known &known : knownAlgorithms())
    names.push_back(known.collective);
  throw InputError(
      origin, 0, "unknown collective '" + std::string(collective) + "'; known are: " + join(names));
}

void force(std::string_view option) {
  const std::string origin = "--coll=" + std::string(option);
  const size_t colon = option.find(':');
  if (colon == std::string_view::npos)
    throw InputError(origin, 0, "expected NAME:ALGO, such as allreduce:rdb");
  force(option.substr(0, colon), option.substr(colon + 1), origin);
}

void forceNothing() {
#define GNOMON_COLLECTIVE(ARGS, NAME) forced<ARGS> = nullptr, noted<ARGS> = false;
#include "coll/Collectives.def"
}

std::vector<Known> knownAlgorithms() {
  std::vector<Known> all;
#define GNOMON_COLLECTIVE(ARGS, NAME) all.push_back({NAME, namesOf<ARGS>()});
#include "coll/Collectives.def"
  return all;
}

void setNotePrinter(NotePrinter printer) { printNote = printer ? printer : printToStandardError; }

template <class Args> int run(const Args &args) {
  if (const Algorithm<Args> *algorithm = forced<Args>) {
    if (!algorithm->can || algorithm->can(args))
      return algorithm->run(args);
    noteOnce(*algorithm);
  }
  return Collective<Args>::choose(args)(args);
}

#define GNOMON_COLLECTIVE(ARGS, NAME) template int run<ARGS>(const ARGS &args);
#include "coll/Collectives.def"

} // namespace gnomon::coll
