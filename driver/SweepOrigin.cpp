// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SweepOrigin.h"

#include "Documents.h"
#include "Message.h"
#include "platform/FileText.h"
#include "support/FileHash.h"
#include "sweep/Variant.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace gnomon::driver {
namespace {

namespace fs = std::filesystem;

std::string hashedFile(const std::string &path) {
  std::optional<uint64_t> hash;
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    hash = hashOfFile(descriptor);
    close(descriptor);
  }
  if (hash)
    return fmt::format("{:016x}", *hash);
  std::error_code error;
  const uintmax_t bytes = fs::file_size(path, error);
  return error ? "unknown" : fmt::format("{} bytes", bytes);
}

class Files {
public:
  explicit Files(std::vector<sweep::Origin::File> &files) : files_(files) {}

  void add(const std::string &name, const std::string &path) {
    if (std::ranges::find(files_, name, &sweep::Origin::File::name) == files_.end())
      files_.push_back({name, hashedFile(path)});
  }

  /// The files that \p word names: all of it ("a.xml"), or what stands behind a '='
  /// ("--compute=profile=costs.json").
  void addNamed(const std::string &word) {
    for (size_t at = 0; at != std::string::npos; at = nextValue(word, at)) {
      const std::string name = word.substr(at);
      std::error_code error;
      if (!fs::is_regular_file(name, error))
        continue;
      add(name, name);
      addProfiles(name);
    }
  }

private:
  static size_t nextValue(const std::string &word, size_t at) {
    const size_t equals = word.find('=', at);
    return equals == std::string::npos ? equals : equals + 1;
  }

  /// Those of a platform, which lie beside it.
  void addProfiles(const std::string &platform) {
    if (!platform.ends_with(".xml"))
      return;
    const fs::path folder = fs::path(platform).parent_path();
    std::string text;
    try {
      text = platform::readText(platform);
    } catch (const InputError &) {
      return; // the runs on it say so
    }
    for (const std::string &name : sweep::profilesOf(text)) {
      const std::string file = (folder / name).string();
      std::error_code error;
      if (fs::is_regular_file(file, error))
        add(file, file);
    }
  }

  std::vector<sweep::Origin::File> &files_;
};

} // namespace

sweep::Origin originOf(const SweepCommandLine &line, const std::string &name) {
  sweep::Origin origin{versionLine(), line.options, {}, {}};
  origin.arguments.assign(line.program.begin() + 1, line.program.end());
  Files files(origin.files);
  files.add(name, line.program.front());
  for (const std::string &word : line.options)
    files.addNamed(word);
  for (const std::string &word : origin.arguments)
    files.addNamed(word);
  for (const sweep::Axis &axis : line.axes)
    for (const std::string &value : axis.values)
      files.addNamed(axis.prefix + value);
  return origin;
}

} // namespace gnomon::driver
