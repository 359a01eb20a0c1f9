// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/KnownCores.h"

#include "launch/CacheFolder.h"
#include "output/OutputFile.h"
#include "process/ranks/Looks.h"
#include "process/ranks/Processor.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

namespace gnomon::launch {
namespace {

using process::CoreSpeed;

constexpr const char *FirstLine = "gnomon cores 4";

/// As the file has it: the ratio of other kernels is another number, and so is that of the same ones
/// in a library that was compiled otherwise.
std::string kernels() { return fmt::format("{:016x}", process::coreKernels()); }

/// What is between a kernel's figures on any processor; what is beyond comes from a damaged file.
constexpr double LeastRatio = 0.1, MostRatio = 100;
constexpr double LeastSeconds = 1e-8, MostSeconds = 1e-3;
/// The slowest clock of a machine by its fastest.
constexpr double MostSlower = 4;
/// The latest are kept.
constexpr size_t MostRuns = 32;

std::string path() {
  const std::filesystem::path folder = cacheFolder();
  return folder.empty() ? std::string() : (folder / "cores").string();
}

bool isBetween(double least, double value, double most) { return value >= least && value <= most; }

bool isReasonable(double ratio, double chainSeconds) {
  return isBetween(LeastRatio, ratio, MostRatio) &&
         isBetween(LeastSeconds, chainSeconds, MostSeconds);
}

/// What one run has found.
struct Run {
  double ratio, chainSeconds;
};

/// The latest runs', as the file has them, in order. Of a damaged file none.
std::vector<Run> readRuns(std::istream &lines) {
  std::vector<Run> runs;
  for (std::string line; runs.size() < MostRuns && std::getline(lines, line);) {
    const size_t space = line.find(' ');
    if (space == std::string::npos)
      return {};
    const Run run{parseNumber(line.substr(0, space)), parseNumber(line.substr(space + 1))};
    if (!isReasonable(run.ratio, run.chainSeconds))
      return {};
    runs.push_back(run);
  }
  return runs;
}

/// Nothing where another processor, or other kernels, found them.
std::vector<Run> knownRuns() {
  std::ifstream file(path());
  std::string first, processor, code;
  if (!std::getline(file, first) || first != FirstLine || !std::getline(file, processor) ||
      processor != process::processorName() || !std::getline(file, code) || code != kernels())
    return {};
  try {
    return readRuns(file);
  } catch (const NumberError &) {
    return {};
  }
}

/// In them the clock was the machine's: an emulator (valgrind) makes it seem some fifty times slower, and says nothing
/// of the ratio either.
std::vector<Run> believable(std::vector<Run> runs) {
  double least = MostSeconds;
  for (const Run &run : runs)
    least = std::min(least, run.chainSeconds);
  std::erase_if(runs, [&](const Run &run) { return run.chainSeconds > MostSlower * least; });
  return runs;
}

std::string textOf(const std::vector<Run> &runs) {
  std::string text = fmt::format("{}\n{}\n{}\n", FirstLine, process::processorName(), kernels());
  for (const Run &run : runs)
    text += fmt::format("{:.6g} {:.6g}\n", run.ratio, run.chainSeconds);
  return text;
}

} // namespace

CoreSpeed::Known knownCores() {
  process::AgreedLeast ratio;
  double chainSeconds = 0;
  const std::vector<Run> runs = believable(knownRuns());
  for (const Run &run : runs) {
    ratio.add(run.ratio);
    chainSeconds += run.chainSeconds / static_cast<double>(runs.size());
  }
  return {ratio.value(), chainSeconds};
}

void noteCores(const CoreSpeed::Figures &found) {
  const std::string file = path();
  if (file.empty() || !isReasonable(found.ratio, found.chainSeconds))
    return;
  std::vector<Run> runs = knownRuns();
  if (runs.size() == MostRuns)
    runs.erase(runs.begin());
  runs.push_back({found.ratio, found.chainSeconds});
  try {
    if (makeCacheFolder(std::filesystem::path(file).parent_path()))
      output::OutputFile(file).finish(textOf(runs));
  } catch (const InputError &) {
    // A cache that cannot be written is none.
  }
}

} // namespace gnomon::launch
