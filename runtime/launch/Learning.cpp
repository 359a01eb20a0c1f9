// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run that has begun to skip cannot go back. So all is compared before it starts: build, arguments, number of ranks,
/// and the contents of each file that was read when decisions were recorded. One file of decisions is kept for each of a
/// few contents, so that a program may take turns with its input.
#include "launch/Learning.h"

#include "launch/CacheFolder.h"
#include "launch/RankOptions.h"
#include "output/DecisionFile.h"
#include "process/burst/Decisions.h"
#include "support/Error.h"
#include "support/FileHash.h"

#include <array>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>

namespace gnomon::launch {
namespace {

using process::burst::DecisionLog;
using process::burst::InputCheck;
using process::burst::RunOrigin;

constexpr unsigned MostKept = 8; ///< of one program with the same arguments and number of ranks

/// Of decisions, in the user's cache.
std::filesystem::path decisionsFolder() {
  const std::filesystem::path cache = cacheFolder();
  if (cache.empty())
    throw InputError(
        "--shadow=learn", 0,
        "neither XDG_CACHE_HOME nor HOME names a folder for decisions; name a file with "
        "--decisions");
  return cache / "decisions";
}

/// Where they may be kept: the user's file, or some in the cache.
std::vector<std::string> places(const Options &options, const RunOrigin &origin,
                                const std::string &program) {
  if (!options.decisions.empty())
    return {options.decisions};
  const std::filesystem::path folder = decisionsFolder();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw InputError(
        folder.string(), 0,
        fmt::format("cannot be made: {}; name a file with --decisions", failed.message()));
  const uint64_t of =
      hashOf(fmt::format("{}\n{}\n{}", origin.build, origin.arguments, origin.ranks));
  std::vector<std::string> names;
  for (unsigned i = 1; i <= MostKept; ++i)
    names.push_back(
        (folder / fmt::format("{}-{:016x}-{}.dec",
                              std::filesystem::path(program).filename().string(), of, i))
            .string());
  return names;
}

/// Why the run cannot be given \p log; empty: it can. One that was written by hand and names no files is taken.
std::string whyNot(const DecisionLog &log, const RunOrigin &origin) {
  if (log.build != origin.build)
    return "the program was built anew";
  if (log.arguments != origin.arguments)
    return fmt::format("the arguments were '{}'", log.arguments);
  if (log.ranks != origin.ranks)
    return fmt::format("it was of {} rank{}", log.ranks, log.ranks == 1 ? "" : "s");
  const process::burst::InputDifferences found = InputCheck(log.inputs).before();
  if (!found.changed.empty())
    return fmt::format("{} has changed", found.changed.front());
  if (!found.missing.empty() && found.missing.front() == process::StandardInput)
    return "a standard input that is no file cannot be compared";
  if (!found.missing.empty())
    return fmt::format("{} is not there", found.missing.front());
  return {};
}

/// What is kept at a place.
struct Kept {
  std::string path;
  std::optional<timespec> writtenAt; ///< nothing: it is not there
  std::string whyNot;
};

Kept keptAt(const std::string &path, const RunOrigin &origin, bool isUsers) {
  Kept kept{path, std::nullopt, {}};
  struct stat status{};
  if (stat(path.c_str(), &status) != 0)
    return kept;
  kept.writtenAt = status.st_mtim;
  try {
    kept.whyNot = whyNot(output::readDecisions(path), origin);
  } catch (const InputError &) {
    if (isUsers) // It may be anything, and is not to be written over.
      throw;
    kept.whyNot = "what was kept cannot be read";
  }
  return kept;
}

std::string dateText(const timespec &at) {
  tm date{};
  std::array<char, 32> text{};
  localtime_r(&at.tv_sec, &date);
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &date);
  return text.data();
}

bool isOlder(const Kept &a, const Kept &b) {
  const auto pair = [](const timespec &time) { return std::pair(time.tv_sec, time.tv_nsec); };
  return a.writtenAt && b.writtenAt && pair(*a.writtenAt) < pair(*b.writtenAt);
}

} // namespace

void chooseLearning(Options &options, int argc, char **argv) {
  if (!options.launched || options.shadow.empty() || options.shadow == "1")
    return;
  if (options.shadow != "learn")
    throw InputError("--shadow", 0, "'" + options.shadow + "' is not learn");
  if (!options.recordDecisions.empty())
    throw InputError("--record-decisions", 0,
                     "--shadow=learn records by itself; say with --decisions where");
  if (!process::burst::programDecides()) {
    options.decisions.clear();
    if (!options.quiet)
      process::printError("gnomon: note: the program has no decisions to learn: --shadow=learn is "
                          "--shadow\n");
    return;
  }
  const RunOrigin origin =
      process::burst::originOf(argc, argv, companions(options), rankCount(options));
  const bool isUsers = !options.decisions.empty();
  std::optional<Kept> chosen; // to be written: the first that is free, or the oldest
  std::string why;
  for (const std::string &path : places(options, origin, argc > 0 ? argv[0] : "program")) {
    Kept kept = keptAt(path, origin, isUsers);
    if (kept.writtenAt && kept.whyNot.empty()) {
      options.decisions = path;
      options.learned = {path, dateText(*kept.writtenAt), {}};
      return;
    }
    if (why.empty())
      why = kept.whyNot;
    if (!chosen || (chosen->writtenAt && (!kept.writtenAt || isOlder(kept, *chosen))))
      chosen = std::move(kept);
  }
  options.decisions.clear();
  options.recordDecisions = chosen->path;
  options.learned = {chosen->path, {}, why};
}

} // namespace gnomon::launch
