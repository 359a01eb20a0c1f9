// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/KnownCores.h"

#include "launch/CacheFolder.h"
#include "output/OutputFile.h"
#include "process/ranks/Processor.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace gnomon::launch {
namespace {

using process::CoreSpeed;

constexpr const char *FirstLine = "gnomon cores 3";

/// As the file has it: the ratio of other kernels is another number, and so is that of the same ones
/// in a library that was compiled otherwise.
std::string kernels() { return fmt::format("{:016x}", process::coreKernels()); }

/// What is between a kernel's figures on any processor; what is beyond comes from a damaged file.
constexpr double LeastRatio = 0.1, MostRatio = 100;
constexpr double LeastSeconds = 1e-8, MostSeconds = 1e-3;
/// Of so many runs the chain's time is a mean.
constexpr uint32_t MostRuns = 32;

std::string path() {
  const std::filesystem::path folder = cacheFolder();
  return folder.empty() ? std::string() : (folder / "cores").string();
}

bool isBetween(double least, double value, double most) { return value >= least && value <= most; }

bool isReasonable(const CoreSpeed::Known &known) {
  return isBetween(LeastRatio, known.ratio, MostRatio) &&
         isBetween(LeastSeconds, known.chainSeconds, MostSeconds) && known.runs > 0 &&
         known.runs <= MostRuns;
}

CoreSpeed::Known withRun(const CoreSpeed::Known &known, const CoreSpeed::Figures &found) {
  constexpr double Forgetting = 1.002;
  if (known.runs == 0)
    return {found.ratio, found.chainSeconds, 1};
  const uint32_t runs = std::min(known.runs + 1, MostRuns);
  return {std::min(found.ratio, Forgetting * known.ratio),
          known.chainSeconds + (found.chainSeconds - known.chainSeconds) / runs, runs};
}

std::string textOf(const CoreSpeed::Known &known) {
  return fmt::format("{}\n{}\n{}\n{:.6g}\n{:.6g}\n{}\n", FirstLine, process::processorName(),
                     kernels(), known.ratio, known.chainSeconds, known.runs);
}

} // namespace

CoreSpeed::Known knownCores() {
  std::ifstream file(path());
  std::string first, processor, code, ratio, chain, runs;
  if (!std::getline(file, first) || first != FirstLine || !std::getline(file, processor) ||
      processor != process::processorName() || !std::getline(file, code) || code != kernels() ||
      !std::getline(file, ratio) || !std::getline(file, chain) || !std::getline(file, runs))
    return {};
  try {
    const CoreSpeed::Known known{
        parseNumber(ratio), parseNumber(chain),
        static_cast<uint32_t>(std::min<uint64_t>(parseInteger(runs), UINT32_MAX))};
    return isReasonable(known) ? known : CoreSpeed::Known();
  } catch (const NumberError &) {
    return {};
  }
}

void noteCores(const CoreSpeed::Figures &found) {
  const std::string file = path();
  if (file.empty() || !isReasonable({found.ratio, found.chainSeconds, 1}))
    return;
  const CoreSpeed::Known kept = withRun(knownCores(), found);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  try {
    std::error_code failed;
    // A home that is not there is nobody's: /nonexistent, as system users have.
    const bool hasHome = std::filesystem::is_directory(folder.parent_path().parent_path(), failed);
    if (hasHome)
      std::filesystem::create_directories(folder, failed);
    if (hasHome && !failed)
      output::OutputFile(file).finish(textOf(kept));
  } catch (const InputError &) {
    // A cache that cannot be written is none.
  }
}

} // namespace gnomon::launch
