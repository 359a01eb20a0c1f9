// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is found in a user's cache about the cores is a ratio that a processor may have, or none, whatever the file
// holds; and whatever it held, the next run finds what this one has noted.
#include "launch/CoreRatio.h"
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
  const double known = launch::knownCoreRatio();
  if (known != 0 && !(known >= 0.1 && known <= 100))
    std::abort();
  constexpr double Noted = 3;
  launch::noteCoreRatio(Noted);
  const double kept = known > 0 ? std::min(Noted, 1.002 * known) : Noted;
  if (std::abs(launch::knownCoreRatio() / kept - 1) > 1e-5)
    std::abort();
  return 0;
}
