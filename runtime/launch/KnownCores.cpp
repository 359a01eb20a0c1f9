// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/KnownCores.h"

#include "launch/CacheFolder.h"
#include "output/OutputFile.h"
#include "process/ranks/Looks.h"
#include "process/ranks/Processor.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace gnomon::launch {
namespace {

using process::CoreFeel;
using process::CoreSpeed;

constexpr const char *FirstLine = "gnomon cores 6";

/// As the file has it: the ratio of other kernels is another number, and so is that of the same ones
/// in a library that was compiled otherwise.
std::string kernels() { return fmt::format("{:016x}", process::coreKernels()); }

/// What is between a kernel's figures on any processor; what is beyond comes from a damaged file.
constexpr double LeastRatio = 0.1, MostRatio = 100;
constexpr double LeastSeconds = 1e-8, MostSeconds = 1e-3;
/// What a page may take.
constexpr double MostPageSeconds = 1e-3;
/// Of what a run has felt.
constexpr double MostLearned = 1e9;
/// The slowest clock of a machine by its fastest.
constexpr double MostSlower = 4;
/// The latest are kept.
constexpr size_t MostRuns = 32;

std::string path() {
  const std::filesystem::path folder = cacheFolder();
  return folder.empty() ? std::string() : (folder / "cores").string();
}

bool isBetween(double least, double value, double most) { return value >= least && value <= most; }

/// What one run has found; in the file a line of these, in this order.
struct Run {
  double ratio, chainSeconds, pageSeconds;
  process::CoreFeel::Learned feel;
  uint64_t program;
};

bool isReasonable(const Run &run) {
  return isBetween(LeastRatio, run.ratio, MostRatio) &&
         isBetween(LeastSeconds, run.chainSeconds, MostSeconds) &&
         isBetween(0, run.pageSeconds, MostPageSeconds) &&
         isBetween(0, run.feel.slope, CoreFeel::Most) && isBetween(0, run.feel.weight, MostLearned);
}

/// The latest runs', as the file has them, in order. Of a damaged file none.
std::vector<Run> readRuns(std::istream &lines) {
  std::vector<Run> runs;
  for (std::string line; runs.size() < MostRuns && std::getline(lines, line);) {
    std::istringstream words(line);
    std::string ratio, chain, page, slope, weight, program, more;
    words >> ratio >> chain >> page >> slope >> weight >> program;
    const Run run{parseNumber(ratio),
                  parseNumber(chain),
                  parseNumber(page),
                  {parseNumber(slope), parseNumber(weight)},
                  parseHexadecimal(program)};
    if (words >> more || !isReasonable(run))
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
    text += fmt::format("{:.6g} {:.6g} {:.4g} {:.4g} {:.4g} {:016x}\n", run.ratio, run.chainSeconds,
                        run.pageSeconds, run.feel.slope, run.feel.weight, run.program);
  return text;
}

/// What was felt in \p runs beside what is \p usual, which counts as much as a run that has learned \p doubt. A
/// single long run says no more than many short ones: the machine's other guests change.
double feltIn(const std::vector<Run> &runs, double usual, double doubt) {
  constexpr double MostOfOne = 10;
  double slopes = doubt * usual, weights = doubt;
  for (const Run &run : runs) {
    const double weight = std::min(run.feel.weight, MostOfOne);
    slopes += weight * run.feel.slope;
    weights += weight;
  }
  return std::clamp(slopes / weights, 0.0, CoreFeel::Most);
}

} // namespace

CoreSpeed::Known knownCores(uint64_t program) {
  process::AgreedLeast ratio;
  double chainSeconds = 0;
  std::vector<Run> runs = believable(knownRuns());
  for (const Run &run : runs) {
    ratio.add(run.ratio);
    chainSeconds += run.chainSeconds / static_cast<double>(runs.size());
  }
  constexpr double DoubtOfUsual = 5, DoubtOfMachine = 2;
  const double machine = feltIn(runs, CoreFeel::Usual, DoubtOfUsual);
  std::erase_if(runs, [&](const Run &run) { return run.program != program; });
  return {ratio.value(), chainSeconds, feltIn(runs, machine, DoubtOfMachine)};
}

double knownPageSeconds() {
  std::vector<double> all;
  for (const Run &run : believable(knownRuns()))
    if (run.pageSeconds > 0)
      all.push_back(run.pageSeconds);
  if (all.empty())
    return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

void noteCores(const CoreSpeed::Figures &found, double pageSeconds, uint64_t program) {
  const std::string file = path();
  const Run run{found.ratio, found.chainSeconds, pageSeconds, found.feel, program};
  if (file.empty() || !isReasonable(run))
    return;
  std::vector<Run> runs = knownRuns();
  if (runs.size() == MostRuns)
    runs.erase(runs.begin());
  runs.push_back(run);
  try {
    if (makeCacheFolder(std::filesystem::path(file).parent_path()))
      output::OutputFile(file).finish(textOf(runs));
  } catch (const InputError &) {
    // A cache that cannot be written is none.
  }
}

} // namespace gnomon::launch
