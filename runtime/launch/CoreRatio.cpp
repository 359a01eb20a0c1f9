// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/CoreRatio.h"

#include "launch/CacheFolder.h"
#include "output/OutputFile.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/Processor.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace gnomon::launch {
namespace {

constexpr const char *FirstLine = "gnomon cores 2";

/// As the file has it: the ratio of other kernels is another number, and so is that of the same ones
/// in a library that was compiled otherwise.
std::string kernels() { return fmt::format("{:016x}", process::coreKernels()); }

/// What is between a kernel's figures on any processor; what is beyond comes from a damaged file.
constexpr double LeastRatio = 0.1, MostRatio = 100;

std::string path() {
  const std::filesystem::path folder = cacheFolder();
  return folder.empty() ? std::string() : (folder / "cores").string();
}

} // namespace

double knownCoreRatio() {
  std::ifstream file(path());
  std::string first, processor, code, ratio;
  if (!std::getline(file, first) || first != FirstLine || !std::getline(file, processor) ||
      processor != process::processorName() || !std::getline(file, code) || code != kernels() ||
      !std::getline(file, ratio))
    return 0;
  try {
    const double known = parseNumber(ratio);
    return known >= LeastRatio && known <= MostRatio ? known : 0;
  } catch (const NumberError &) {
    return 0;
  }
}

void noteCoreRatio(double ratio) {
  constexpr double Forgetting = 1.002;
  const std::string file = path();
  if (file.empty() || ratio < LeastRatio || ratio > MostRatio)
    return;
  const double known = knownCoreRatio();
  const double kept = known > 0 ? std::min(ratio, Forgetting * known) : ratio;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  try {
    std::error_code failed;
    // A home that is not there is nobody's: /nonexistent, as system users have.
    const bool hasHome = std::filesystem::is_directory(folder.parent_path().parent_path(), failed);
    if (hasHome)
      std::filesystem::create_directories(folder, failed);
    if (hasHome && !failed)
      output::OutputFile(file).finish(fmt::format("{}\n{}\n{}\n{:.6g}\n", FirstLine,
                                                  process::processorName(), kernels(), kept));
  } catch (const InputError &) {
    // A cache that cannot be written is none.
  }
}

} // namespace gnomon::launch
