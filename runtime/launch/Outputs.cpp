// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Outputs.h"

#include "launch/Tracing.h"

#include "launch/RankOptions.h"
#include "support/Error.h"

#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace gnomon::launch {
namespace {

/// What tells a file from others, whatever the name it goes by; of one that is not there yet, its
/// folder's identity and its name.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;
  bool operator==(const Identity &) const = default;
};

std::optional<Identity> identityOf(const struct stat &status) {
  if (!S_ISREG(status.st_mode))
    return std::nullopt;
  return Identity{status.st_dev, status.st_ino, {}};
}

/// Nothing for what is no regular file.
std::optional<Identity> identityOf(const std::string &path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0)
    return identityOf(status);
  const std::filesystem::path whole(path);
  const std::string folder = whole.has_parent_path() ? whole.parent_path().string() : ".";
  if (stat(folder.c_str(), &status) != 0)
    return std::nullopt;
  return Identity{status.st_dev, status.st_ino, whole.filename().string()};
}

/// Files that must stay as they are, and what each is to the user.
class Taken {
public:
  void add(const std::string &path, const std::string &what) {
    if (!path.empty())
      add(identityOf(path), what);
  }
  void add(std::optional<Identity> identity, const std::string &what) {
    if (identity)
      files_.emplace_back(*std::move(identity), what);
  }
  void addStream(int descriptor, const char *what) {
    struct stat status{};
    if (fstat(descriptor, &status) == 0)
      add(identityOf(status), what);
  }
  /// What the file of \p option is already; then it is taken.
  void take(const char *option, const std::string &path) {
    const std::optional<Identity> identity = identityOf(path);
    for (const auto &[known, what] : files_)
      if (identity == known)
        throw InputError(option, 0, fmt::format("'{}' is {}; name another file", path, what));
    add(identity, fmt::format("also the file of {}", option));
  }

private:
  std::vector<std::pair<Identity, std::string>> files_;
};

int addLibrary(dl_phdr_info *info, size_t, void *taken) {
  static_cast<Taken *>(taken)->add(info->dlpi_name, "a library of the program");
  return 0;
}

Taken takenByInputs(const Options &options, const platform::Platform &platform) {
  constexpr std::string_view profile = "profile=";
  Taken taken;
  taken.add("/proc/self/exe", "the program");
  for (const process::JobPart &part : companions(options))
    taken.add(part.program, "the program after ':'");
  dl_iterate_phdr(addLibrary, &taken);
  taken.add(options.network, "the file of --network");
  taken.add(options.platform, "the file of --platform");
  for (const platform::Profile &used : platform.profiles())
    taken.add(used.file, "a profile of the platform");
  taken.add(options.hostfile, "the file of --hostfile");
  taken.add(options.collModel, "the file of --coll-model");
  if (options.compute.starts_with(profile))
    taken.add(options.compute.substr(profile.size()), "the file of --compute");
  taken.add(options.decisions, "the file of --decisions");
  taken.add(options.replayed, "the trace that is replayed");
  taken.addStream(STDIN_FILENO, "the standard input");
  taken.addStream(STDOUT_FILENO, "the standard output");
  taken.addStream(STDERR_FILENO, "the standard error");
  return taken;
}

} // namespace

Outputs openOutputs(const Options &options, const platform::Platform &platform, size_t ranks) {
  Outputs outputs;
  Taken taken = takenByInputs(options, platform);
  const auto open = [&](const char *option, const std::string &path) {
    if (path.empty())
      return std::unique_ptr<output::OutputFile>();
    // /dev/stdout is that stream itself, whose text comes behind the ranks'.
    if (!output::isSpecialFile(path))
      taken.take(option, path);
    return std::make_unique<output::OutputFile>(path);
  };
  outputs.json = open("--json", options.json);
  outputs.bursts = open("--bursts", options.bursts == "-" ? "" : options.bursts);
  outputs.recordProfile = open("--record-profile", options.recordProfile);
  outputs.recordDecisions = open("--record-decisions", options.recordDecisions);
  outputs.collMessages = open("--coll-messages", options.collMessages);
  if (auto file = open("--trace", options.trace))
    outputs.trace = openTrace(std::move(file), ranks);
  if (const std::string &path = options.commTrace; !path.empty()) {
    if (!output::isSpecialFile(path))
      taken.take("--comm-trace", path);
    outputs.commTrace = std::make_unique<output::CallFile>(
        path, fmt::format("# gnomon communication trace 1: {} ranks", ranks), ranks);
  }
  return outputs;
}

} // namespace gnomon::launch
