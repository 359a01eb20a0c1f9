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
#include <compare>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace gnomon::launch {
namespace {

using process::EqualWork;
using process::burst::EarlierRate;

constexpr const char *Format = "gnomon work 1";
/// Works of less are none that a prediction feels; a run of less has seen too little of the machine.
constexpr double LeastShare = 1e-5, LeastRunSeconds = 0.01;
constexpr size_t MostLines = 8192, MostFiles = 256;
/// Seconds per instruction or unit of work; what is beyond comes from a damaged file.
constexpr double LeastTook = 1e-13, MostTook = 1e6;

/// A work and its round, or a burst's name with its bucket and warmth.
struct Key {
  bool isBurst = false;
  uint64_t name = 0;
  uint32_t first = 0, second = 0;

  auto operator<=>(const Key &) const = default;
};
/// What each took in the runs, the latest last.
using Lines = std::map<Key, std::vector<double>>;

Key keyOf(const EqualWork::WorkAndRound &work) { return {false, work.work, work.round, 0}; }
Key keyOf(const EarlierRate &rate) { return {true, rate.burst, rate.bucket, rate.warmth}; }

std::string heading(const std::string &of) {
  return fmt::format("{}\n{}\n{:016x}\n{}\n", Format, process::processorName(),
                     process::coreKernels(), of);
}

/// One below \p most. Throws NumberError.
uint32_t numberBelow(uint64_t most, const std::string &word) {
  const uint64_t value = parseInteger(word);
  if (value >= most)
    throw NumberError("no number of a work or a kind of burst");
  return static_cast<uint32_t>(value);
}

double readTook(const std::string &word) {
  const double seconds = parseNumber(word);
  if (!(seconds >= LeastTook && seconds <= MostTook))
    throw NumberError("not what a unit of work takes");
  return seconds;
}

/// Throws NumberError.
Key readKey(std::istringstream &words) {
  std::string what, name, first, second;
  words >> what >> name >> first;
  if (what == "work")
    return {false, numberBelow(process::WorkNumbers, name), numberBelow(EqualWork::Rounds, first),
            0};
  words >> second;
  if (what != "burst")
    throw NumberError("neither a work nor a burst");
  return {true, parseHexadecimal(name), numberBelow(process::burst::Buckets, first),
          numberBelow(process::burst::Warmths, second)};
}

/// Throws NumberError where the line is damaged.
void readLine(const std::string &line, Lines &lines) {
  std::istringstream words(line);
  std::vector<double> &took = lines[readKey(words)];
  for (std::string word; words >> word;)
    took.push_back(readTook(word));
  if (took.empty() || took.size() > EarlierRuns::MostRuns)
    throw NumberError("of no run, or of too many");
}

/// Of a damaged file, and of one of other runs, nothing.
Lines readLines(const std::string &path, const std::string &of) {
  std::ifstream file(path);
  std::string read, line;
  for (int i = 0; i < 4 && std::getline(file, line); ++i)
    read += line + "\n";
  if (read != heading(of))
    return {};
  Lines lines;
  try {
    while (lines.size() < MostLines && std::getline(file, line))
      readLine(line, lines);
  } catch (const NumberError &) {
    return {};
  }
  return lines;
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

std::string textOf(const std::string &of, const Lines &lines) {
  std::string text = heading(of);
  for (const auto &[key, took] : lines) {
    text += key.isBurst ? fmt::format("burst {:016x} {} {}", key.name, key.first, key.second)
                        : fmt::format("work {} {}", key.name, key.first);
    for (const double seconds : took)
      text += fmt::format(" {:.4g}", seconds);
    text += "\n";
  }
  return text;
}

/// What counts of a run.
class Weighty {
public:
  Weighty(const std::vector<EqualWork::Found> &works, const std::vector<EarlierRate> &rates) {
    double whole = 0;
    for (const EqualWork::Found &work : works)
      whole += work.seconds;
    if (whole < LeastRunSeconds)
      return;
    for (const EqualWork::Found &work : works)
      if (work.seconds >= LeastShare * whole)
        add(keyOf(work), work.perInstruction);
    for (const EarlierRate &rate : rates)
      add(keyOf(rate), rate.costs.front());
  }
  bool isEmpty() const { return took_.empty(); }
  /// What this run has not met stays while there is room: a program may take turns with its input.
  void addTo(Lines &lines) const {
    for (const auto &[key, seconds] : took_) {
      std::vector<double> &took = lines[key];
      if (took.size() == EarlierRuns::MostRuns)
        took.erase(took.begin());
      took.push_back(seconds);
    }
    if (lines.size() > MostLines)
      std::erase_if(lines, [this](const auto &line) { return !took_.contains(line.first); });
  }

private:
  void add(const Key &key, double seconds) {
    if (seconds >= LeastTook && seconds <= MostTook && took_.size() < MostLines)
      took_.emplace(key, seconds);
  }

  std::map<Key, double> took_;
};

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

EarlierRuns::Expectations EarlierRuns::expectations() const {
  Lines lines = readLines(executed_.path, executed_.of);
  if (own_.path != executed_.path)
    lines.merge(readLines(own_.path, own_.of)); // what executed runs say stays
  Expectations all;
  for (const auto &[key, took] : lines)
    if (key.isBurst)
      all.rates.push_back({key.name, key.first, key.second, took});
    else
      all.works.push_back({{static_cast<uint32_t>(key.name), key.first}, took});
  return all;
}

void EarlierRuns::note(const std::vector<EqualWork::Found> &works,
                       const std::vector<EarlierRate> &rates) const {
  const Weighty run(works, rates);
  if (own_.path.empty() || run.isEmpty())
    return;
  Lines lines = readLines(own_.path, own_.of);
  run.addTo(lines);
  const std::filesystem::path folder = std::filesystem::path(own_.path).parent_path();
  if (!makeCacheFolder(folder))
    return;
  try {
    output::OutputFile(own_.path).finish(textOf(own_.of, lines));
  } catch (const InputError &) {
    return; // A cache that cannot be written is none.
  }
  forgetOldest(folder);
}

} // namespace gnomon::launch
