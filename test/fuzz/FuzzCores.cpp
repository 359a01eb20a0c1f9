// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is found in a user's cache about the cores is what a processor may have, or nothing, whatever the file holds;
// and whatever it held, the next run finds what this one has noted.
#include "launch/KnownCores.h"
#include "output/OutputFile.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/Processor.h"

#include <algorithm>
#include <cmath>
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Cache cache;
  cache.write({reinterpret_cast<const char *>(data), size});
  const process::CoreSpeed::Known known = launch::knownCores();
  const bool nothing = known.ratio == 0 && known.chainSeconds == 0 && known.runs == 0;
  if (!nothing && !(known.ratio >= 0.1 && known.ratio <= 100 && known.chainSeconds >= 1e-8 &&
                    known.chainSeconds <= 1e-3 && known.runs >= 1 && known.runs <= 32))
    std::abort();
  process::CoreSpeed::Figures found;
  found.ratio = 3;
  found.chainSeconds = 2e-6;
  launch::noteCores(found);
  const double kept = nothing ? found.ratio : std::min(found.ratio, 1.002 * known.ratio);
  const process::CoreSpeed::Known after = launch::knownCores();
  if (std::abs(after.ratio / kept - 1) > 1e-5 || after.runs != std::min(known.runs + 1, 32u))
    std::abort();
  return 0;
}
