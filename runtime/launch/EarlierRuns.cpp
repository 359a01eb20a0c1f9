// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/EarlierRuns.h"

#include "launch/CacheFolder.h"
#include "output/OutputFile.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/Processor.h"
#include "support/Error.h"
#include "support/FileHash.h"
#include "support/Number.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <numeric>
#include <ranges>
#include <sstream>
#include <utility>

namespace gnomon::launch {
namespace {

using process::EqualWork;

constexpr const char *Format = "gnomon work 1";
/// Works of less are none that a prediction feels; a run of less has seen too little of the machine.
constexpr double LeastShare = 1e-5, LeastRunSeconds = 0.01;
constexpr size_t MostWorks = 4096, MostFiles = 256;
/// Seconds per instruction; what is beyond comes from a damaged file.
constexpr double LeastTook = 1e-13, MostTook = 1;

/// Of each work and round, what the runs took, the latest last.
using Works = std::map<std::pair<uint32_t, uint32_t>, std::vector<double>>;

std::string heading(const std::string &of) {
  return fmt::format("{}\n{}\n{:016x}\n{}\n", Format, process::processorName(),
                     process::coreKernels(), of);
}

/// One below \p most. Throws NumberError.
uint32_t numberBelow(uint32_t most, const std::string &word) {
  const uint64_t value = parseInteger(word);
  if (value >= most)
    throw NumberError("no number of a work");
  return static_cast<uint32_t>(value);
}

double readTook(const std::string &word) {
  const double seconds = parseNumber(word);
  if (!(seconds >= LeastTook && seconds <= MostTook))
    throw NumberError("not what an instruction takes");
  return seconds;
}

/// Throws NumberError where the line is damaged.
void readLine(const std::string &line, Works &works) {
  std::istringstream words(line);
  std::string work, round;
  words >> work >> round;
  std::vector<double> &took =
      works[{numberBelow(process::WorkNumbers, work), numberBelow(EqualWork::Rounds, round)}];
  for (std::string word; words >> word;)
    took.push_back(readTook(word));
  if (took.empty() || took.size() > EarlierRuns::MostRuns)
    throw NumberError("a work of no run, or of too many");
}

/// Of a damaged file, and of one of other runs, nothing.
Works readWorks(const std::string &path, const std::string &of) {
  std::ifstream file(path);
  std::string read, line;
  for (int i = 0; i < 4 && std::getline(file, line); ++i)
    read += line + "\n";
  if (read != heading(of))
    return {};
  Works works;
  try {
    while (works.size() < MostWorks && std::getline(file, line))
      readLine(line, works);
  } catch (const NumberError &) {
    return {};
  }
  return works;
}

/// The files that nobody has written for the longest time go.
void forgetOldest(const std::filesystem::path &folder) {
  using Entry = std::filesystem::directory_entry;
  std::error_code failed;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  for (const Entry &file : std::filesystem::directory_iterator(folder, failed))
    files.emplace_back(file.last_write_time(failed), file.path());
  std::ranges::sort(files);
  for (size_t i = 0; i + MostFiles < files.size(); ++i)
    std::filesystem::remove(files[i].second, failed);
}

std::string textOf(const std::string &of, const Works &works) {
  std::string text = heading(of);
  for (const auto &[work, took] : works) {
    text += fmt::format("{} {}", work.first, work.second);
    for (const double seconds : took)
      text += fmt::format(" {:.4g}", seconds);
    text += "\n";
  }
  return text;
}

/// Of the run, what counts.
std::vector<EqualWork::Found> weighty(const std::vector<EqualWork::Found> &found) {
  const double whole =
      std::accumulate(found.begin(), found.end(), 0.0,
                      [](double sum, const EqualWork::Found &one) { return sum + one.seconds; });
  std::vector<EqualWork::Found> all;
  if (whole >= LeastRunSeconds)
    std::ranges::copy_if(found, std::back_inserter(all), [&](const EqualWork::Found &one) {
      return one.seconds >= LeastShare * whole && one.perInstruction >= LeastTook &&
             one.perInstruction <= MostTook;
    });
  return all;
}

/// What this run has not met stays while there is room: a program may take turns with its input.
void addRun(const std::vector<EqualWork::Found> &found, Works &works) {
  for (const EqualWork::Found &one : found) {
    std::vector<double> &took = works[{one.work, one.round}];
    if (took.size() == EarlierRuns::MostRuns)
      took.erase(took.begin());
    took.push_back(one.perInstruction);
  }
  if (works.size() <= MostWorks)
    return;
  Works met;
  for (const EqualWork::Found &one : found | std::views::take(MostWorks))
    met.insert(works.extract({one.work, one.round}));
  works = std::move(met);
}

} // namespace

EarlierRuns::File EarlierRuns::fileOf(const process::burst::RunOrigin &origin,
                                      std::string_view way) {
  std::error_code failed;
  std::string of =
      fmt::format("{} {} on {} ranks in {}, build {}, {}", origin.program, origin.arguments,
                  origin.ranks, std::filesystem::current_path(failed).string(), origin.build, way);
  std::ranges::replace(of, '\n', ' ');
  const std::filesystem::path cache = cacheFolder();
  if (cache.empty())
    return {};
  const std::string program = std::filesystem::path(origin.program).filename().string();
  return {(cache / "work" / fmt::format("{}-{:016x}", program, hashOf(of))).string(), of};
}

EarlierRuns::EarlierRuns(const process::burst::RunOrigin &origin, bool skips, std::string_view way)
    : executed_(fileOf(origin, fmt::format("all executed, {}", way))),
      own_(skips ? fileOf(origin, fmt::format("some skipped, {}", way)) : executed_) {}

std::vector<EqualWork::Earlier> EarlierRuns::expectations() const {
  Works works = readWorks(executed_.path, executed_.of);
  if (works.empty())
    works = readWorks(own_.path, own_.of);
  std::vector<EqualWork::Earlier> all;
  for (const auto &[work, took] : works)
    all.push_back({{work.first, work.second}, took});
  return all;
}

void EarlierRuns::note(const std::vector<EqualWork::Found> &found) const {
  const std::vector<EqualWork::Found> counts = weighty(found);
  if (own_.path.empty() || counts.empty())
    return;
  Works works = readWorks(own_.path, own_.of);
  addRun(counts, works);
  const std::filesystem::path folder = std::filesystem::path(own_.path).parent_path();
  if (!makeCacheFolder(folder))
    return;
  try {
    output::OutputFile(own_.path).finish(textOf(own_.of, works));
  } catch (const InputError &) {
    return; // A cache that cannot be written is none.
  }
  forgetOldest(folder);
}

} // namespace gnomon::launch
