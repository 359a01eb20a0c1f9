// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is found in a user's cache about the cores is what a processor may have, or nothing, whatever the file holds;
// and whatever it held, the next run finds what this one has noted. So it is with what earlier runs took.
#include "launch/EarlierRuns.h"
#include "launch/KnownCores.h"
#include "output/OutputFile.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/Processor.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

using namespace gnomon;

/// The seeds' and the dictionary's.
std::string process::processorName() { return "A Processor @ 3 GHz"; }
uint64_t process::coreKernels() { return 0xc0de; }

/// Files are written plainly here: their names and ends are not what is tried.
struct output::OutputFile::Compressor {};
output::OutputFile::OutputFile(std::string path, Naming naming)
    : path_(std::move(path)), naming_(naming), special_(false) {}
output::OutputFile::~OutputFile() = default;
std::string output::OutputFile::finish(std::string_view text) {
  std::ofstream(path_) << text;
  return {};
}

namespace {

/// A cache of its own.
struct Cache {
  std::filesystem::path folder;
  Cache() {
    std::string name = std::filesystem::temp_directory_path() / "gnomon-fuzz-XXXXXX";
    if (!mkdtemp(name.data()))
      std::abort();
    folder = name;
    std::filesystem::create_directories(folder / "gnomon");
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  ~Cache() { std::filesystem::remove_all(folder); }
  void write(std::string_view text) const { std::ofstream(folder / "gnomon/cores") << text; }
};

bool isAProcessors(const process::CoreSpeed::Known &known) {
  // A mean of 32 equal times may lie a bit beside them.
  constexpr double Rounding = 1e-12;
  if (!(known.feel >= 0 && known.feel <= process::CoreFeel::Most))
    return false;
  return known.ratio >= 0.1 && known.ratio <= 100 && known.chainSeconds >= 1e-8 * (1 - Rounding) &&
         known.chainSeconds <= 1e-3 * (1 + Rounding);
}

/// The file of earlier runs, with \p lines behind its heading.
void tryEarlierRuns(const Cache &cache, std::string_view lines) {
  const launch::EarlierRuns runs({"app", "b0", "", 1}, false, "");
  const process::EqualWork::Found found{{7, 1}, 1e-9, 1};
  std::filesystem::remove_all(cache.folder / "gnomon/work");
  runs.note({found}, {});
  const std::filesystem::path path =
      std::filesystem::directory_iterator(cache.folder / "gnomon/work")->path();
  std::string heading, line;
  {
    std::ifstream file(path);
    for (int i = 0; i < 4 && std::getline(file, line); ++i)
      heading += line + "\n";
  }
  std::ofstream(path) << heading << lines;
  const launch::EarlierRuns::Expectations expected = runs.expectations();
  for (const process::EqualWork::Earlier &one : expected.works)
    if (one.work >= process::WorkNumbers || one.round >= process::EqualWork::Rounds ||
        one.perInstruction.empty() || one.perInstruction.size() > launch::EarlierRuns::MostRuns)
      std::abort();
  for (const process::burst::EarlierRate &one : expected.rates)
    if (one.bucket >= process::burst::Buckets || one.warmth >= process::burst::Warmths ||
        one.costs.empty() || one.costs.size() > launch::EarlierRuns::MostRuns)
      std::abort();
  runs.note({found}, {});
  for (const process::EqualWork::Earlier &one : runs.expectations().works)
    if (one.work == found.work && one.round == found.round &&
        one.perInstruction.back() == found.perInstruction)
      return;
  std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Cache cache;
  cache.write({reinterpret_cast<const char *>(data), size});
  const process::CoreSpeed::Known known = launch::knownCores(0xc0de);
  const bool nothing = known.ratio == 0 && known.chainSeconds == 0;
  if (!nothing && !isAProcessors(known))
    std::abort();
  if (const double page = launch::knownPageSeconds(); !(page >= 0 && page <= 1e-3))
    std::abort();
  process::CoreSpeed::Figures found;
  found.ratio = 3;
  found.chainSeconds = 2e-6;
  // What three runs agree on is known, unless others agreed on less.
  for (int run = 0; run < 3; ++run)
    launch::noteCores(found, 1e-6, 0xc0de);
  const process::CoreSpeed::Known after = launch::knownCores(0xc0de);
  if (!isAProcessors(after) || after.ratio > 3 || (nothing && after.ratio != 3))
    std::abort();
  tryEarlierRuns(cache, {reinterpret_cast<const char *>(data), size});
  return 0;
}
